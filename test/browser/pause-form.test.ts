import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createExecutor, WorkflowError, type Block, type Run, type Workflow } from "wavepoint";
import { createPauseForm } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";

const ask = (id: string, dependsOn: readonly string[] = []): Block => ({ id, type: "GetInput", dependsOn, inputs: { prompt: `${id}?` } });
const booking: Workflow = { name: "booking", blocks: [ask("name"), ask("city", ["name"])] };

// What is loaded on first use is loaded while time still passes: loading waits for timers.
beforeAll(async () => {
  const { form } = await begin();
  await form.answer("");
  await form.decline();
});
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function begin() {
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: [booking] });
  const run = await executor.start("booking");
  const { pauses } = await run.settled();
  const form = createPauseForm(run, pauses![0]!.id);
  const changes: string[] = [];
  const leave = form.subscribe(() => {
    const { isSending, pause, error } = form.getSnapshot();
    changes.push(`${isSending ? "sending" : "quiet"} ${pause ? "open" : "gone"} ${error?.code ?? ""}`.trim());
  });
  return { store, executor, run, form, changes, leave, pause: pauses![0]!.id };
}

const full = new WorkflowError("STORE_QUOTA", "There is no room left.");
const draftOf = (run: Run) => run.getSnapshot().pauses[0]?.draft;

test("is the same object until something changes", async () => {
  const { form } = await begin();
  expect(form.getSnapshot()).toBe(form.getSnapshot());
  expect(form.getSnapshot()).toMatchObject({ pause: { prompt: "name?" }, isSending: false, error: undefined, fieldErrors: [] });
});

test("an answer that does not fit leaves the question open and says why, until the next one", async () => {
  const { form, run } = await begin();
  const result = await form.answer("");
  expect(result.status).toBe("failure");
  expect(form.getSnapshot()).toMatchObject({ isSending: false, error: { code: "RESPONSE_INVALID" } });
  expect(form.getSnapshot().pause).toBeDefined();
  await form.answer("Ada");
  expect(form.getSnapshot()).toMatchObject({ pause: undefined, error: undefined });
  expect(run.getSnapshot().pauses[0]?.prompt).toBe("city?");
});

test("is sending while the answer is on its way, and sends one at a time", async () => {
  const { form, run, changes } = await begin();
  const first = form.answer("Ada");
  expect(form.getSnapshot().isSending).toBe(true);
  expect(await form.answer("Grace")).toBe(await first);
  expect(changes[0]).toBe("sending open");
  expect(changes.at(-1)).toBe("quiet gone");
  expect((await run.answers())[0]?.answer).toBe("Ada");
});

test("a question that was answered elsewhere is gone, and another answer is refused", async () => {
  const { form, run, pause, changes } = await begin();
  await run.answer(pause, "Grace");
  await vi.advanceTimersByTimeAsync(0);
  expect(form.getSnapshot().pause).toBeUndefined();
  expect(changes).toContain("quiet gone");
  await form.answer("Ada");
  expect(form.getSnapshot().error?.code).toBe("PAUSE_ALREADY_ANSWERED");
});

test("what was typed for a question that was answered elsewhere is not lost, and what was sent is not kept", async () => {
  const { form, run, pause } = await begin();
  form.saveDraft("Ada");
  await run.answer(pause, "Grace");
  await vi.advanceTimersByTimeAsync(0);
  expect(form.getSnapshot()).toMatchObject({ pause: undefined, draft: "Ada" });
  const city = createPauseForm(run, run.getSnapshot().pauses[0]!.id);
  city.saveDraft("Rome");
  await city.answer("Rome");
  expect(city.getSnapshot()).toMatchObject({ pause: undefined, draft: undefined });
});

test("what was typed is not lost where its draft goes a moment before the question", async () => {
  const { form, run } = await begin();
  form.saveDraft("Ada");
  await vi.advanceTimersByTimeAsync(300);
  await expect.poll(() => draftOf(run)).toBe("Ada");
  // As after an answer in another tab that took it along, while this one still shows the question.
  await run.saveDraft(run.getSnapshot().pauses[0]!.id, undefined);
  expect(draftOf(run)).toBeUndefined();
  expect(form.getSnapshot().draft).toBe("Ada");
});

test("a question can be declined", async () => {
  const { form, run } = await begin();
  await form.decline();
  expect(form.getSnapshot()).toMatchObject({ pause: undefined, error: undefined });
  expect(run.getSnapshot().status).toBe("failed");
});

test("what a broken store throws is thrown and kept", async () => {
  const { form, store } = await begin();
  // Making room did not help.
  vi.spyOn(store, "commit").mockRejectedValueOnce(full).mockRejectedValueOnce(full);
  await expect(form.answer("Ada")).rejects.toMatchObject({ code: "STORE_QUOTA" });
  expect(form.getSnapshot()).toMatchObject({ isSending: false, error: { code: "STORE_QUOTA" } });
});

