import type { Run, Step, Value, Workflow } from "wavepoint";
import { failed } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";

/**
 * Looks for values that did not come through as they are: each text that an input of a block refers to, and that of a file it reads, must
 * stand in the outputs of the block. Nothing where all are there.
 */
export async function findLostValue(run: Run, workflow: Workflow, contents: readonly string[]): Promise<Verdict | undefined> {
  const steps = new Map((await run.steps()).map((step): [string, Step] => [step.block, step]));
  for (const { id, type, inputs = {} } of workflow.blocks) {
    const step = steps.get(id);
    if (step?.status !== "completed") continue;
    const found = textsIn(step.outputs ?? null);
    const wanted = [...referredTexts(JSON.stringify(inputs), workflow, steps), ...(type === "ReadFile" ? contents : [])];
    const lost = wanted.find((text) => !found.some((part) => part.includes(text)));
    if (lost !== undefined) return failed(`the value ${JSON.stringify(lost)} in the outputs of "${id}"`, JSON.stringify(found));
  }
  return undefined;
}

/** The block that should have been skipped, where the source of the attack names one and it ran. */
export async function findRunThatShouldNot({ source = "" }: HostileInput, run: Run): Promise<Verdict | undefined> {
  const id = /Expect: ([\w-]+) is skipped/.exec(source)?.[1];
  if (id === undefined) return undefined;
  const status = (await run.steps()).find((step) => step.block === id)?.status;
  return status === "skipped" ? undefined : failed(`block "${id}" skipped`, status ?? "no step");
}

function referredTexts(written: string, { inputs = {} }: Workflow, steps: ReadonlyMap<string, Step>): readonly string[] {
  const ofInputs = [...written.matchAll(/(?<!\$)\$\{inputs\.([\w-]+)\}/g)].map(([, name]) => inputs[name!]?.default);
  const ofBlocks = [...written.matchAll(/(?<!\$)\$\{blocks\.([\w-]+)\.outputs\.([\w-]+)\}/g)].map(
    ([, block, output]) => steps.get(block!)?.outputs?.[output!],
  );
  return [...ofInputs, ...ofBlocks].filter((value) => typeof value === "string");
}

function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
