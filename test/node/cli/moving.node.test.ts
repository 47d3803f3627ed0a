import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { checkWorkflow } from "../../../src/yaml/index.ts";
import type { PersonAnswer } from "../../../src/node/cli/terminal.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;
let trip: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-moving-"));
  trip = join(directory, "trip.yaml");
  writeFileSync(
    trip,
    `name: trip
inputs: { days: { type: integer, default: 3 } }
blocks:
  - { id: where, type: GetInput, inputs: { prompt: Where to? } }
  - { id: sure, type: ConfirmOperation, inputs: { message: "\${blocks.where.input_value} for \${inputs.days} days?" }, depends_on: [where] }
outputs: { where: "\${blocks.where.input_value}", sure: "\${blocks.sure.confirmed}", days: "\${inputs.days}" }
`,
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

async function call(
  args: readonly string[],
  { store = "home", answers }: { readonly store?: string; readonly answers?: readonly PersonAnswer[] } = {},
) {
  const terminal = recordedTerminal(answers);
  const code = await runCommandLine([...args, "--store", join(directory, store)], terminal);
  return { code, ...terminal.written, asked: terminal.asked.map(({ kind, text }) => `${kind}: ${text}`) };
}

/** A run that waits for its second answer, with the ids of both pauses. */
async function started(store = "home") {
  const { out } = await call(["run", trip, "--json"], { store });
  const { run, pauses } = JSON.parse(out) as { readonly run: string; readonly pauses: readonly { readonly id: string }[] };
  const second = await call(["resume", pauses[0]!.id, "Rome", "--json"], { store });
  const { pauses: open } = JSON.parse(second.out) as { readonly pauses: readonly { readonly id: string }[] };
  return { run, first: pauses[0]!.id, second: open[0]!.id };
}

describe("a run on the command line", () => {
  test("is exported to standard output or to a file that only its owner reads, and imported elsewhere", async () => {
    const { run, second } = await started();
    const printed = await call(["export", run]);
    expect([printed.code, printed.err]).toEqual([0, ""]);
    const file = join(directory, "a.run");
    const written = await call(["export", run, "--output", file]);
    expect([written.code, written.out]).toEqual([0, ""]);
    expect(readFileSync(file, "utf8")).toBe(printed.out);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const imported = await call(["import", file], { store: "away" });
    expect(imported.code).toBe(0);
    expect(imported.err).toContain(`Imported run ${run} of trip: paused.`);
    expect(imported.err).toContain("--workflows");
    const untrusted = await call(["resume", second, "yes"], { store: "away" });
    expect([untrusted.code, untrusted.out]).toEqual([2, ""]);
    expect(untrusted.err).toContain("DEFINITION_UNTRUSTED");
    const resumed = await call(["resume", second, "yes", "--workflows", trip], { store: "away" });
    expect(resumed.code).toBe(0);
    expect(resumed.out).toContain("where: Rome");
  });

  test("goes on with the workflow in the file where that is accepted", async () => {
    const { run, second } = await started();
    const file = join(directory, "b.run");
    await call(["export", run, "--output", file]);
    const imported = await call(["import", file, "--accept", "--json"], { store: "b" });
    expect(JSON.parse(imported.out)).toMatchObject({ run, status: "paused" });
    expect((await call(["resume", second, "no"], { store: "b" })).code).toBe(0);
  });

  test("is handed over: here it says where it went, there it goes on, and it comes back", async () => {
    const { run, second } = await started("from");
    const file = join(directory, "c.run");
    const missing = await call(["transfer", run], { store: "from" });
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("--to PLACE")]);
    expect((await call(["transfer", run, "--to", "the office", "--output", file], { store: "from" })).code).toBe(0);
    const refused = await call(["resume", second, "yes"], { store: "from" });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("the office");
    expect((await call(["show", run], { store: "from" })).out).toMatch(/^Handed over to\s+the office$/m);
    await call(["import", file], { store: "office" });
    expect((await call(["resume", second, "yes", "--workflows", trip], { store: "office" })).code).toBe(0);
    const back = join(directory, "d.run");
    await call(["transfer", run, "--to", "home", "--output", back], { store: "office" });
    expect((await call(["import", back], { store: "from" })).err).toContain("completed");
  });

  test("is sealed with the passphrase of the environment, or of the person at the terminal", async () => {
    const { run } = await started();
    const file = join(directory, "e.run");
    vi.stubEnv("WAVEPOINT_PASSPHRASE", "open sesame");
    expect((await call(["export", run, "--passphrase", "--output", file])).code).toBe(0);
    vi.stubEnv("WAVEPOINT_PASSPHRASE", "");
    expect(readFileSync(file, "utf8")).not.toContain(run);
    const unasked = await call(["import", file], { store: "e" });
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining("WAVEPOINT_PASSPHRASE")]);
    const wrong = await call(["import", file], { store: "e", answers: ["Open sesame"] });
    expect([wrong.code, wrong.asked]).toEqual([2, ["secret: The passphrase of the file"]]);
    expect((await call(["import", file], { store: "e", answers: ["open sesame"] })).code).toBe(0);

    const typed = await call(["export", run, "--passphrase"], { answers: ["one", "other"] });
    expect([typed.code, typed.out]).toEqual([2, ""]);
    expect((await call(["export", run, "--passphrase"], { answers: ["one", "one"] })).out).toContain('"sealed"');
  });

  test("is not taken from a file that was changed, and nothing is left of one that cannot be written", async () => {
    const { run } = await started();
    const file = join(directory, "f.run");
    await call(["export", run, "--output", file]);
    writeFileSync(file, readFileSync(file, "utf8").replace("Rome", "Roma"));
    const changed = await call(["import", file, "--json"], { store: "f" });
    expect(changed.code).toBe(2);
    expect(JSON.parse(changed.out)).toMatchObject({ status: "error", error: { code: "RUN_FILE_INVALID" } });
    const nowhere = await call(["export", run, "--output", join(directory, "no", "such.run")]);
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("cannot be written")]);
  });
});

