import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createExecutor, type Answer, type Network, type Value, type Values } from "wavepoint";
import { nodeFiles, nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { loadWorkflow } from "wavepoint/yaml";

/** What the world around an example is like. */
export interface ExampleWorld {
  readonly inputs?: Values;
  /** By the ids of the blocks that ask. */
  readonly answers?: { readonly [block: string]: Answer };
  /** Texts of the workflows it calls. */
  readonly called?: readonly string[];
  /** What lies below the root; scripts can be run. */
  readonly files?: { readonly [path: string]: string };
  /** Whether the root is a git repository. */
  readonly repository?: boolean;
  /** What services answer. Default: an empty object. */
  readonly response?: Value;
}

/** Minutes before the instants that examples wait for. */
const START_AT = Date.UTC(2026, 11, 24, 16, 59);

const GIT_AUTHOR = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];

/** Runs a workflow to its end, as its reader would, and gives its outputs. Throws where it fails. */
export async function runExample(text: string, world: ExampleWorld): Promise<Values> {
  const root = makeRoot(world);
  const workflow = loadWorkflow(text);
  const hasCommands = workflow.blocks.some(({ type }) => ["Shell", "CreateWorktree"].includes(type));
  const executor = createExecutor({
    store: memoryStore(),
    workflows: (world.called ?? []).map((other) => loadWorkflow(other)),
    grants: { files: nodeFiles({ root }), shell: nodeShell({ root }), network: serviceThatAnswers(world.response ?? {}) },
    secrets: () => "a token of the reader",
    // Commands take real time.
    ...(hasCommands ? {} : { host: fakeHost({ autoAdvance: true, startAt: START_AT }) }),
  });
  const run = await executor.start(workflow, world.inputs ?? {});
  for (let result = await run.settled(); result.status === "paused";) {
    const { id, path } = result.pauses[0]!;
    const answer = world.answers?.[path[0]!];
    if (answer === undefined) throw new Error(`There is no answer for ${path[0]}.`);
    result = await run.answer(id, answer);
  }
  await executor.close();
  const { error, outputs } = run.getSnapshot();
  if (error || !outputs) throw new Error(error?.message ?? "The run did not end.");
  return outputs;
}

function makeRoot({ files = {}, repository = false }: ExampleWorld): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wavepoint-documents-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  }
  if (repository) {
    execFileSync("git", ["init", "--quiet", root]);
    execFileSync("git", [...GIT_AUTHOR, "commit", "--quiet", "--allow-empty", "--message", "Start"], { cwd: root });
  }
  return root;
}

/** Services that answer everything alike. */
function serviceThatAnswers(response: Value): Network {
  const text = JSON.stringify(response);
  return {
    request: async ({ url, method }) => ({
      status: method === "POST" ? 201 : 200,
      headers: {},
      body: new TextEncoder().encode(text),
      text,
      url,
    }),
  };
}
