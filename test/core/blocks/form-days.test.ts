import { describe, expect, test } from "vitest";
import { createExecutor, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const DAY_MS = 86_400_000;
/** At noon of the time zone that this machine has. */
const NOON = new Date(2028, 1, 29, 12).getTime();

async function ask(fields: readonly Values[], startAt = NOON) {
  const host = fakeHost({ startAt });
  const run = await createExecutor({ store: memoryStore(), host }).start({
    name: "asker",
    blocks: [{ id: "form", type: "Form", inputs: { prompt: "?", fields } }],
    outputs: { all: "${blocks.form.outputs}" },
  });
  const result = await run.settled();
  if (result.status !== "paused") throw new Error(JSON.stringify(result.error));
  return { run, host, id: result.pauses[0]!.id };
}

async function problems(field: Values, value: string, startAt?: number): Promise<unknown> {
  const { run, id } = await ask([{ name: "it", ...field }], startAt);
  const { error } = await run.answer(id, { it: value });
  return error?.details?.["errors"];
}

describe("a limit of days", () => {
  test.each<[limit: string, last: string, over: string, startAt?: number]>([
    ["2028-03-05", "2028-03-05", "2028-03-06"],
    ["today", "2028-02-29", "2028-03-01"],
    ["today+1d", "2028-03-01", "2028-03-02"],
    ["today-2w", "2028-02-15", "2028-02-16"],
    ["today-1m", "2028-01-29", "2028-01-30"],
    ["today-18y", "2010-02-28", "2010-03-01"],
    // A shorter month ends earlier.
    ["today+1m", "2027-02-28", "2027-03-01", new Date(2027, 0, 31, 12).getTime()],
  ])("max: %s takes %s, and refuses %s", async (max, last, over, startAt) => {
    expect(await problems({ format: "date", max }, last, startAt)).toBeUndefined();
    expect(await problems({ format: "date", max }, over, startAt)).toEqual([
      { instancePath: "/it", code: "maxDate", message: `must be ${last} or earlier`, params: { limit: last } },
    ]);
  });

  test("min refuses what is before it, with the author's words where there are some", async () => {
    const field = { format: "date-time", min: "today", messages: { min: "Choose a time from today on." } };
    expect(await problems(field, "2028-02-29T00:00")).toBeUndefined();
    expect(await problems(field, "2028-02-28T23:59")).toMatchObject([{ code: "minDate", message: "Choose a time from today on." }]);
    expect(await problems(field, "soon")).toMatchObject([{ code: "format" }]);
  });

  test("counts from the day of the answer, not of the question", async () => {
    const { run, host, id } = await ask([{ name: "day", format: "date", min: "today" }]);
    await host.advance(2 * DAY_MS);
    expect((await run.answer(id, { day: "2028-02-29" })).error).toMatchObject({
      details: { fields: { day: "Enter 2028-03-02 or later." } },
    });
    expect((await run.answer(id, { day: "2028-03-02" })).outputs).toEqual({ all: { day: "2028-03-02" } });
  });

  test("that an answer kept when it was given is not broken by a later revision", async () => {
    const host = fakeHost({ startAt: NOON });
    const run = await createExecutor({ store: memoryStore(), host }).start({
      name: "asker",
      blocks: [
        { id: "who", type: "GetInput", inputs: { prompt: "Who?" } },
        {
          id: "when",
          type: "Form",
          dependsOn: ["who"],
          inputs: { prompt: "When, ${blocks.who.input_value}?", fields: [{ name: "day", format: "date", min: "today" }] },
        },
        { id: "sure", type: "GetInput", dependsOn: ["when"], inputs: { prompt: "Sure?" } },
      ],
      outputs: { day: "${blocks.when.day}" },
    });
    await run.settled();
    const [who] = run.getSnapshot().pauses;
    await run.answer(who!.id, "Ada");
    await run.answer(run.getSnapshot().pauses[0]!.id, { day: "2028-02-29" });
    await host.advance(2 * DAY_MS);
    await run.revise(who!.id, "Grace");
    expect(run.getSnapshot().pauses[0]!.earlier).toMatchObject({ response: { day: "2028-02-29" }, state: "needs_review" });
  });

  test.each<[Values, string]>([
    [{ min: "today" }, 'has a "min", a limit of days. Give it the format "date"'],
    [{ format: "month", max: "today" }, 'has a "max", a limit of days.'],
    [{ format: "date", min: "2026-02-30" }, 'has the "min" "2026-02-30". Write a day'],
    [{ format: "date", max: "tomorrow" }, 'has the "max" "tomorrow". Write a day'],
    [{ format: "date", max: "today+1000y" }, 'has the "max" "today+1000y". Write a day'],
    [{ type: "integer", min: "today" }, 'of type integer, for which "min" says nothing'],
    [{ unit: "kg" }, 'of type string, for which "unit" says nothing'],
  ])("is refused at load where it cannot be meant: %j", async (field, message) => {
    await expect(ask([{ name: "it", ...field }])).rejects.toThrow(message);
  });

  test("refuses a default beyond it at load, where it is a day; one counted from today counts when the answer comes", async () => {
    const field = { name: "it", format: "date", default: "2028-03-06" };
    await expect(ask([{ ...field, max: "2028-03-05" }])).rejects.toThrow(
      '"2028-03-06" of the field "it" does not fit the field: it must be 2028-0',
    );
    const schema = { properties: { it: { anyOf: [{ type: "string", maxLength: 3 }, { type: "integer" }], default: "long" } } };
    const started = createExecutor({ store: memoryStore() }).start({
      name: "a",
      blocks: [{ id: "form", type: "Form", inputs: { prompt: "?", schema } }],
    });
    await expect(started).rejects.toThrow('of the field "it" does not fit the field');
    await expect(ask([{ ...field, max: "today-1d" }])).resolves.toBeDefined();
  });

  test("in a schema is refused with what to write instead", async () => {
    const form = { prompt: "?", schema: { properties: { it: { type: "string", format: "date", maxDate: "now" } } } };
    const started = createExecutor({ store: memoryStore() }).start({ name: "a", blocks: [{ id: "form", type: "Form", inputs: form }] });
    await expect(started).rejects.toThrow("counted from today: today, today+30d");
  });
});

test("times and months are checked", async () => {
  expect(await problems({ format: "time" }, "23:59")).toBeUndefined();
  expect(await problems({ format: "time" }, "24:00")).toMatchObject([
    { code: "format", message: "must be a time of day, written as 14:30" },
  ]);
  expect(await problems({ format: "month" }, "2026-12")).toBeUndefined();
  expect(await problems({ format: "month" }, "2026-13")).toMatchObject([
    { code: "format", message: "must be a month, written as 2026-11" },
  ]);
});