describe("another way to go", () => {
  test("is a fork, with other answers and other inputs", async () => {
    const { run, first, second } = await started("fork");
    const forked = await call(["fork", second, "--answer", `${second}=no`, "--json"], { store: "fork" });
    expect(forked.code).toBe(0);
    expect(JSON.parse(forked.out)).toMatchObject({ status: "completed", outputs: { where: "Rome", sure: false, days: 3 } });
    const longer = await call(["fork", second, "--input", "days=14"], { store: "fork", answers: [true] });
    expect([longer.code, longer.asked]).toEqual([0, ["confirm: Rome for 14 days?"]]);
    expect(longer.out).toContain("days: 14");
    expect((JSON.parse((await call(["show", run, "--json"], { store: "fork" })).out) as { readonly status: string }).status).toBe("paused");
    const wrong = await call(["fork", run], { store: "fork" });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("is no checkpoint")]);
    const shapeless = await call(["fork", first, "--answer", "yes"], { store: "fork" });
    expect([shapeless.code, shapeless.err]).toEqual([2, expect.stringContaining("--answer pause_…=ANSWER")]);
  });

  test("begins at a block, with outputs that it is given", async () => {
    const { second } = await started("start");
    const given = '{"where": {"input_value": "Oslo"}}';
    const forked = await call(["fork", second, "--start-at", "sure", "--outputs", given], { store: "start", answers: [true] });
    expect([forked.code, forked.asked]).toEqual([0, ["confirm: Oslo for 3 days?"]]);
    const id = /Run (run_\S+) of trip, forked/.exec(forked.out + forked.err)![1]!;
    expect((await call(["show", id], { store: "start" })).out).toMatch(/where .*given to the fork, not executed$/m);
    const file = join(directory, "outputs.json");
    writeFileSync(file, given);
    const read = await call(["fork", second, "--start-at", "sure", "--outputs", file], { store: "start", answers: [true] });
    expect(read.out).toContain("where: Oslo");
    const shapeless = await call(["fork", second, "--start-at", "sure", "--outputs", "{where"], { store: "start" });
    expect([shapeless.code, shapeless.err]).toEqual([2, expect.stringContaining("--outputs holds no readable JSON")]);
    const unknown = await call(["fork", second, "--start-at", "shure"], { store: "start" });
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('no block "shure"')]);
  });

  test("is a revision, after a look at what it would do", async () => {
    const { run, first } = await started("revise");
    const preview = await call(["revise", first, "Oslo", "--preview", "--json"], { store: "revise" });
    expect(JSON.parse(preview.out)).toMatchObject({ asked: ["sure"] });
    const told = await call(["revise", first, "Oslo", "--preview"], { store: "revise" });
    expect([told.code, told.out]).toEqual([0, expect.stringMatching(/^Asked\s+sure$/m)]);
    const revised = await call(["revise", first, "Oslo"], { store: "revise", answers: [true] });
    expect(revised.code).toBe(0);
    expect(revised.asked).toEqual(["confirm: Oslo for 3 days?"]);
    expect(revised.out).toContain("where: Oslo");
    const shown = JSON.parse((await call(["show", run, "--json"], { store: "revise" })).out) as {
      readonly checkpoints: readonly { readonly id: string }[];
    };
    expect(shown).toMatchObject({ status: "completed", outputs: { where: "Oslo" } });
    expect(JSON.parse((await call(["runs", "--json"], { store: "revise" })).out)).toHaveProperty("runs.length", 1);
    const late = await call(["revise", first, "Bergen", "--json"], { store: "revise" });
    expect([late.code, JSON.parse(late.out)]).toMatchObject([2, { error: { code: "RUN_ENDED" } }]);
    const fork = await call(["fork", shown.checkpoints[0]!.id, "--revise", `${first}=Bergen`], { store: "revise", answers: [true] });
    expect([fork.code, fork.out]).toEqual([0, expect.stringContaining("where: Bergen")]);
    const wrong = await call(["revise", run, "Oslo"], { store: "revise" });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("is no pause")]);
  });
});

