import type { WavepointElements, WavepointEvents } from "./index.ts";

/** What a template sets on an element beside what every element has: its own properties. */
export type ElementProps<Name extends keyof WavepointElements> = {
  readonly [Property in Exclude<keyof WavepointElements[Name], NotSet>]?: WavepointElements[Name][Property] | undefined;
};

/** What is called, not set. */
type NotSet = keyof HTMLElement | "connectedCallback" | "disconnectedCallback" | "draw" | "requestDraw";

/** Listeners to what the elements tell, by the name that a framework gives to that of an event. */
export type ElementListeners<Style extends "on-event" | "onEvent"> = {
  readonly [Event in keyof WavepointEvents as Style extends "onEvent" ? `on${Joined<Event>}` : `on${Event}`]?:
    ((event: WavepointEvents[Event]) => void) | undefined;
};

type Joined<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${Capitalize<First>}${Joined<Rest>}` : Capitalize<Name>;
