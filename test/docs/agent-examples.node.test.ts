import { spawn } from "node:child_process";
import { symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createExecutor } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTurn, say } from "../ai/mock-models.ts";
import { buildCopy } from "../package/built-copy.ts";
import type { Built } from "../support/build-once.ts";
import { examplesIn } from "./documents.ts";
import { writeExampleFolder } from "./example-folder.ts";

const agents = { reader: { description: "Reads." }, writer: { description: "Writes." } };

/** What models say, by the block of the example. */
const SAID: { readonly [block: string]: { readonly model: string; readonly said: readonly string[]; readonly outputs: object } } = {
  report: {
    model: "large",
    said: [
      '{"tasks":[{"agent":"reader","prompt":"Read."},{"agent":"writer","prompt":"Sum up."}]}',
      "They like it.",
      "Liked.",
      "Customers like it.",
    ],
    outputs: { text: "Customers like it.", results: ["They like it.", "Liked."] },
  },
  article: {
    model: "small",
    said: ["Draft", "Good.", '{"next":"end"}'],
    outputs: { text: "Good.", path: ["draft", "check"] },
  },
};

const examples = examplesIn("yaml").filter(({ marks }) => marks.includes("agents"));

test("there are examples of agents", () => {
  expect(examples.length).toBe(Object.keys(SAID).length);
});

test.each(examples)("$place runs", async ({ text }) => {
  const workflow = loadWorkflow(`name: fragment\nblocks:\n${text}`);
  const { id } = workflow.blocks[0]!;
  const { model, said, outputs } = SAID[id]!;
  const models = { [model]: inTurn(said.map((one) => say(one))) };
  const executor = createExecutor({ store: memoryStore(), blocks: agentBlocks({ agents }), grants: { models } });
  const run = await executor.start(workflow);
  expect((await run.settled()).status).toBe("success");
  expect((await run.state()).values[id]).toMatchObject(outputs);
});

// Programs begin often here, and built files load much sooner than sources.
let built: Built;
beforeAll(() => {
  built = buildCopy();
}, 120_000);
afterAll(() => built.remove());

/** What a program printed until it ended, or until it printed what it is killed at. */
function runProgram(folder: string, given: readonly string[], killAt?: string): Promise<string> {
  const child = spawn(process.execPath, ["agent.mjs", ...given], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (killAt !== undefined && printed.includes(killAt)) child.kill("SIGKILL");
  });
  return new Promise((resolve) => child.once("close", () => resolve(printed)));
}

test("D1 the agent that survives does: killed while its model speaks, before and after it pays", { timeout: 60_000 }, async () => {
  const program = examplesIn("js").find(({ text }) => text.includes("agentBlocks"))!;
  const folder = writeExampleFolder([]);
  try {
    unlinkSync(`${folder.path}/node_modules/wavepoint`);
    symlinkSync(built.folder, `${folder.path}/node_modules/wavepoint`);
    writeFileSync(`${folder.path}/agent.mjs`, program.text);
    expect(await runProgram(folder.path, [], "The model is asked.")).toContain("The model is asked.");
    expect(await runProgram(folder.path, [])).toMatch(/^The model is asked\.\n\[ 'May the agent call refund\?', 'amount: 40' \]\n$/);
    expect(await runProgram(folder.path, ["approve"], "The model is asked.")).toMatch(/^Paid: 40\nThe model is asked\.\n/);
    expect(await runProgram(folder.path, [])).toBe("The model is asked.\nYour money is on its way.\n");
    expect(await runProgram(folder.path, [])).toBe("Your money is on its way.\n");
  } finally {
    folder.remove();
  }
});
