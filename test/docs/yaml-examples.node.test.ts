import { describe, expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { examplesIn, type Example } from "./documents.ts";
import { GUIDE_RUNS } from "./guide-runs.ts";
import { runExample } from "./run-example.ts";

/**
 * The tests of the command line play those marked `cases` (a workflow and its cases) and `own` (which need own block types). Those marked `agents` need models: they have
 * a test of their own.
 */
const examples = examplesIn("yaml")
  .filter(({ marks }) => !["cases", "own", "agents"].some((mark) => marks.includes(mark)))
  .map((example) => ({ place: example.place, text: wholeText(example) }));
/** Those of the reference are run with what their pages say. */
const inGuides = examples.filter(({ place }) => !place.startsWith("docs/reference/"));

/** A fragment is a list of blocks, or some of the keys of a workflow. */
function wholeText({ text, marks }: Example): string {
  if (!marks.includes("fragment")) return text;
  if (text.startsWith("- ")) return `name: fragment\nblocks:\n${text}`;
  return `name: fragment\n${text}${/^blocks:/m.test(text) ? "" : "blocks: []\n"}`;
}

/** What tells an example from the others: its name, or the first block of a fragment. */
function nameOf(text: string): string {
  const { name, blocks } = loadWorkflow(text);
  return name === "fragment" ? `- ${blocks[0]?.id ?? "no block"}` : name;
}

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(25);
  expect(inGuides.map(({ text }) => nameOf(text)).toSorted()).toEqual(Object.keys(GUIDE_RUNS).toSorted());
});

describe("each example is a workflow without errors and warnings", () => {
  test.each(examples)("$place", async ({ text }) => {
    expect((await checkWorkflow(text, { blocks: builtinBlocks })).problems).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("each example of a guide runs", () => {
  test.each(inGuides)("$place", async ({ text }) => {
    const { outputs, ...world } = GUIDE_RUNS[nameOf(text)]!;
    expect(await runExample(text, world)).toEqual(outputs);
  });
});
