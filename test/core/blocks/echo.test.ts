import { describe, expect, test } from "vitest";
import { echoBlock } from "../../../src/core/blocks/echo.ts";
import { emptyStage, runBlock } from "./block-stage.ts";

describe("EchoBlock", () => {
  test("gives its message back", async () => {
    expect(await runBlock(echoBlock, { message: "hello" })).toEqual({ status: "success", outputs: { echoed: "hello", success: true } });
  });

  test("does not wait unless it is asked to", async () => {
    const stage = emptyStage();
    await runBlock(echoBlock, { message: "now" }, { stage });
    expect(stage.slept).toEqual([]);
  });

  test("waits on the host's clock", async () => {
    const stage = emptyStage();
    await runBlock(echoBlock, { message: "later", delay_ms: 1_500 }, { stage });
    expect(stage.slept).toEqual([1_500]);
  });

  test("ends its waiting when the run is cancelled", async () => {
    const reason = new Error("cancelled");
    const stage = { ...emptyStage(), signal: AbortSignal.abort(reason) };
    expect(await runBlock(echoBlock, { message: "later", delay_ms: 1 }, { stage })).toHaveProperty("error.message", "cancelled");
  });

  test.each([
    [{}, "message is required"],
    [{ message: 1 }, "message must be a string"],
    [{ message: "m", delay_ms: -1 }, "delay_ms must be 0 or more"],
    [{ message: "m", delay_ms: 0.5 }, "delay_ms must be an integer"],
    [{ message: "m", delay_ms: 2_147_483_648 }, "delay_ms must be 2147483647 or less"],
    [{ message: "m", mesage: "m" }, "mesage is not known here; known are: message, delay_ms"],
  ])("refuses %j", async (inputs, problem) => {
    expect(await runBlock(echoBlock, inputs)).toBe(problem);
  });
});
