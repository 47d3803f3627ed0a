import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Executor, Store } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { ANSWERS, answerWizard, beginWizard, OUTPUTS, wizardExecutor } from "../support/moving-wizard.ts";
import { pagesInChrome } from "../support/pages-in-chrome.ts";

const pages = pagesInChrome();
const ANSWERED = process.env.WAVEPOINT_LONG === undefined ? [1] : [0, 1, 2];
let folder: string;
let store: Store;
let executor: Executor;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wavepoint-moving-"));
  store = filesystemStore(folder);
  executor = wizardExecutor(store);
});
afterAll(async () => {
  await executor.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a wizard that moves", () => {
  test.each(ANSWERED)("from Chromium to Node after %i answers: it is finished there, and the page says where it went", async (answers) => {
    const tab = await pages.open("mover");
    const run = await tab.evaluate((count) => mover.begin(count, "not yet"), answers);
    await tab.close();
    const later = await pages.open("mover");
    const file = await later.evaluate((id) => mover.transfer(id, "the server"), run);
    expect(await later.evaluate(([id, rest]) => mover.answer(id, rest), [run, ANSWERS.slice(answers)] as const)).toBe(
      "RUN_TRANSFERRED: the server",
    );
    const moved = await executor.runs.import(file);
    expect(moved.getSnapshot().pauses.map(({ draft }) => draft)).toEqual(["not yet"]);
    expect(await answerWizard(moved, ANSWERS.slice(answers))).toBe("success");
    expect(moved.getSnapshot().outputs).toEqual(OUTPUTS);
    await later.close();
  });

  test.each(ANSWERED)("from Node to Chromium after %i answers and back, sealed: the end is in both", async (answers) => {
    const passphrase = "correct horse battery staple";
    const run = await beginWizard(executor, answers);
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, "half an answ");
    const file = await executor.runs.transfer(run.id, { to: "the page", drafts: true, passphrase });
    await expect(answerWizard(run, ANSWERS.slice(answers))).rejects.toMatchObject({ code: "RUN_TRANSFERRED", details: { to: "the page" } });
    const tab = await pages.open("mover");
    expect(await tab.evaluate(([text, words]) => mover.take(text, words), [file, passphrase] as const)).toEqual(["half an answ"]);
    expect(await tab.evaluate(([id, rest]) => mover.answer(id, rest), [run.id, ANSWERS.slice(answers)] as const)).toBe("success");
    expect(await tab.evaluate((id) => mover.outputs(id), run.id)).toEqual(OUTPUTS);
    const back = await tab.evaluate((id) => mover.transfer(id, "the server"), run.id);
    await tab.close();
    await executor.runs.import(back);
    expect(run.getSnapshot()).toMatchObject({ status: "completed", outputs: OUTPUTS });
    expect(await store.head(run.id)).toMatchObject({ ownership: 2, status: "completed" });
  });
});