test("what was typed outlives an answer that could not be stored, for the next one who opens the form", async () => {
  const { store, form, run, pause } = await begin();
  const drafts: unknown[] = [];
  form.subscribe(() => drafts.push(form.getSnapshot().draft));
  form.saveDraft("Ada");
  store.commit = () => Promise.reject(full);
  await expect(form.answer("Ada")).rejects.toBe(full);
  expect(new Set(drafts)).toEqual(new Set(["Ada"]));
  expect(createPauseForm(run, pause).getSnapshot()).toMatchObject({
    pause: { prompt: "name?" },
    draft: "Ada",
    error: { code: "STORE_QUOTA" },
    isSending: false,
  });
});

test("a draft is saved a moment after the last change", async () => {
  const { form, run, store } = await begin();
  const put = vi.spyOn(store, "putNote");
  form.saveDraft("A");
  await vi.advanceTimersByTimeAsync(200);
  form.saveDraft("Ad");
  await vi.advanceTimersByTimeAsync(200);
  expect(draftOf(run)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  await expect.poll(() => draftOf(run)).toBe("Ad");
  expect(put).toHaveBeenCalledTimes(1);
});

test("a draft is saved at once when the last listener has left", async () => {
  const { form, run, leave } = await begin();
  form.saveDraft("Ad");
  leave();
  await expect.poll(() => draftOf(run)).toBe("Ad");
});

test("what was typed while a draft was being saved is saved too", async () => {
  const { form, run, leave } = await begin();
  form.saveDraft("A");
  vi.advanceTimersByTime(300);
  form.saveDraft("Ad");
  leave();
  await expect.poll(() => draftOf(run)).toBe("Ad");
});

test("what is being saved is not waited for when the last listener has left", async () => {
  const { form, store, leave } = await begin();
  const put = vi.spyOn(store, "putNote").mockReturnValueOnce(new Promise(() => {}));
  form.saveDraft("A");
  vi.advanceTimersByTime(300);
  form.saveDraft("Ad");
  leave();
  await expect.poll(() => put.mock.calls.map(([, , text]) => text)).toEqual(['"A"', '"Ad"']);
});

test("a draft that waits when the answer is sent is not saved, unless the answer does not do", async () => {
  const { form, run, store } = await begin();
  const put = vi.spyOn(store, "putNote");
  form.saveDraft("  ");
  await form.answer("");
  await vi.advanceTimersByTimeAsync(300);
  await expect.poll(() => draftOf(run)).toBe("  ");
  form.saveDraft("Ada");
  await form.answer("Ada");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(put).toHaveBeenCalledTimes(1);
  expect(draftOf(run)).toBeUndefined();
});

test("why a draft is not kept is shown until one is", async () => {
  const { form, store } = await begin();
  vi.spyOn(store, "putNote").mockRejectedValueOnce(full);
  form.saveDraft("Ad");
  await vi.advanceTimersByTimeAsync(300);
  await expect.poll(() => form.getSnapshot().draftError?.code).toBe("STORE_QUOTA");
  form.saveDraft("Ada");
  await vi.advanceTimersByTimeAsync(300);
  await expect.poll(() => form.getSnapshot().draftError).toBeUndefined();
});

test("a draft that could not be kept is tried again when the form is left", async () => {
  const { form, run, store, leave } = await begin();
  vi.spyOn(store, "putNote").mockRejectedValueOnce(full);
  form.saveDraft("Ad");
  await vi.advanceTimersByTimeAsync(300);
  await expect.poll(() => form.getSnapshot().draftError?.code).toBe("STORE_QUOTA");
  leave();
  await expect.poll(() => draftOf(run)).toBe("Ad");
  expect(form.getSnapshot().draftError).toBeUndefined();
});

test("a draft that is too long is not tried again", async () => {
  const { form, run, leave } = await begin();
  form.saveDraft("a".repeat(100_000));
  await vi.advanceTimersByTimeAsync(300);
  await expect.poll(() => form.getSnapshot().draftError?.code).toBe("LIMIT_EXCEEDED");
  const save = vi.spyOn(run, "saveDraft");
  leave();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(save).not.toHaveBeenCalled();
});

test("54: says what a form does not ask with what was typed, and which rules do not hold", async () => {
  vi.useRealTimers();
  const inputs = {
    prompt: "?",
    fields: [{ name: "pet" }, { name: "dog", show_if: "${fields.pet} == 'dog'" }],
    rules: [{ check: "${fields.dog} != 'cat'", field: "dog", message: "No cats." }],
  };
  const run = await createExecutor({ store: memoryStore() }).start({ name: "pets", blocks: [{ id: "pet", type: "Form", inputs }] });
  const { pauses } = await run.settled();
  const form = createPauseForm(run, pauses![0]!.id);
  const leave = form.subscribe(() => {});
  await expect.poll(() => form.getSnapshot().conditions).toEqual({ hidden: new Set(["/dog"]), broken: [] });
  form.saveDraft({ pet: "dog", dog: "cat" });
  // What evaluates conditions is loaded for the first form that has some.
  await expect
    .poll(() => form.getSnapshot().conditions)
    .toMatchObject({ hidden: new Set(), broken: [{ instancePath: "/dog", text: "No cats." }] });
  form.saveDraft({ pet: "cat", dog: "cat" });
  expect(form.getSnapshot().conditions).toEqual({ hidden: new Set(["/dog"]), broken: [] });
  expect((await form.answer({ pet: "cat", dog: "cat" })).status).toBe("success");
  leave();
});
