import type { RunEvent } from "wavepoint";

/** Events that are kept; older ones go. */
export const KEPT_EVENTS = 500;

/** An event as it reached the page. */
export interface LoggedEvent {
  /** Counts from 1 and is never used again. */
  readonly number: number;
  /** When it reached the page, in milliseconds since the epoch. */
  readonly at: number;
  readonly event: RunEvent;
}

/** The newest events of the engine, whether or not the panel is open. */
export interface EventLog {
  /** Oldest first. */
  readonly events: readonly LoggedEvent[];
  add(event: RunEvent): void;
  clear(): void;
  /** Calls the listener after each change. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
}

export function createEventLog(): EventLog {
  const listeners = new Set<() => void>();
  let events: readonly LoggedEvent[] = [];
  let count = 0;
  const change = (next: readonly LoggedEvent[]): void => {
    events = next;
    for (const listener of listeners) listener();
  };
  return {
    get events() {
      return events;
    },
    add(event) {
      count += 1;
      change([...events, { number: count, at: Date.now(), event }].slice(-KEPT_EVENTS));
    },
    clear: () => change([]),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
