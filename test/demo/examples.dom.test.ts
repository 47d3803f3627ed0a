import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { agentEquipment } from "../../demo/agent/equipment.ts";
import { demoBlockTypes } from "../../demo/engine/block-types.ts";
import { openEffects } from "../../demo/engine/effects.ts";
import { loadExamples } from "../../demo/examples.ts";
import { FORMS } from "../../examples/forms/forms.ts";

const HOME = join(import.meta.dirname, "../../examples");
/** Those with a README of their own; the others are pages around a run. */
const folders = readdirSync(HOME)
  .map((name) => join(HOME, name))
  .filter((folder) => existsSync(join(folder, "README.md")));
const examples = loadExamples();

async function refusalOf(...workflows: readonly Workflow[]): Promise<string | undefined> {
  const network = { request: () => Promise.reject(new Error("Nothing is asked here.")) };
  const files = { read: network.request, write: network.request } as never;
  const effects = openEffects();
  const agents = agentEquipment(effects);
  const blocks = [...demoBlockTypes(effects), ...agents.blocks];
  const executor = createExecutor({ store: memoryStore(), blocks, grants: { network, files, ...agents.grants } });
  try {
    for (const workflow of workflows) await executor.load(workflow);
    return undefined;
  } catch (thrown) {
    return (thrown as { readonly code: string }).code;
  } finally {
    await executor.close();
  }
}

test("the page shows a workflow of every example folder, and all forms", async () => {
  expect(folders.length).toBeGreaterThan(10);
  const texts = new Set(await Promise.all(examples.shown.map(({ readSource }) => readSource())));
  for (const folder of folders) {
    const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
    expect(
      files.map((file) => texts.has(readFileSync(join(folder, file), "utf8"))),
      folder,
    ).toContain(true);
  }
  expect(
    examples.shown
      .filter(({ shelf }) => shelf === "form")
      .map(({ workflow }) => workflow.name)
      .toSorted(),
  ).toEqual(Object.keys(FORMS).toSorted());
});

test("what runs in Node is run by a line of its README, and refused by a page with the reason", async () => {
  const readmes = folders.map((folder) => readFileSync(join(folder, "README.md"), "utf8"));
  const elsewhere = examples.shown.filter(({ command }) => command !== undefined);
  expect(elsewhere.length).toBeGreaterThan(2);
  for (const { workflow, called, command } of elsewhere) {
    expect(readmes.filter((text) => text.includes(`\n${command}\n`))).toHaveLength(1);
    expect(await refusalOf(workflow, ...called), workflow.name).toBe("CAPABILITY_MISSING");
  }
});

test("everything else can be loaded by a page", async () => {
  expect(examples.runnable.length).toBeGreaterThan(10);
  expect(await refusalOf(...examples.runnable)).toBeUndefined();
});

test("tags find the workflows that have all of them", () => {
  expect([...examples.tagged(["files", "questions"])]).toEqual(["storm-report", "config-wizard"]);
  expect(examples.tagged([]).size).toBeGreaterThanOrEqual(examples.shown.length);
  expect(examples.tags).toContain("files");
  expect(examples.tags, "what only one has narrows nothing down").not.toContain("retry");
});
