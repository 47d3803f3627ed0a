import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createExecutor, type Grants, type Run } from "wavepoint";
import { allowHosts } from "wavepoint/network";
import { nodeFiles, nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../src/node/cli/commands/run.ts";
import { parseCall } from "../../src/node/cli/parse-call.ts";
import { readInputs } from "../../src/node/cli/run-inputs.ts";
import { EXPECTED_RUNS, expectOutputs, type ExpectedRun } from "./expected-runs.ts";
import { openExample } from "./open-example.ts";
import { exampleFolders, isRun, readmeLines, type ReadmeLine } from "./readme-lines.ts";

const runs = exampleFolders().flatMap((folder) =>
  readmeLines(folder)
    .filter(isRun)
    .map((line, place) => ({ folder, line, place, expected: EXPECTED_RUNS[folder]?.[place] })),
);

test("every README shows runs, and each of them is tried", () => {
  expect(exampleFolders().length).toBeGreaterThan(10);
  const shown = exampleFolders().map((folder) => [folder, runs.filter((run) => run.folder === folder).length]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(Object.entries(EXPECTED_RUNS).map(([folder, of]) => [folder, of.length])));
});

/** What the options of the line allow, as a program grants it. */
function grantsOf(home: string, values: (option: string) => readonly string[]): Grants {
  const [files] = values("allow-files");
  const [shell] = values("allow-shell");
  const hosts = values("allow-host");
  return {
    ...(files === undefined ? {} : { files: nodeFiles({ root: join(home, files) }) }),
    ...(shell === undefined ? {} : { shell: nodeShell({ root: join(home, shell) }) }),
    ...(hosts.length === 0 ? {} : { network: allowHosts(hosts) }),
  };
}

/** Answers what is asked until nothing is. */
async function answerAll(run: Run, { answers = {} }: ExpectedRun): Promise<Run> {
  for (let result = await run.settled(); result.status === "paused";) {
    const { id, path } = result.pauses[0]!;
    const answer = answers[path.at(-1)!];
    if (answer === undefined) throw new Error(`There is no answer for ${path.join("/")}.`);
    result = await run.answer(id, answer);
  }
  return run;
}

async function runExample(home: string, line: ReadmeLine, expected: ExpectedRun): Promise<Run> {
  const call = parseCall(runCommand, line.words.slice(2));
  const file = call.places[0]!;
  const texts = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yaml"));
  const workflows = texts.map((path) => ({ path, workflow: loadWorkflow(readFileSync(join(home, path), "utf8"), { source: path }) }));
  const { workflow } = workflows.find(({ path }) => path === file)!;
  const executor = createExecutor({
    store: memoryStore(),
    workflows: workflows.map(({ workflow: one }) => one),
    grants: grantsOf(home, call.values),
    secrets: (name) => line.environment[`WAVEPOINT_SECRET_${name}`],
  });
  const secrets = Object.entries(workflow.inputs ?? {}).flatMap(([name, { secret }]) =>
    secret ? [[name, line.environment[`WAVEPOINT_SECRET_${name}`]!] as const] : [],
  );
  const inputs = readInputs(workflow, { file: undefined, pairs: call.values("input") });
  const run = await answerAll(await executor.start(workflow.name, { ...inputs, ...Object.fromEntries(secrets) }), expected);
  await executor.close();
  return run;
}

describe.skipIf(process.platform === "win32")("by the library", () => {
  test.each(runs)("$folder: $line.text", { timeout: 60_000 }, async ({ folder, place, expected }) => {
    const example = await openExample(folder);
    onTestFinished(example.close);
    const run = await runExample(example.path, example.lines.filter(isRun)[place]!, expected!);
    const { outputs, error } = run.getSnapshot();
    expect(error).toBeUndefined();
    expectOutputs(outputs, expected!);
  });
});
