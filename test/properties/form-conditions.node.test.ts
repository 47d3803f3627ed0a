import fc from "fast-check";
import { beforeAll, expect, test, vi } from "vitest";
import { createExecutor, type JsonSchema, type Run, type Values } from "wavepoint";
import { createPauseForm } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { readySchema } from "../../src/core/expression/ready-schema.ts";
import { judgeForm } from "./naive-form.ts";
import { answersTo, forms, schemaOfForm } from "./random-form.ts";

const RUNS = { numRuns: process.env["WAVEPOINT_LONG"] === undefined ? 80 : 5_000 };

async function ask(schema: JsonSchema): Promise<{ readonly run: Run; readonly pause: string }> {
  const inputs = { prompt: "What happened?", schema: schema as unknown as Values };
  const run = await createExecutor({ store: memoryStore() }).start({
    name: "claim",
    blocks: [{ id: "claim", type: "Form", inputs }],
  });
  const { pauses, error } = await run.settled();
  expect(error).toBeUndefined();
  return { run, pause: pauses![0]!.id };
}

// What evaluates conditions is loaded with the first form that has some.
beforeAll(async () => {
  const properties = { a: { type: "boolean", default: true }, b: { type: "boolean", showIf: "${fields.a} == true" } } as const;
  const { run, pause } = await ask({ type: "object", properties });
  const form = createPauseForm(run, pause);
  await vi.waitUntil(() => form.getSnapshot().conditions?.hidden.size === 0, { timeout: 30_000 });
});

test("what is shown and wrong while someone types is what is asked and checked on answering, and what is hidden is never stored", async () => {
  const seen = { hidden: 0, refused: 0, taken: 0, rules: 0 };
  const asked = forms.chain((form) => fc.tuple(fc.constant(form), answersTo(form)));
  await fc.assert(
    fc.asyncProperty(asked, async ([level, answer]) => {
      const expected = judgeForm(level, answer);
      const { run, pause } = await ask(schemaOfForm(level));
      const form = createPauseForm(run, pause);
      form.saveDraft(answer);
      const { conditions, pause: shown } = form.getSnapshot();
      const places = (errors: readonly { readonly instancePath: string; readonly code: string }[] = []): readonly string[] =>
        errors.map(({ instancePath, code }) => `${instancePath} ${code}`).toSorted();
      const wrong = places(expected.problems);
      const typed = (await readySchema(shown!.schema)).check(answer, { formats: true });
      expect([...typed.hidden].toSorted()).toEqual([...expected.hidden].toSorted());
      expect(places(typed.problems)).toEqual(wrong);
      expect([...(conditions?.hidden ?? [])].toSorted()).toEqual([...expected.hidden].toSorted());
      expect(places(conditions?.broken)).toEqual(wrong.filter((place) => place.endsWith(" rule")));

      const result = await form.answer(answer);
      expect(places(form.getSnapshot().fieldErrors)).toEqual(wrong);
      expect(result.status).toBe(wrong.length > 0 ? "failure" : "success");
      const [item] = await run.answers();
      expect(item?.answer).toEqual(wrong.length > 0 ? undefined : expected.kept);

      if (expected.hidden.size > 0) seen.hidden++;
      if (wrong.some((place) => place.endsWith(" rule"))) seen.rules++;
      if (wrong.length > 0) seen.refused++;
      else seen.taken++;
    }),
    RUNS,
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});
