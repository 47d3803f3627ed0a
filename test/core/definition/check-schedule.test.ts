import { describe, expect, test } from "vitest";
import { Cron } from "croner";
import { createExecutor, type Schedule, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { ADVICE, checkDefinition } from "../../../src/core/definition/definition.ts";

function problemsOf(schedule: Schedule, inputs: Workflow["inputs"] = {}): readonly (readonly [string, string | undefined])[] {
  const workflow: Workflow = { name: "report", inputs, schedule, blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "x" } }] };
  return checkDefinition(workflow, { advice: ADVICE }).map(({ code, path }) => [code, path] as const);
}

test("a schedule is checked before a run starts, too", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const workflow: Workflow = {
    name: "report",
    schedule: { cron: "soon" },
    blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "x" } }],
  };
  await expect(executor.start(workflow)).rejects.toMatchObject({ code: "SCHEMA_INVALID", place: { path: "schedule.cron" } });
  await executor.close();
});

describe("cron", () => {
  test.each(["* * * * *", "0 9 * * MON-FRI", "*/15 0-6,20 1,15 jan *", "59 23 31 12 7", "0 0 1-7/2 * SUN"])("%s can be read", (cron) => {
    expect(problemsOf({ cron })).toEqual([]);
    expect(() => new Cron(cron, { mode: "5-part" })).not.toThrow();
  });

  test.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "@daily",
    "5-a * * * *",
    "*/0 * * * *",
  ])("%s is refused", (cron) => {
    expect(problemsOf({ cron })).toEqual([["SCHEMA_INVALID", "schedule.cron"]]);
  });
});

test("the time zone is one that there is", () => {
  expect(problemsOf({ cron: "* * * * *", timeZone: "Europe/Atlantis" })).toEqual([["SCHEMA_INVALID", "schedule.timeZone"]]);
});

describe("the inputs of a schedule", () => {
  const cron = "* * * * *";

  test("are declared, fit, and are all that is required", () => {
    const inputs = { at: { type: "string" }, count: { type: "integer" }, note: { type: "string", required: false } } as const;
    expect(problemsOf({ cron, timeInput: "at", inputs: { count: 1 } }, inputs)).toEqual([]);
    expect(problemsOf({ cron, timeInput: "at" }, inputs)).toEqual([["INPUT_INVALID", "schedule"]]);
    expect(problemsOf({ cron, timeInput: "at", inputs: { count: "many" } }, inputs)).toEqual([["INPUT_INVALID", "schedule"]]);
    expect(problemsOf({ cron, timeInput: "at", inputs: { count: 1, cuont: 2 } }, inputs)).toEqual([["INPUT_INVALID", "schedule"]]);
  });

  test("have a string for the time", () => {
    expect(problemsOf({ cron, timeInput: "at" }, { at: { type: "integer" } })).toEqual([["INPUT_INVALID", "schedule"]]);
    expect(problemsOf({ cron, timeInput: "at" })).toEqual([["INPUT_INVALID", "schedule"]]);
  });

  test("are no secrets, which come from the executor", () => {
    const inputs = { key: { type: "string", secret: true } } as const;
    expect(problemsOf({ cron }, inputs)).toEqual([]);
    expect(problemsOf({ cron, inputs: { key: "x" } }, inputs)).toEqual([["INPUT_INVALID", "schedule"]]);
  });
});
