import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, clickTwice, keys, part, show, startAsking, textOf, untilQuiet, type Asked } from "../../support/page-elements.ts";
import { expect, onTestFinished, test } from "vitest";
import { createExecutor, defineBlock, success, type JsonSchema, type RunResult, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";

const heading = (element: Element) => textOf(part(element, "heading"));
const trip: Asked = {
  name: { prompt: "What is your name?" },
  wood: { prompt: "Which wood?", schema: { enum: ["Larch", "Oak"] } },
  sure: { prompt: "Build it?", schema: { type: "boolean" } },
};

const backButton = (element: Element) => [...element.querySelectorAll("button")].find((button) => textOf(button) === "Back")!;

async function begin(questions: Asked = trip) {
  const { run, executor } = await startAsking(questions);
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("What is your name?");
  const results: RunResult[] = [];
  element.addEventListener("wavepoint-settled", (event) => results.push((event as CustomEvent<{ result: RunResult }>).detail.result));
  return { run, executor, element, results };
}

test("a run is answered from start to finish with the keyboard, and the focus is on each new heading", async () => {
  const { element, results } = await begin();
  expect(document.activeElement).toBe(document.body);
  await keys("{Tab}Ada{Enter}");
  await expect.poll(() => heading(element)).toBe("Which wood?");
  expect(textOf(document.activeElement)).toBe("Which wood?");
  // Enter on a choice sends it. Back, which comes before what sends, is not pressed by it.
  await keys("{Tab} {Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("Build it?");
  await keys("{Tab}{Tab}{Tab}{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("Done");
  expect([...element.querySelectorAll("dd")].map(textOf)).toEqual(["Ada", "Larch", "Yes"]);
  await expect.poll(() => results.at(-1)?.status).toBe("success");
});

test("what came to nothing is not among the outcomes, and each file of a list can be saved", async () => {
  const files: JsonSchema = { type: "array", items: { type: "object", format: "file" } };
  const { run } = await startAsking({
    photos: { prompt: "Photos", schema: files },
    note: { prompt: "Note", schema: { type: ["string", "null"] } },
  });
  const element = show("wavepoint-run", { run });
  const [photos, note] = ["photos", "note"].map((block) => () => run.getSnapshot().pauses.find(({ path }) => path[0] === block)!.id);
  const photo = (name: string) => ({ name, type: "image/png", size: 1, bytes: new Uint8Array(1) });
  await run.answer(photos!(), [photo("a.png"), photo("b.png")]);
  await run.answer(note!(), null);
  await expect.poll(() => heading(element)).toBe("Done");
  expect([...element.querySelectorAll("dt")].map(textOf)).toEqual(["Photos"]);
  expect([...element.querySelectorAll("dd button")].map(textOf)).toEqual(["Save a.png (1 byte)", "Save b.png (1 byte)"]);
});

test("outcomes in outcomes have a name each, with words for the names that the workflow gives", async () => {
  const person = { name: "Ada", note: "", home_port: { town: "Oslo", quay: null }, tags: ["a", "b"] };
  const { run } = await startAsking({ crew_list: { prompt: "Who?", schema: { type: "array" } } });
  const element = show("wavepoint-run", { run });
  await run.answer(run.getSnapshot().pauses[0]!.id, [person, { name: "Bo", is_skipper: true }]);
  await expect.poll(() => heading(element)).toBe("Done");
  const told = (list: Element): unknown =>
    [...list.children].map((line) => {
      const [name, value] = line.children;
      const inner = value!.querySelector(":scope > dl");
      return [textOf(name), inner ? told(inner) : textOf(value)];
    });
  expect(told(part(element, "values")!)).toEqual([
    [
      "Crew list",
      [
        ["1", [["Name", "Ada"], ["Home port", [["Town", "Oslo"]]], ["Tags", "a, b"]]], // prettier-ignore
        ["2", [["Name", "Bo"], ["Is skipper", "Yes"]]], // prettier-ignore
      ],
    ],
  ]);
  // The members of each person stand apart, the persons of the list do not.
  const borders = [...element.querySelectorAll("dd > dl")].map((list) => getComputedStyle(list).borderInlineStartWidth);
  expect(borders).toEqual(["0px", "3px", "3px", "3px"]);
  // On paper lists are blocks: blanks of the template must not become empty lines.
  const spaces = [...element.querySelectorAll("dl")].map((list) => getComputedStyle(list).whiteSpaceCollapse);
  expect(new Set(spaces)).toEqual(new Set(["collapse"]));
  await assertAccessible(element);
});

test("outcomes have the titles and the texts that people read, in their language; an answer those of its field", async () => {
  const flow = loadWorkflow(`
name: lease
blocks:
  - id: tenant
    type: Form
    inputs:
      prompt: Who?
      fields:
        - { name: full_name, title: { en: Full name, ar: الاسم الكامل } }
        - { name: kind, title: { en: Flat, ar: الشقة }, enum: [{ value: s, title: { en: Small, ar: صغيرة } }] }
        - { name: area, title: { en: Area, ar: المساحة }, type: number, unit: { en: m², ar: م² } }
        - { name: begins, title: { en: From, ar: من }, format: date }
        - { name: people, title: { en: People, ar: الأشخاص }, type: array, fields: [{ name: age, title: { en: Age, ar: العمر }, type: integer }] }
outputs:
  customer_name: \${blocks.tenant.full_name}
  kind: \${blocks.tenant.kind}
  area: \${blocks.tenant.area}
  begins: \${blocks.tenant.begins}
  people: \${blocks.tenant.people}
  letter: { value: "For \${blocks.tenant.full_name}", title: { en: Your letter, ar: رسالتك } }
  other_one: Nothing
`);
  const run = await createExecutor({ store: memoryStore() }).start(flow);
  const { pauses } = await run.settled();
  await run.answer(pauses![0]!.id, { full_name: "Ada", kind: "s", area: 50, begins: "2026-11-21", people: [{ age: 8 }] });
  const lines = (element: Element) =>
    [...element.querySelectorAll("[part~=outcome] > dl > div")].map((line) => [...line.children].map((one) => textOf(one)!));
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("Done");
  expect(lines(element)).toEqual([
    ["Full name", "Ada"],
    ["Flat", "Small"],
    ["Area", "50 m²"],
    ["From", "November 21, 2026"],
    ["People", "1 Age 8"],
    ["Your letter", "For Ada"],
    ["Other one", "Nothing"],
  ]);
  const inArabic = document.body.appendChild(Object.assign(document.createElement("div"), { lang: "ar", dir: "rtl" }));
  onTestFinished(() => inArabic.remove());
  const other = show("wavepoint-run", { run }, { into: inArabic });
  await expect
    .poll(() => lines(other).map(([title]) => title))
    .toEqual(["الاسم الكامل", "الشقة", "المساحة", "من", "الأشخاص", "رسالتك", "Other one"]);
  expect(lines(other)[1]).toEqual(["الشقة", "صغيرة"]);
  expect(lines(other)[2]![1]).toContain("م²");
  await assertAccessible(element);
});

test("a run that asks nothing tells how many of its steps are done", async () => {
  const open: (() => void)[] = [];
  const wait = defineBlock({
    type: "Wait",
    execute: async () => {
      await new Promise<void>((resolve) => open.push(resolve));
      return success({});
    },
  });
  const blocks = [
    { id: "all", type: "Wait", forEach: [1, 2, 3] },
    { id: "last", type: "Wait", dependsOn: ["all"] },
  ];
  const run = await createExecutor({ store: memoryStore(), blocks: [wait] }).start({ name: "works", blocks });
  const element = show("wavepoint-run", { run });
  const told = () => textOf(part(element, "hint"));
  await expect.poll(() => open.length).toBe(3);
  // The items of a block are known once it has begun.
  await expect.poll(told).toBe("0 of 4 steps");
  open[0]!();
  open[1]!();
  await expect.poll(told).toBe("2 of 4 steps");
  const progress = element.querySelector("progress")!;
  expect([progress.value, progress.max, progress.getAttribute("aria-label")]).toEqual([2, 4, "Working…"]);
  open[2]!();
  await expect.poll(told).toBe("3 of 4 steps");
  await expect.poll(() => open.length).toBe(4);
  open[3]!();
  await expect.poll(() => heading(element)).toBe("Done");
});

test("a run with one question tells of no way", async () => {
  const { run } = await startAsking({ name: trip["name"]! });
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("What is your name?");
  expect(part(element, "progress")).toBeNull();
});

test("a file that a run gives can be saved, under its name and with its bytes", async () => {
  const write = defineBlock({
    type: "Write",
    async execute({ files }) {
      await files.write("report.txt", new TextEncoder().encode("hello"), { type: "text/html" });
      return success({});
    },
  });
  const flow: Workflow = {
    name: "gives",
    blocks: [{ id: "it", type: "Write" }],
    outputs: { report: '${blocks.it.files["report.txt"]}' },
  };
  const run = await createExecutor({ store: memoryStore(), blocks: [write] }).start(flow);
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("Done");
  const button = element.querySelector<HTMLButtonElement>("dd button")!;
  expect(textOf(button)).toBe("Save report.txt (5 bytes)");
  const made: Blob[] = [];
  const names: string[] = [];
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    made.push(blob as Blob);
    return "blob:none";
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    names.push(this.download);
  };
  await untilQuiet();
  button.click();
  URL.createObjectURL = createObjectURL;
  Reflect.deleteProperty(HTMLAnchorElement.prototype, "click");
  expect(names).toEqual(["report.txt"]);
  expect(await made[0]!.text()).toBe("hello");
});

test("progress is shown in words, as far as it is known", async () => {
  const { element } = await begin();
  expect(textOf(part(element, "progress-text"))).toBe("Question 1, then 2 more");
  await keys("{Tab}Ada{Enter}");
  await expect.poll(() => textOf(part(element, "progress-text"))).toBe("Question 2, then 1 more");
  expect(element.querySelector("progress")!.value).toBe(0.5);
  expect(textOf(part(element, "announcement"))).toBe("Question 2, then 1 more");
});

test("progress never reads nothing, and more questions than were known do not take it back", async () => {
  const share = () => element.querySelector("progress")!.value;
  const ask = (id: string, dependsOn: string[], condition?: string) =>
    ({ id, type: "GetInput", dependsOn, inputs: { prompt: `${id}?` }, ...(condition ? { condition } : {}) }) as const;
  const blocks = [ask("a", []), ask("b", ["a"]), ...["c", "d", "e"].map((id) => ask(id, ["b"], '${blocks.b.input_value} == "more"'))];
  const run = await createExecutor({ store: memoryStore() }).start({ name: "grows", blocks });
  await run.settled();
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("a?");
  const seen = [share()];
  for (const answer of ["x", "more", "x", "x"]) {
    await run.answer(run.getSnapshot().pauses[0]!.id, answer);
    await expect.poll(() => heading(element)).toBe(`${run.getSnapshot().pauses[0]!.path[0]}?`);
    seen.push(share());
  }
  expect(seen[0]).toBeGreaterThan(0);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(seen.at(-1)).toBeLessThan(1);
});

test("a run that was stopped for now goes on when people say so", async () => {
  let isStopped = false;
  const work = defineBlock({
    type: "Work",
    execute: ({ signal }) => (isStopped ? success({}) : new Promise<never>((_, fail) => signal.addEventListener("abort", fail))),
  });
  const workflow: Workflow = { name: "build", blocks: [{ id: "work", type: "Work" }] };
  const run = await createExecutor({ store: memoryStore(), blocks: [work] }).start(workflow);
  await run.stop();
  isStopped = true;
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("This was stopped for now.");
  await run.refresh();
  expect(run.getSnapshot()).toMatchObject({ status: "paused", reason: "stopped" });
  await click(part(element, "primary")!);
  await expect.poll(() => heading(element)).toBe("Done");
});

test("headings stand on the level that the page says", async () => {
  const { run } = await startAsking(trip);
  const place = document.createElement("section");
  place.setAttribute("heading-level", "3");
  document.body.append(place);
  const element = show("wavepoint-run", { run }, { into: place });
  await expect.poll(() => part(element, "heading")?.ariaLevel).toBe("3");
  place.remove();
});

test("Back leads to the question before, with its answer, in the same run", async () => {
  const { element, run } = await begin();
  await keys("{Tab}Ada{Enter}");
  await expect.poll(() => heading(element)).toBe("Which wood?");
  await keys("{Tab}{Tab}{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("What is your name?");
  expect(element.run).toBe(run);
  expect(element.querySelector("input")!.value).toBe("Ada");
  // The form tells it.
  expect(part(element, "earlier")).toBeNull();
  await keys("{Tab}{Enter}");
  await expect.poll(() => heading(element)).toBe("Which wood?");
});

test("a double click on Back is one step", async () => {
  const { run } = await startAsking(trip);
  for (const answer of ["Ada", "Oak"]) await run.answer(run.getSnapshot().pauses[0]!.id, answer);
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("Build it?");
  const back = backButton(element);
  await untilQuiet();
  clickTwice(back);
  await expect.poll(() => heading(element)).toBe("Which wood?");
  await run.settled();
  expect(run.getSnapshot().progress.answered).toBe(1);
});

test("what was typed before Back is there again once its question is, and no notice says that it was not sent", async () => {
  const { element, run } = await begin({ name: trip.name!, town: { prompt: "Where?" } });
  await keys("{Tab}Ada{Enter}");
  await expect.poll(() => heading(element)).toBe("Where?");
  await keys("{Tab}Ber");
  await expect.poll(() => run.getSnapshot().pauses[0]?.draft).toBe("Ber");
  await click(backButton(element));
  await expect.poll(() => heading(element)).toBe("What is your name?");
  await run.answers();
  expect(part(element, "notice")).toBeNull();
  await click(element.querySelector("[part~=primary]")!);
  await expect.poll(() => heading(element)).toBe("Where?");
  expect(element.querySelector("input")!.value).toBe("Ber");
});

test("of several questions that wait, Back shows the one that it opened", async () => {
  const pair: Workflow = {
    name: "pair",
    blocks: ["a", "b", "c"].map((id) => ({ id, type: "GetInput", inputs: { prompt: `${id}?` } })),
  };
  const run = await createExecutor({ store: memoryStore(), workflows: [pair] }).start("pair");
  const { pauses } = await run.settled();
  await run.answer(pauses![2]!.id, "third");
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("a?");
  await click(backButton(element));
  await expect.poll(() => heading(element)).toBe("c?");
  expect(textOf(part(element, "others"))).toBe("These wait too: a? b?");
});

test("an answer is changed on the review page, after what would follow was shown", async () => {
  const { element, run } = await begin();
  await keys("{Tab}Ada{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("Which wood?");
  await click([...element.querySelectorAll("button")].find((button) => textOf(button) === "Your answers")!);
  await expect.poll(() => document.activeElement?.tagName).toBe("H2");
  expect(textOf(document.activeElement)).toBe("Your answers");
  expect([...element.querySelectorAll("[part~=review-line]")].map(textOf)).toEqual([
    "What is your name? Ada Change",
    "Which wood? Waits for you",
    "Sure Not asked yet",
  ]);
  await assertAccessible(element);
  await keys("{Tab}{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("What is your name?");
  await assertAccessible(element);
  await keys("{Tab}{Control>}a{/Control}Grace{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("What this would change");
  await assertAccessible(element);
  await keys("{Tab}{Tab}{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("Which wood?");
  expect(element.run).toBe(run);
  expect((await run.answers())[0]?.answer).toBe("Grace");
});

test("each consequence of another answer is listed once, what was done and stays done too; then why something is asked again", async () => {
  const once = (type: string) => defineBlock({ type, effect: "once", execute: ({ inputs }) => success({ of: inputs["of"] }) });
  const ask = (id: string, dependsOn: string[], prompt: string) => ({ id, type: "GetInput", dependsOn, inputs: { prompt } });
  const order: Workflow = {
    name: "order",
    blocks: [
      ask("size", [], "Which size?"),
      ask("name", ["size"], "Your name?"),
      ask("colour", ["name"], "Which colour in ${blocks.size.input_value}?"),
      { id: "deposit", type: "Pay", dependsOn: ["colour"], inputs: { of: "${blocks.size.input_value}" } },
      { id: "badge", type: "Print", dependsOn: ["colour"], condition: '${blocks.size.input_value} == "M"' },
      ask("sure", ["deposit"], "Sure?"),
      { id: "length", type: "EchoBlock", dependsOn: ["name"], inputs: { message: "${blocks.name.input_value}" } },
    ],
  };
  const executor = createExecutor({ store: memoryStore(), workflows: [order], blocks: [once("Pay"), once("Print")] });
  const run = await executor.start("order");
  for (const answer of ["M", "Ada", "red"]) await run.answer((await run.settled()).pauses![0]!.id, answer);
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("Sure?");
  await click([...element.querySelectorAll("button")].find((button) => textOf(button) === "Your answers")!);
  // The button says the same as the heading that the focus moves to.
  await expect.poll(() => document.activeElement?.tagName).toBe("H2");
  await keys("{Tab}{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("Which size?");
  await keys("{Tab}{Control>}a{/Control}L{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("What this would change");
  expect([...part(element, "preview")!.querySelectorAll("dl > div")].map(textOf)).toEqual([
    "Will be asked Which colour in M?",
    "Is done only once: you are asked before it is done again Deposit",
    "Was done already and is not undone Badge",
    "Stays Your name? Sure?",
  ]);
  await assertAccessible(element);
  await keys("{Tab}{Tab}{Enter}");
  await expect.poll(() => heading(element)).toBe("Which colour in L?");
  expect(textOf(part(element, "earlier"))).toBe("You answered: red. Something before it has changed, so please look at it again.");
  await run.answer(run.getSnapshot().pauses[0]!.id, "red");
  await expect.poll(() => heading(element)).toBe("This is already done. Shall it be done again?");
  expect([...element.querySelectorAll("[part~=option]")].map(textOf)).toEqual([
    "Do it again It happens a second time, with the answers as they are now.",
    "Leave it as it is Nothing more happens here. What follows goes on with what came of it then.",
  ]);
  await assertAccessible(element);
});

test("the review page tells the label of what was chosen, not its value", async () => {
  const plan = { oneOf: [{ const: "team", title: "For a team", description: "Up to 9 people." }, { const: "me" }] };
  const { run } = await startAsking({ plan: { prompt: "Which plan?", schema: plan }, sure: { prompt: "Sure?" } });
  await run.answer(run.getSnapshot().pauses[0]!.id, "team");
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("Sure?");
  await click([...element.querySelectorAll("button")].find((button) => textOf(button) === "Your answers")!);
  await expect.poll(() => textOf(part(element, "answer"))).toBe("For a team");
  await click(part(element, "review-line")!.querySelector("button")!);
  await expect.poll(() => element.querySelector<HTMLInputElement>("input:checked")?.parentElement?.innerText).toContain("For a team");
  await assertAccessible(element);
});

test("answers that are all hidden are not printed", async () => {
  const { run } = await startAsking({ code: { prompt: "Your code?", sensitive: true }, sure: { prompt: "Sure?" } });
  await run.answer(run.getSnapshot().pauses[0]!.id, "1234");
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("Sure?");
  await click([...element.querySelectorAll("button")].find((button) => textOf(button) === "Your answers")!);
  await expect.poll(() => textOf(part(element, "answer"))).toBe("••••••");
  expect(textOf(part(element, "review"))).not.toContain("Print");
});

test("the review page of a run that has ended tells answers as the buttons say them, and leads back to how it ended", async () => {
  const confirm: Workflow = {
    name: "launch",
    blocks: [{ id: "sure", type: "ConfirmOperation", inputs: { message: "Launch the boat?" } }],
  };
  const run = await createExecutor({ store: memoryStore(), workflows: [confirm] }).start("launch");
  const { pauses } = await run.settled();
  expect((await run.answer(pauses![0]!.id, "yes")).status).toBe("success");
  const element = show("wavepoint-run", { run });
  const toggle = (): HTMLElement => [...element.querySelectorAll<HTMLElement>("[part~=quiet]")].at(-1)!;
  await expect.poll(() => textOf(toggle())).toBe("Your answers");
  await click(toggle());
  await expect.poll(() => textOf(part(element, "answer"))).toBe("Yes");
  expect(element.querySelector("[data-change]")).toBeNull();
  expect(textOf(part(element, "review"))).toContain("This is finished, so its answers stay as they are.");
  expect(textOf(toggle())).toBe("Back");
  await click(toggle());
  await expect.poll(() => part(element, "review")).toBeNull();
});

test("a run that failed says why, and is tried again", async () => {
  let tries = 0;
  const { defineBlock, success, failure } = await import("wavepoint");
  const flaky = defineBlock({ type: "Flaky", execute: () => (++tries < 2 ? failure("The saw is broken.") : success({ boat: "ready" })) });
  const workflow: Workflow = { name: "build", blocks: [{ id: "build", type: "Flaky" }], outputs: { boat: "${blocks.build.boat}" } };
  const run = await createExecutor({ store: memoryStore(), blocks: [flaky], workflows: [workflow] }).start("build");
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("This did not work");
  expect(textOf(part(element, "error"))).toContain("The saw is broken.");
  await assertAccessible(element);
  await keys("{Tab}{Enter}");
  await expect.poll(() => heading(element)).toBe("Done");
});

test("while blocks work for long it says so", async () => {
  const { defineBlock, success } = await import("wavepoint");
  let finish = (): void => {};
  const slow = defineBlock({
    type: "Slow",
    execute: async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return success({});
    },
  });
  const workflow: Workflow = {
    name: "slow",
    blocks: [
      { id: "name", type: "GetInput", inputs: { prompt: "What is your name?" } },
      { id: "work", type: "Slow", dependsOn: ["name"] },
    ],
  };
  const run = await createExecutor({ store: memoryStore(), blocks: [slow], workflows: [workflow] }).start("slow");
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("What is your name?");
  await keys("{Tab}Ada{Enter}");
  await expect.poll(() => textOf(document.activeElement)).toBe("Working…");
  await assertAccessible(element);
  finish();
  await expect.poll(() => textOf(document.activeElement)).toBe("Done");
});

test("cancelling is asked for twice", async () => {
  const { element } = await begin();
  const press = async (name: string) => click([...element.querySelectorAll("button")].find((button) => textOf(button) === name)!);
  await click(part(element, "more")!.querySelector("summary")!);
  await press("Cancel");
  expect(textOf(document.activeElement)).toContain("This ends all of it");
  await assertAccessible(element);
  await press("No, keep going");
  expect(heading(element)).toBe("What is your name?");
  await click(part(element, "more")!.querySelector("summary")!);
  await press("Cancel");
  await press("Yes, end it");
  await expect.poll(() => heading(element)).toBe("Ended");
});

test("a question that was answered in another tab gives way to the next, and takes no focus from elsewhere in the page", async () => {
  const { element, run } = await begin();
  await keys("{Tab}A");
  const search = document.createElement("input");
  search.ariaLabel = "Search";
  document.body.append(search);
  search.focus();
  await run.answer(run.getSnapshot().pauses[0]!.id, "Grace");
  await expect.poll(() => heading(element)).toBe("Which wood?");
  expect(document.activeElement).toBe(search);
  expect(textOf(part(element, "announcement"))).toBe("Which wood? – Question 2, then 1 more");
  search.remove();
});

test("a run that a page left in the middle of a block goes on by itself", async () => {
  const store = memoryStore();
  let isSlow = true;
  const work = defineBlock({ type: "Work", execute: () => (isSlow ? new Promise<never>(() => {}) : success({ built: "a boat" })) });
  const workflow: Workflow = { name: "build", blocks: [{ id: "work", type: "Work" }], outputs: { built: "${blocks.work.built}" } };
  const before = createExecutor({ store, blocks: [work], workflows: [workflow] });
  const { id } = await before.start("build");
  await before.close();
  isSlow = false;
  const element = show("wavepoint-run", { run: await createExecutor({ store, blocks: [work], workflows: [workflow] }).open(id) });
  await expect.poll(() => heading(element)).toBe("Done");
  expect(textOf(element.querySelector("dd"))).toBe("a boat");
});