describe("upkeep", () => {
  test("removes what is old and keeps what waits", async () => {
    const { run, second } = await started("old");
    await call(["resume", second, "yes"], { store: "old" });
    await started("old");
    const young = await call(["cleanup", "--older-than", "1h", "--json"], { store: "old" });
    expect(JSON.parse(young.out)).toMatchObject({ runs: 0, done: true });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7_200_000 });
    const old = await call(["cleanup", "--older-than", "1h"], { store: "old" });
    vi.useRealTimers();
    expect([old.code, old.err]).toEqual([0, expect.stringContaining("Removed: runs 1,")]);
    expect((await call(["show", run], { store: "old" })).code).toBe(2);
    expect((await call(["runs"], { store: "old" })).out).toContain("paused");
  });

  test.each([
    [["--older-than", "soon"], "--older-than wants a length of time"],
    [["--older-than", "0s"], "--older-than wants a length of time"],
    [["--keep", "few"], "--keep wants a whole number from 1"],
  ])("%j is refused", async (args, message) => {
    const { code, err } = await call(["cleanup", ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("tells what the store holds", async () => {
    await started("figures");
    const { code, out } = await call(["metrics"], { store: "figures" });
    expect(code).toBe(0);
    expect(out).toMatch(/^Runs\s+1\s+1 paused$/m);
    expect(out).toMatch(/^Checkpoints\s+\d+\s+\d+ of questions, \d+ automatic, \d+ asked for$/m);
    expect(out).toMatch(/^Workflow trip\s+1 run, \d+ checkpoints$/m);
    const figures: unknown = JSON.parse((await call(["metrics", "--json"], { store: "figures" })).out);
    expect(figures).toMatchObject({ runs: 1, runsByStatus: { paused: 1 }, byWorkflow: { trip: { runs: 1 } } });
  });
});

describe("many runs on the command line", () => {
  test("are counted, exported and cancelled by a filter", async () => {
    const runs = [await started("many"), await started("many")].map(({ run }) => run);
    const counted = await call(["bulk", "cancel", "--status", "paused", "--dry-run"], { store: "many" });
    expect([counted.code, counted.err]).toEqual([0, "2 runs would be cancelled.\n"]);
    const to = join(directory, "files");
    expect(await call(["bulk", "export", "--workflow", "trip", "--to", to], { store: "many" })).toMatchObject({ code: 0 });
    for (const run of runs) expect(statSync(join(to, `${run}.run`)).mode & 0o777).toBe(0o600);
    const cancelled = await call(["bulk", "cancel", "--status", "paused", "--json"], { store: "many" });
    expect([cancelled.code, JSON.parse(cancelled.out)]).toEqual([0, { total: 2, done: 2, skipped: 0, failed: [] }]);
    const deleted = await call(["bulk", "delete", "--older-than", "1d"], { store: "many" });
    expect(deleted.err).toContain("0 of 0 runs are deleted.");
    expect(await call(["bulk", "burn"], { store: "many" })).toMatchObject({ code: 2 });
    expect(await call(["bulk", "export"], { store: "many" })).toMatchObject({ code: 2 });
  });
});

test("a whole store is copied on the command line, and its runs go on there", async () => {
  const { second } = await started("first");
  const [from, to] = [join(directory, "first"), join(directory, "second")];
  const terminal = recordedTerminal();
  expect(await runCommandLine(["copy", from, to], terminal)).toBe(0);
  expect(terminal.written.err).toBe("1 run copied, 0 were there, 0 failed.\n");
  const again = recordedTerminal();
  expect(await runCommandLine(["copy", from, to, "--json"], again)).toBe(0);
  expect(JSON.parse(again.written.out)).toEqual({ copied: 0, unchanged: 1, failed: [] });
  expect(await call(["resume", second, "yes"], { store: "second" })).toMatchObject({ code: 0 });
  expect(await runCommandLine(["copy", from, to], recordedTerminal())).toBe(1);
});

describe("a form of another tool on the command line", () => {
  const survey = {
    title: "Feedback",
    elements: [
      { type: "comment", name: "why", title: "Why?" },
      { type: "expression", name: "sum" },
    ],
  };

  test("is printed as a workflow, with what was left out beside it, and that workflow is sound", async () => {
    const file = join(directory, "survey.json");
    writeFileSync(file, JSON.stringify(survey));
    const { code, out, err } = await call(["import", file]);
    expect(code).toBe(0);
    expect(out).toContain("title: Why?");
    expect(err).toContain("/elements/1: A value that is worked out is a Compute block after the page.");
    expect((await checkWorkflow(out)).problems).toEqual([]);
    const { format, notes } = JSON.parse((await call(["import", file, "--json"])).out) as { format: string; notes: unknown[] };
    expect([format, notes.length]).toEqual(["surveyjs", 1]);
  });

  test("is read with the byte order mark that some editors put before it", async () => {
    const file = join(directory, "marked.json");
    writeFileSync(file, `\uFEFF${JSON.stringify(survey)}`);
    expect((await call(["import", file])).code).toBe(0);
  });

  test("says which forms there are where it is another one", async () => {
    const file = join(directory, "other.json");
    writeFileSync(file, JSON.stringify({ form: { questions: [] } }));
    const { code, err } = await call(["import", file]);
    expect(code).toBe(2);
    expect(err).toContain("FORM_UNKNOWN");
    expect(err).toContain("SurveyJS");
  });
});

test("a store to be copied that holds no runs is named: its address may be misspelt", async () => {
  const terminal = recordedTerminal();
  const from = join(directory, "nowhere");
  expect(await runCommandLine(["copy", from, join(directory, "target")], terminal)).toBe(0);
  expect(terminal.written.err).toBe(`${from} holds no runs.\n`);
});
