import { expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { createQuestionDrafts } from "../../demo/question-drafts.ts";

const ask = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Your name?" } }] };

async function setUp() {
  const store = memoryStore();
  const run = await createExecutor({ store, workflows: [ask] }).start("ask");
  await run.settled();
  const problems: unknown[] = [];
  const makeDrafts = () => createQuestionDrafts({ run: () => run, onProblem: (thrown) => void problems.push(thrown) });
  return { store, run, drafts: makeDrafts(), makeDrafts, problems, pause: () => run.getSnapshot().pauses[0]! };
}

test("what is typed is shown at once and kept as it was typed last", async () => {
  const { drafts, makeDrafts, pause } = await setUp();
  for (const text of ["A", "Ad", "Ada"]) drafts.keep(pause(), text);
  expect(drafts.read(pause())).toBe("Ada");
  expect(drafts.isKept(pause())).toBe(false);
  await expect.poll(() => pause().draft).toBe("Ada");
  expect(drafts.isKept(pause())).toBe(true);
  const afterReload = makeDrafts();
  expect([afterReload.read(pause()), afterReload.isKept(pause())]).toEqual(["Ada", true]);
});

test("once the drafts are saved, whoever reads the store has them", async () => {
  const { store, run, drafts, pause } = await setUp();
  for (const text of ["A", "Ad", "Ada"]) drafts.keep(pause(), text);
  await drafts.saved();
  expect((await store.notes(run.id)).map(({ text }) => text)).toEqual(['"Ada"']);
});

test("an empty field keeps nothing", async () => {
  const { drafts, pause } = await setUp();
  drafts.keep(pause(), "A");
  await expect.poll(() => pause().draft).toBe("A");
  drafts.keep(pause(), "");
  await expect.poll(() => pause().draft).toBeUndefined();
  expect([drafts.read(pause()), drafts.isKept(pause())]).toEqual(["", false]);
});

test("an answer that was given before stands there until something else is typed", async () => {
  const { run, drafts, pause } = await setUp();
  await run.answer(pause().id, "Ada");
  const [asked] = (await run.back()).getSnapshot().pauses;
  expect(drafts.read(asked!)).toBe("Ada");
});

test("a draft that comes after the answer is no problem of anybody", async () => {
  const { run, drafts, problems, pause } = await setUp();
  const asked = pause();
  await run.answer(asked.id, "Ada");
  drafts.keep(asked, "Grace");
  await expect(run.saveDraft(asked.id, "Grace")).rejects.toMatchObject({ code: "PAUSE_ALREADY_ANSWERED" });
  expect(problems).toEqual([]);
});
