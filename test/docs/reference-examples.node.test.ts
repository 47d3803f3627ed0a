import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createExecutor, type Network, type Values } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { nodeFiles, nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { loadWorkflow } from "wavepoint/yaml";
import { BLOCK_GROUPS } from "../../scripts/reference/block-groups.mjs";
import { readExample, type ExampleRun } from "../../scripts/reference/read-examples.mjs";

/** A minute before the instant that the example of Wait waits for. */
const START_AT = Date.UTC(2026, 11, 24, 16, 59);

const GIT_AUTHOR = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];

/** A folder with what the example finds below its root. */
function makeRoot({ files = {}, repository = false }: ExampleRun): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wavepoint-reference-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  if (repository) {
    execFileSync("git", ["init", "--quiet", root]);
    execFileSync("git", [...GIT_AUTHOR, "commit", "--quiet", "--allow-empty", "--message", "Start"], { cwd: root });
  }
  return root;
}

/** A service that answers everything alike. */
function serviceThatAnswers(response: unknown): Network {
  const text = JSON.stringify(response);
  return { request: async ({ url }) => ({ status: 200, headers: {}, body: new TextEncoder().encode(text), text, url }) };
}

async function runExample(type: string): Promise<Values | undefined> {
  const { text, called, run: given } = readExample(type);
  const root = makeRoot(given);
  const executor = createExecutor({
    store: memoryStore(),
    workflows: [text, ...called].map((source) => loadWorkflow(source)),
    grants: { files: nodeFiles({ root }), shell: nodeShell({ root }), network: serviceThatAnswers(given.response) },
    secrets: () => "a token of the reader",
    // Commands take real time.
    ...((given.files ?? given.repository) ? {} : { host: fakeHost({ autoAdvance: true, startAt: START_AT }) }),
  });
  const run = await executor.start(loadWorkflow(text).name);
  for (let result = await run.settled(); result.status === "paused";) {
    const { id, path } = result.pauses[0]!;
    const answer = given.answers?.[path[0]!];
    if (answer === undefined) throw new Error(`Nobody said what to answer to ${path[0]}.`);
    result = await run.answer(id, answer);
  }
  await executor.close();
  const { error, outputs } = run.getSnapshot();
  expect(error).toBeUndefined();
  return outputs;
}

const types = BLOCK_GROUPS.flatMap((group) => group.types);

test("there are examples", () => {
  expect(types.length).toBeGreaterThan(15);
});

describe.skipIf(process.platform === "win32")("the example gives what the reference says", () => {
  test.each(types)("of %s", { timeout: 30_000 }, async (type) => {
    expect(await runExample(type)).toEqual(readExample(type).run.outputs);
  });
});

test.each(types)("the example of %s has a block of that type", (type) => {
  expect(loadWorkflow(readExample(type).text, { blocks: builtinBlocks }).blocks.map((block) => block.type)).toContain(type);
});
