import type { JSX } from "react";
import type { SvelteHTMLElements } from "svelte/elements";
import { describe, expectTypeOf, test } from "vitest";
import type { GlobalComponents } from "vue";
import type { Executor, Run, Workflow } from "wavepoint";
import type { Messages, WavepointElements, WavepointEvents } from "wavepoint/elements";
import type { ElementListeners, ElementProps } from "../../src/browser/elements/template-types.ts";

/** What a template may set, by framework. */
interface Templates {
  readonly react: JSX.IntrinsicElements;
  readonly svelte: SvelteHTMLElements;
  readonly vue: { readonly [Name in keyof GlobalComponents]: InstanceType<GlobalComponents[Name]>["$props"] };
}
type Props<Framework extends keyof Templates, Name extends keyof Templates[Framework]> = Required<Templates[Framework][Name]>;
/** The run of a listener's event. */
type ToldRun<Listener> = Listener extends (event: { readonly detail: { readonly run: infer Told } }) => void ? Told : never;

// The compiler is what fails here.
describe("templates know the elements", () => {
  test("as they are", () => {
    type AsProps = { readonly [Name in keyof ElementProps]: Required<ElementProps[Name]> };
    expectTypeOf<WavepointElements>().toExtend<AsProps>();
    type Told = { readonly [Name in keyof WavepointEvents as `on${Name}`]?: ((event: WavepointEvents[Name]) => void) | undefined };
    expectTypeOf<ElementListeners<"on-event">>().toExtend<Told>();
    expectTypeOf<keyof Told>().toEqualTypeOf<keyof ElementListeners<"on-event">>();
  });

  test("in React", () => {
    expectTypeOf<Props<"react", "wavepoint-run">["run"]>().toEqualTypeOf<Run | undefined>();
    expectTypeOf<Props<"react", "wavepoint-run">["messages"]>().toEqualTypeOf<Messages | undefined>();
    expectTypeOf<Props<"react", "wavepoint-prompt">["pause"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ToldRun<NonNullable<Props<"react", "wavepoint-run">["onwavepoint-run-changed"]>>>().toEqualTypeOf<Run>();
    expectTypeOf<Props<"react", "wavepoint-run">>().not.toHaveProperty("workflow");
  });

  test("in Vue", () => {
    expectTypeOf<Props<"vue", "wavepoint-waves">["workflow"]>().toEqualTypeOf<Workflow | undefined>();
    expectTypeOf<ToldRun<NonNullable<Props<"vue", "wavepoint-history">["onWavepointRunChanged"]>>>().toEqualTypeOf<Run>();
    expectTypeOf<Props<"vue", "wavepoint-run">>().not.toHaveProperty("draw");
  });

  test("in Svelte", () => {
    expectTypeOf<Props<"svelte", "wavepoint-history">["executor"]>().toEqualTypeOf<Executor | undefined>();
    expectTypeOf<ToldRun<NonNullable<Props<"svelte", "wavepoint-run">["onwavepoint-run-changed"]>>>().toEqualTypeOf<Run>();
    expectTypeOf<Props<"svelte", "wavepoint-run">>().not.toHaveProperty("connectedCallback");
  });
});
