import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildCommand, type BuiltCommand, type Started } from "../node/cli/built-command.ts";
import { ERAS, type Era } from "./clients.ts";

/** Each client is a process, and so is each server over standard input and output: the short tier tries what differs most. */
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;

const RELEASE = `
name: release
blocks:
  - id: pack
    type: Wait
    inputs: { duration_ms: 300 }
  - id: sure
    type: ConfirmOperation
    depends_on: [pack]
    inputs: { message: Release?, operation: release }
  - id: note
    type: GetInput
    depends_on: [sure]
    inputs: { prompt: What is new? }
outputs:
  note: \${blocks.note.outputs.input_value}
`;
const SCRIPT = fileURLToPath(new URL("client-process.mjs", import.meta.url));

let command: BuiltCommand;
beforeAll(() => {
  command = buildCommand();
  command.write("release.yaml", RELEASE);
}, 120_000);
afterAll(() => command.remove());

const clients: ChildProcess[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.kill("SIGKILL");
});

interface Line {
  readonly connected?: true;
  readonly progress?: string;
  readonly asked?: string;
  readonly result?: {
    readonly checkpoint_id?: string;
    readonly runs?: readonly { readonly run_id: string; readonly pauses: readonly { readonly checkpoint_id: string }[] }[];
    readonly [name: string]: unknown;
  };
}

interface Task {
  readonly era: Era;
  readonly url?: string | undefined;
  readonly calls: readonly (readonly [tool: string, given: object])[];
  /** By the question. One that is not among them stays open on the screen. */
  readonly answers?: Readonly<Record<string, string>>;
}

/**
 * Starts a client, kills it as soon as it tells a line of this kind, and gives that. Resolves once no process holds what it writes errors to: neither the
 * client nor, over standard input and output, its server.
 */
async function killAt<Kind extends keyof Line>(kind: Kind, { url, ...task }: Task): Promise<NonNullable<Line[Kind]>> {
  const place =
    url === undefined ? { command: { args: [command.cli, "mcp", ".", "--store", `runs-${task.era}`], cwd: command.directory } } : { url };
  const client = spawn(process.execPath, [SCRIPT, JSON.stringify({ ...task, ...place })], { stdio: ["ignore", "pipe", "pipe"] });
  clients.push(client);
  let errors = "";
  client.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = new Promise((resolve) => client.once("close", resolve));
  for await (const text of createInterface(client.stdout)) {
    const { [kind]: told } = JSON.parse(text) as Line;
    if (told === undefined) continue;
    client.kill("SIGKILL");
    await ended;
    expect(errors).toBe("");
    return told;
  }
  throw new Error(`The client ended before it told "${kind}".\n${errors}`);
}

/** Kills a client at each step of a run; the next one goes on. */
async function releaseWith(run_id: string, era: Era, url?: string): Promise<void> {
  const start = ["execute_workflow", { workflow: "release", run_id }] as const;
  const next = <Kind extends keyof Line>(kind: Kind, more: Omit<Task, "era">) => killAt(kind, { era, url, ...more });
  if (IS_LONG) await next("connected", { calls: [] });
  await next("progress", { calls: [start] });
  // The same call again: it starts no second run.
  const asked = await next("asked", { calls: [start], answers: {} });
  expect(asked).toContain("Release?");
  const second = await next("asked", { calls: [start], answers: { [asked]: "yes" } });
  expect(second).toBe("What is new?");
  const { runs } = await next("result", { calls: [["list_runs", { status: "paused" }]] });
  expect(runs).toMatchObject([{ run_id: `run_${run_id}`, pauses: [{ prompt: "What is new?" }] }]);
  const answer = ["resume_workflow", { checkpoint_id: runs![0]!.pauses[0]!.checkpoint_id, llm_response: "All" }] as const;
  expect(await next("result", { calls: [answer] })).toMatchObject({ status: "success", outputs: { note: "All" } });
  if (IS_LONG) expect(await next("result", { calls: [answer] })).toMatchObject({ status: "success", outputs: { note: "All" } });
}

test.each(IS_LONG ? ERAS : ["2026" as const])(
  "D1 a client that is killed at each step leaves no server behind, and the next one goes on, in the protocol of %s",
  { timeout: 60_000 },
  (era) => releaseWith(`stdio-${era}`, era),
);

test("D1 over HTTP the server outlives clients that are killed at each step, in both protocols", { timeout: 60_000 }, async () => {
  const server: Started = command.start("mcp", ".", "--store", "runs-http", "--http", "0");
  const [greeting, url] = /Listening at (\S+)\n/.exec(await server.said("/mcp\n")) ?? [];
  for (const era of ERAS) await releaseWith(`http-${era}`, era, url);
  server.process.kill("SIGTERM");
  const { code, err } = await server.ended;
  expect(code).toBe(0);
  expect(err.trim()).toBe(greeting!.trim());
});
