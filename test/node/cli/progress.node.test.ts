import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { showProgress } from "../../../src/node/cli/progress.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

const flow: Workflow = {
  name: "flow",
  blocks: [
    { id: "slow", type: "EchoBlock", inputs: { message: "s", delay_ms: 1_500 } },
    { id: "ask", type: "ConfirmOperation", inputs: { message: "Go?" } },
    { id: "never", type: "EchoBlock", dependsOn: ["ask"], condition: "false", inputs: { message: "n" } },
    { id: "after", type: "EchoBlock", dependsOn: ["never"], inputs: { message: "a" } },
  ],
};

const start = () => createExecutor({ store: memoryStore(), workflows: [flow], host: fakeHost({ autoAdvance: true }) }).start("flow");

test("names each block once it has settled, under its wave, with time and reason", async () => {
  const run = await start();
  const terminal = recordedTerminal();
  const progress = showProgress(run, terminal);
  const { pauses } = await run.settled();
  await run.answer(pauses![0]!.id, "yes");
  progress.rest();
  progress.end();
  expect(terminal.written.err).toBe(
    [
      "Wave 1 of 3",
      "  ? ask (ConfirmOperation) asks",
      "  ✓ slow (EchoBlock) done, 1.5 s",
      "  ✓ ask (ConfirmOperation) done, 0 ms",
      "Wave 2 of 3",
      "  - never (EchoBlock) skipped: condition not met: false",
      "Wave 3 of 3",
      "  - after (EchoBlock) skipped: it depends on never, which was skipped",
      "",
    ].join("\n"),
  );
});

test("shows of a run that goes on only what is new", async () => {
  const run = await start();
  const { pauses } = await run.settled();
  const terminal = recordedTerminal();
  const progress = showProgress(run, terminal, { since: run.getSnapshot() });
  await run.answer(pauses![0]!.id, "yes");
  progress.rest();
  progress.end();
  expect(terminal.written.err).not.toContain("slow");
  expect(terminal.written.err).toContain("✓ ask");
});

test("names the running blocks on a last line of a terminal, and clears it", async () => {
  const run = await start();
  const { written, ...terminal } = recordedTerminal();
  const progress = showProgress(run, { ...terminal, err: { ...terminal.err, live: true } });
  await run.settled();
  progress.rest();
  progress.end();
  expect(written.err).toContain(" slow\r\u001b[2K");
  expect(written.err.endsWith("\n")).toBe(true);
});
