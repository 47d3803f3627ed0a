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
