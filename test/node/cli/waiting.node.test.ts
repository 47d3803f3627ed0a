import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCommand, type BuiltCommand } from "./built-command.ts";

let wavepoint: BuiltCommand;
beforeAll(() => {
  wavepoint = buildCommand();
}, 120_000);
afterAll(() => wavepoint.remove());

const workflow = (wait: string): string => `name: later
blocks:
  - { id: wait, type: Wait, inputs: ${wait} }
  - { id: after, type: EchoBlock, depends_on: [wait], inputs: { message: awake } }
outputs: { said: "\${blocks.after.echoed}" }
`;

describe("a workflow that waits", () => {
  test("is followed to its end, and the command ends with it", async () => {
    wavepoint.write("soon.yaml", workflow("{ duration_ms: 700 }"));
    const done = await wavepoint.run("run", "soon.yaml", "--json");
    expect(done.code).toBe(0);
    expect(JSON.parse(done.out)).toMatchObject({ status: "completed", outputs: { said: "awake" } });
  });

  test("says until when, stops when it is interrupted, and is gone on with", async () => {
    wavepoint.write("week.yaml", workflow("{ duration_ms: 604800000 }"));
    const started = wavepoint.start("run", "week.yaml");
    await started.said("wait");
    started.process.kill("SIGINT");
    const stopped = await started.ended;
    expect(stopped.err).toContain("wavepoint resume");
    const id = /run_[a-z0-9]+/.exec(stopped.err)![0];
    const shown = await wavepoint.run("show", id, "--json");
    expect(JSON.parse(shown.out)).toMatchObject({ status: "running" });
    const resumed = wavepoint.start("resume", id);
    await resumed.said("later");
    resumed.process.kill("SIGINT");
    expect((await resumed.ended).code).toBe(stopped.code);
  });
});

describe("a workflow that waits for an event", () => {
  const EVENT = `name: paid
blocks:
  - { id: wait, type: Wait, inputs: { event: payment } }
outputs: { amount: "\${blocks.wait.value.amount}" }
`;
  const begin = async (): Promise<string> => {
    wavepoint.write("paid.yaml", EVENT);
    const begun = await wavepoint.run("run", "paid.yaml", "--json");
    const { run, status } = JSON.parse(begun.out) as { readonly run: string; readonly status: string };
    expect(status).toBe("paused");
    return run;
  };

  test("goes on with the signal that a command sends, in another process", async () => {
    const run = await begin();
    const done = await wavepoint.run("signal", run, "payment", '{ "amount": 12 }', "--id", "evt_1", "--json");
    expect(done.code, done.err).toBe(0);
    expect(JSON.parse(done.out)).toMatchObject({ status: "completed", outputs: { amount: 12 } });
    const late = await wavepoint.run("signal", run, "payment", "late");
    expect(late.code).not.toBe(0);
    expect(late.err).toContain("RUN_ENDED");
  });

  test("is stopped for now, keeps a signal meanwhile, and goes on once it is resumed", async () => {
    const run = await begin();
    const stopped = await wavepoint.run("stop", run, "--json");
    expect(stopped.code, stopped.err).toBe(0);
    expect(JSON.parse(stopped.out)).toMatchObject({ status: "paused", reason: "stopped" });
    const kept = await wavepoint.run("signal", run, "payment", '{ "amount": 3 }', "--json");
    expect(JSON.parse(kept.out)).toMatchObject({ status: "paused", reason: "stopped" });
    const resumed = await wavepoint.run("resume", run, "--json");
    expect(JSON.parse(resumed.out)).toMatchObject({ status: "completed", outputs: { amount: 3 } });
    expect((await wavepoint.run("stop", run)).err).toContain("RUN_ENDED");
  });

  test("is gone on from in a conversation", async () => {
    const run = await begin();
    await wavepoint.run("signal", run, "payment", '{ "amount": 5 }');
    wavepoint.write(
      "thanks.yaml",
      'name: thanks\nblocks:\n  - { id: say, type: EchoBlock, inputs: { message: "${previous.outputs.amount} paid" } }\noutputs: { said: "${blocks.say.echoed}" }\n',
    );
    const after = await wavepoint.run("run", "thanks.yaml", "--after", run, "--json");
    expect(after.code, after.err).toBe(0);
    expect(JSON.parse(after.out)).toMatchObject({ status: "completed", outputs: { said: expect.stringContaining("5 paid") } });
    const missing = await wavepoint.run("run", "thanks.yaml", "--after", "run_none");
    expect(missing.err).toContain("RUN_NOT_FOUND");
  });
});
