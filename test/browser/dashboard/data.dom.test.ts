import { expect, onTestFinished, test } from "vitest";
import type { CheckpointInfo, Run, RunView, Values } from "wavepoint";
import { defineParts, type WavepointData } from "wavepoint/dashboard";
import { titleOf } from "../../../demo/wording.ts";
import { textOf } from "../../demo/drawn.ts";
import { blockView, runView } from "../../demo/views.ts";

interface Shown {
  readonly element: WavepointData;
  /** How often the outputs were read. */
  reads(): number;
  change(view: RunView): void;
}

function show(first: RunView, outputs: () => { readonly [block: string]: Values | null }): Shown {
  defineParts();
  let view = first;
  let reads = 0;
  const listeners = new Set<() => void>();
  const run = {
    id: view.id,
    getSnapshot: () => view,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async state() {
      reads += 1;
      return { values: outputs() };
    },
  };
  const element = document.createElement("wavepoint-data");
  Object.assign(element, { run: run as unknown as Run, nameOf: titleOf });
  document.body.replaceChildren(element);
  onTestFinished(() => element.remove());
  return {
    element,
    reads: () => reads,
    change(next) {
      view = next;
      for (const listener of listeners) listener();
    },
  };
}

function sections(element: Element): readonly string[] {
  return [...element.querySelectorAll("section")].map(textOf);
}

test("shows what the run was given, what its channels hold, and what its blocks and the run gave", async () => {
  const view = runView([[blockView("grind_beans", { status: "completed" }), blockView("ship")]], {
    inputs: { cups: 2 },
    channels: { log: ["ground"] },
    outputs: { done: true },
  });
  const { element } = show(view, () => ({ grind_beans: { kind: "fine", note: null }, ship: null }));
  await expect
    .poll(() => sections(element))
    .toEqual(["Inputs Cups 2", 'Channels Log [ "ground" ]', "Grind beans Kind fine Note none", "Outputs of the run Done Yes"]);
});

test("at a checkpoint shows what was known there", async () => {
  const { element } = show(runView([[blockView("grind", { status: "completed" })]], { outputs: { done: true } }), () => ({
    grind: { kind: "fine" },
  }));
  await expect.poll(() => sections(element)).toHaveLength(2);
  element.checkpoint = { inputs: { cups: 1 }, context: { blocks: {}, channels: {} } } as unknown as CheckpointInfo;
  await expect.poll(() => sections(element)).toEqual(["Inputs Cups 1"]);
  expect(textOf(element)).toContain("As it stood there.");
});

test("says when nothing is known yet", async () => {
  const { element } = show(runView([[blockView("grind")]]), () => ({ grind: null }));
  await expect.poll(() => textOf(element)).toBe("Nothing yet: the first block that is done gives the first values.");
});

test("many changes in a moment are one more reading", async () => {
  const pending = runView([[blockView("grind", { status: "running" })]]);
  const { element, reads, change } = show(pending, () => ({ grind: { read: reads() } }));
  await expect.poll(() => sections(element)).toEqual(["Grind Read 1"]);
  for (let i = 0; i < 100; i += 1) change({ ...pending, updatedAt: i });
  await expect.poll(() => sections(element)).toEqual(["Grind Read 2"]);
  expect(reads()).toBe(2);
});

test("of very many blocks lists the first, and more when asked", async () => {
  const blocks = Array.from({ length: 100 }, (_, i) => blockView(`b${i}`, { status: "completed" }));
  const { element } = show(runView([blocks]), () => Object.fromEntries(blocks.map(({ id }) => [id, { id }])));
  await expect.poll(() => sections(element)).toHaveLength(60);
  const more = element.querySelector("button")!;
  expect(textOf(more)).toBe("Show 40 of 40 more blocks");
  more.click();
  await expect.poll(() => sections(element)).toHaveLength(100);
  expect(element.querySelector("button")).toBeNull();
});
