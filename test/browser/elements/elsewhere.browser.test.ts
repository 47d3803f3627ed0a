import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, keys, part, show, startAsking, textOf, type Asked } from "../../support/page-elements.ts";
import { expect, test, vi } from "vitest";
import { createExecutor, defineBlock, success, WorkflowError, type Host, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const trip: Asked = { name: { prompt: "What is your name?" }, wood: { prompt: "Which wood?", schema: { enum: ["Larch", "Oak"] } } };
const heading = (element: Element) => textOf(part(element, "heading"));
const notice = (element: Element) => textOf(part(element, "notice"));

/** A wizard with typed text, and the same run in another tab. */
async function begin(questions: Asked = trip, host?: Host) {
  const asked = await startAsking(questions, host);
  const element = show("wavepoint-run", { run: asked.run });
  await expect.poll(() => element.querySelector("input")).not.toBeNull();
  await keys("{Tab}Ada");
  const other = asked.openTab();
  return { ...asked, element, other, there: await other.open(asked.run.id), pause: asked.run.getSnapshot().pauses[0]!.id };
}

test("what was typed while another tab answered is shown with the next question, until that is answered", async () => {
  const { element, there, pause } = await begin();
  await there.answer(pause, "Grace");
  await expect.poll(() => heading(element)).toBe("Which wood?");
  await expect
    .poll(() => notice(element))
    .toBe("“What is your name?” no longer waits for an answer. What you typed there was not sent: Ada");
  expect(part(element, "notice")!.getAttribute("role")).toBe("alert");
  await assertAccessible(element);
  await keys("{Tab} {Tab}{Tab}{Enter}");
  await expect.poll(() => heading(element)).toBe("Done");
  expect(part(element, "notice")).toBeNull();
});

test("nothing is said where the other tab sent the same", async () => {
  const { element, there, pause } = await begin();
  await there.answer(pause, "Ada");
  await expect.poll(() => heading(element)).toBe("Which wood?");
  await there.answer(there.getSnapshot().pauses[0]!.id, "Oak");
  await expect.poll(() => heading(element)).toBe("Done");
  expect(part(element, "notice")).toBeNull();
});

test("an answer that comes too late says so, and is not lost", async () => {
  const { element, run, there, pause, other } = await begin();
  // This tab does not know of it yet.
  const wait = vi.spyOn(run, "answer").mockImplementationOnce(async (...given) => {
    await there.answer(pause, "Grace");
    wait.mockRestore();
    return run.answer(...(given as Parameters<typeof run.answer>));
  });
  await keys("{Enter}");
  await expect.poll(() => notice(element)).toMatch(/^This question was answered elsewhere in the meantime\..+was not sent: Ada$/);
  expect(heading(element)).toBe("Which wood?");
  expect((await (await other.open(run.id)).answers())[0]?.answer).toBe("Grace");
});

test("an answer to a question that another tab took back says so, and is there when that is asked again", async () => {
  const { run, openTab } = await startAsking({ ...trip, town: { prompt: "Where?" } });
  for (const answer of ["Ada", "Oak"]) await run.answer(run.getSnapshot().pauses[0]!.id, answer);
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("Where?");
  await keys("{Tab}Bergen");
  const there = await openTab().open(run.id);
  // This tab does not know of it yet.
  const wait = vi.spyOn(run, "answer").mockImplementationOnce(async (...given) => {
    await there.back();
    wait.mockRestore();
    return run.answer(...(given as Parameters<typeof run.answer>));
  });
  await keys("{Enter}");
  await expect
    .poll(() => notice(element))
    .toBe("An earlier answer was changed in the meantime, so this is not asked now. What you typed is kept.");
  expect(heading(element)).toBe("Which wood?");
  await click(element.querySelector("[part~=primary]")!);
  await expect.poll(() => heading(element)).toBe("Where?");
  expect(element.querySelector("input")!.value).toBe("Bergen");
});

test("a run that was cancelled in another tab has ended, and says why", async () => {
  const { element, there } = await begin();
  await there.cancel({ reason: "the trip is off." });
  await expect.poll(() => heading(element)).toBe("Ended");
  expect(textOf(part(element, "hint"))).toBe("the trip is off.");
  await expect.poll(() => notice(element)).toContain("was not sent: Ada");
  await assertAccessible(element);
});

test("a question that was not answered in time says so, and what was typed is still there", async () => {
  const host = fakeHost({ startAt: Date.now() });
  const { element } = await begin({ ...trip, name: { prompt: "What is your name?", timeoutMs: 60_000 } }, host);
  await host.advance(60_000);
  await expect.poll(() => heading(element)).toBe("This did not work");
  expect(textOf(part(element, "error"))).toBe("No answer came in time.");
  await expect.poll(() => notice(element)).toContain("was not sent: Ada");
  await assertAccessible(element);
});

test("a run that was handed over asks no more here, and says where it goes on", async () => {
  const { element, run, other } = await begin();
  await other.runs.transfer(run.id, { to: "the office" });
  await expect.poll(() => heading(element)).toBe("This goes on elsewhere: the office.");
  expect(element.querySelector("form")).toBeNull();
  await expect.poll(() => notice(element)).toContain("was not sent: Ada");
  await assertAccessible(element);
});

test("a run that was deleted in another tab says so when an answer is sent, and keeps what stands in the form", async () => {
  const { element, run, other } = await begin();
  await other.runs.delete(run.id);
  await keys("{Enter}");
  await expect.poll(() => textOf(part(element, "summary"))).toBe("This was deleted in the meantime. Reload the page to begin anew.");
  expect(element.querySelector("input")!.value).toBe("Ada");
});

test("a device without room says so, keeps what stands in the form, and takes the answer once there is room", async () => {
  const { element, run, store } = await begin();
  const full = vi.spyOn(store, "commit").mockRejectedValue(new WorkflowError("STORE_QUOTA", "Full."));
  await keys("{Enter}");
  await expect.poll(() => textOf(part(element, "summary"))).toBe("This device has no room left. Make some room, then try again.");
  await expect.poll(() => document.activeElement).toBe(part(element, "summary"));
  await assertAccessible(element);
  expect(element.querySelector("input")!.value).toBe("Ada");
  full.mockRestore();
  await click(part(element, "primary")!);
  await expect.poll(() => heading(element)).toBe("Which wood?");
  expect((await run.answers())[0]?.answer).toBe("Ada");
});

test("while another tab works with its answer it says so, and goes on where that tab ends in the middle", async () => {
  const store = memoryStore();
  let isSlow = true;
  const work = defineBlock({ type: "Work", execute: () => (isSlow ? new Promise<never>(() => {}) : success({ built: "a boat" })) });
  const workflow: Workflow = {
    name: "build",
    blocks: [
      { id: "name", type: "GetInput", inputs: { prompt: "What is your name?" } },
      { id: "work", type: "Work", dependsOn: ["name"] },
    ],
    outputs: { built: "${blocks.work.built}" },
  };
  const openTab = () => createExecutor({ store, blocks: [work], workflows: [workflow] });
  const run = await openTab().start("build");
  const { pauses } = await run.settled();
  const element = show("wavepoint-run", { run });
  await expect.poll(() => heading(element)).toBe("What is your name?");
  const other = openTab();
  void (await other.open(run.id)).answer(pauses![0]!.id, "Ada").catch(() => {});
  await expect.poll(() => heading(element)).toBe("Working…");
  expect(element.querySelector("[part~=stage] button")).toBeNull();
  isSlow = false;
  await other.close();
  await expect.poll(() => heading(element)).toBe("Done");
});

test("nothing of a sensitive question is shown again", async () => {
  const { element, there, pause } = await begin({ ...trip, name: { prompt: "Your code?", schema: { type: "string" }, sensitive: true } });
  await there.answer(pause, "1234");
  await expect.poll(() => heading(element)).toBe("Which wood?");
  await there.answer(there.getSnapshot().pauses[0]!.id, "Oak");
  await expect.poll(() => heading(element)).toBe("Done");
  expect(element.textContent).not.toContain("Ada");
});
