import { show, startAsking } from "../../support/page-elements.ts";
import { expect, test } from "vitest";
import type { JsonSchema, Question, Value } from "wavepoint";

/** So many times as much stands in the one large question as in each of the small ones that take the same time together. */
const TIMES = 10;
/** One large question may take this many times as long as its parts: quadratic drawing takes ten times as long. */
const MOST = 3;
/**
 * WebKit looks for the place of each control from the beginning of its form, so that many of them take quadratic time in any program: 3,200
 * inputs with a button each 1,200 ms in a form and 30 beside one. Items are what has most nodes before them: 200 take 70 ms, 3,200 eight seconds.
 */
const IS_WEBKIT = /AppleWebKit/.test(navigator.userAgent) && !/Chrome/.test(navigator.userAgent);
const ROUNDS = { least: 5, most: 40 };

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const texts = (count: number): readonly string[] => numbers(count).map((i) => `choice ${i}`);
const inForm = (schema: JsonSchema, prefill?: Value): Question => ({
  prompt: "?",
  schema: { type: "object", properties: { it: schema }, required: ["it"] },
  ...(prefill === undefined ? {} : { prefill: { it: prefill } }),
});

/** How long some drawings of a question take, one after another, until they stand in the page, before the browser lays them out. */
async function timeOf(question: Question, isDrawn: (element: HTMLElement) => boolean, drawings: number): Promise<number> {
  const elements = Array.from({ length: drawings }, () => show("wavepoint-prompt", {}));
  const runs = [];
  for (const _ of elements) runs.push((await startAsking({ first: question })).run);
  // An element draws itself in the next microtask: nothing may be awaited between here and the drawing.
  for (const [i, element] of elements.entries()) element.run = runs[i];
  const start = performance.now();
  for (const element of elements) element.draw();
  const took = performance.now() - start;
  expect(elements.every(isDrawn)).toBe(true);
  for (const element of elements) element.remove();
  return took;
}

/**
 * Both sides draw as much, so that a busy machine and a collection of garbage delay both alike. The least times of some rounds; of more, as long as
 * they are too far apart: what delays a drawing does not delay all of them, and what is quadratic stays so.
 */
async function ratio(ask: (count: number) => Question, drawn: string, least: number): Promise<number> {
  const counts = (count: number) => (element: HTMLElement) => element.querySelectorAll(drawn).length >= count;
  let few = Infinity;
  let many = Infinity;
  for (let round = 0; round < ROUNDS.least || (round < ROUNDS.most && many / few >= MOST); round += 1) {
    few = Math.min(few, await timeOf(ask(least), counts(least), TIMES));
    many = Math.min(many, await timeOf(ask(least * TIMES), counts(least * TIMES), 1));
  }
  return many / few;
}

type Drawing = readonly [what: string, ask: (count: number) => Question, drawn: string, least: number];
const ITEMS: Drawing = ["items of a list", (n) => inForm({ type: "array", items: { type: "string" } }, texts(n)), "[part~=item]", 200];

/** Controls of lists come with the first question that wants them; here they are to be drawn at once. */
async function loadControls(): Promise<void> {
  const { run } = await startAsking({ first: ITEMS[1](1) });
  const element = show("wavepoint-prompt", { run });
  await expect.poll(() => element.querySelector("[part~=item]")).not.toBeNull();
}

test.each<Drawing>([
  ["boxes", (n) => inForm({ type: "array", items: { enum: texts(n) } }), "input[type=checkbox]", 100],
  ["chosen boxes", (n) => inForm({ type: "array", items: { enum: texts(n) } }, texts(n)), "input:checked", 100],
  ...(IS_WEBKIT ? [] : [ITEMS]),
  [
    "fields",
    (n) => inForm({ type: "object", properties: Object.fromEntries(numbers(n).map((i) => [`field${i}`, { type: "string" }])) }),
    "input",
    200,
  ],
])("S7: drawing %s takes time in proportion to their number", { timeout: 120_000 }, async (_, ask, drawn, least) => {
  await loadControls();
  expect(await ratio(ask, drawn, least)).toBeLessThan(MOST);
});
