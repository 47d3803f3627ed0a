import { describe, expect, test } from "vitest";
import { executeWorkflowBlock as call } from "../../../src/core/blocks/execute-workflow.ts";
import type { RunResult } from "../../../src/core/model/result.ts";
import type { ChildResult } from "../../../src/core/ports/block.ts";
import { emptyStage, runBlock } from "./block-stage.ts";

const metadata = { executionTimeSeconds: 0.012, executionWaves: 1, totalBlocks: 3, completed: 3, failed: 0, skipped: 0 };

function child(result: RunResult): ChildResult {
  return { result, workflow: "kid", executionTimeMs: 12, totalBlocks: 3, executionWaves: 2 };
}

describe("ExecuteWorkflow", () => {
  test("gives the called workflow what it was given, and nothing else", async () => {
    const stage = emptyStage();
    await runBlock(
      call,
      { workflow: "kid", inputs: { a: 1 } },
      { stage, child: child({ status: "success", run: "run_2", metadata, outputs: {} }) },
    );
    await runBlock(call, { workflow: "kid" }, { stage, child: child({ status: "success", run: "run_2", metadata, outputs: {} }) });
    expect(stage.called).toEqual([
      ["kid", { a: 1 }],
      ["kid", {}],
    ]);
  });

  test("gives the outputs of the called workflow flat, with its figures", async () => {
    expect(
      await runBlock(call, { workflow: "kid" }, { child: child({ status: "success", run: "run_2", metadata, outputs: { pair: "x" } }) }),
    ).toEqual({
      status: "success",
      outputs: {
        pair: "x",
        success: true,
        workflow: "kid",
        workflow_name: "kid",
        execution_time_ms: 12,
        execution_time: 0.012,
        total_blocks: 3,
        execution_waves: 2,
      },
    });
  });

  test("leaves names to the called workflow that it declares itself", async () => {
    const figures = { workflow_name: "my", execution_time: 1, execution_waves: [] };
    const outputs = { success: false, workflow: "mine", execution_time_ms: null, total_blocks: "many", ...figures };
    expect(await runBlock(call, { workflow: "kid" }, { child: child({ status: "success", run: "run_2", metadata, outputs }) })).toEqual({
      status: "success",
      outputs,
    });
  });

  test("fails with the reason of the called workflow", async () => {
    const error = { code: "INPUT_INVALID", message: "what is required" } as const;
    expect(await runBlock(call, { workflow: "kid" }, { child: child({ status: "failure", run: "run_2", error }) })).toEqual({
      status: "failure",
      error: {
        code: "CHILD_FAILED",
        message: 'The workflow "kid" failed: what is required',
        details: { workflow: "kid", run: "run_2", code: "INPUT_INVALID" },
      },
    });
  });

  test("asks what the called workflow asks, each question with its place", async () => {
    const question = { prompt: "Name?", schema: { type: "string" }, metadata: { kind: "text" } } as const;
    const place = {
      askedAt: 0,
      allows: { decline: true, cancel: true, back: false, skip: false },
      progress: { answered: 0, remaining: { min: 2 } },
    };
    const result: RunResult = {
      status: "paused",
      run: "run_2",
      pauses: [
        { ...question, id: "pause_2.0", run: "run_2", path: ["ask"], type: "GetInput", ...place },
        { ...question, id: "pause_2.4", run: "run_2", path: ["deeper", "ask"], type: "AskChoice", ...place },
      ],
    };
    expect(await runBlock(call, { workflow: "kid" }, { child: child(result) })).toEqual({
      status: "paused",
      questions: [
        { ...question, child: { pause: 0, path: ["ask"], asks: "GetInput", declinable: true } },
        { ...question, child: { pause: 4, path: ["deeper", "ask"], asks: "AskChoice", declinable: true } },
      ],
    });
  });

  test("goes on after an answer the way it began", () => {
    expect(call.resume).toBe(call.execute);
  });

  test.each([
    [{}, "workflow is required"],
    [{ workflow: "kid", inputs: [] }, "inputs must be an object"],
    [{ workflow: "kid", timeout: 0 }, "timeout must be 0.001 or more"],
    [{ workflow: "kid", time: 5 }, "time is not known here; known are: workflow, inputs, timeout"],
  ])("refuses the inputs %j", async (inputs, problem) => {
    expect(await runBlock(call, inputs)).toBe(problem);
  });
});
