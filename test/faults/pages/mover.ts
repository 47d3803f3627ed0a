import { isWorkflowError, transferRun } from "wavepoint";
import { remoteExecutor } from "wavepoint/remote";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { answerWizard, beginWizard, wizardExecutor } from "../../support/moving-wizard.ts";
import { storyOf } from "../../support/story-of.ts";

/** What a test can call in a page whose runs move. */
export interface MoverPage {
  /** Begins the wizard, answers its first questions, and leaves a draft at the next. Gives the run. */
  begin(answers: number, draft?: string): Promise<string>;
  transfer(run: string, to: string, passphrase?: string): Promise<string>;
  /** Moves a run to a server by one call, or back from it. Gives how it stands there. */
  send(run: string, url: string): Promise<string>;
  fetch(run: string, url: string): Promise<string>;
  /** The story of the run as this page's store has it. */
  story(run: string): Promise<readonly unknown[]>;
  /** Takes in a file. Gives the drafts of the open questions. */
  take(file: string, passphrase?: string): Promise<readonly unknown[]>;
  /** Answers what is open, or gives the code of the refusal. */
  answer(run: string, answers: readonly string[]): Promise<string>;
  outputs(run: string): Promise<unknown>;
}

declare global {
  var mover: MoverPage;
}

const store = indexedDbStore({ name: "moving" });
const executor = wizardExecutor(store);

globalThis.mover = {
  async begin(answers, draft) {
    const run = await beginWizard(executor, answers);
    if (draft !== undefined) await run.saveDraft(run.getSnapshot().pauses[0]!.id, draft);
    return run.id;
  },
  transfer: (run, to, passphrase) => executor.runs.transfer(run, { to, drafts: true, ...(passphrase === undefined ? {} : { passphrase }) }),
  async send(run, url) {
    return (await transferRun(run, { from: executor, to: remoteExecutor(url), place: url })).getSnapshot().status;
  },
  async fetch(run, url) {
    return (await transferRun(run, { from: remoteExecutor(url), to: executor, place: "the page" })).getSnapshot().status;
  },
  story: (run) => storyOf(store, run),
  async take(file, passphrase) {
    const run = await executor.runs.import(file, passphrase === undefined ? {} : { passphrase });
    return run.getSnapshot().pauses.map(({ draft }) => draft);
  },
  async answer(run, answers) {
    try {
      return await answerWizard(await executor.open(run), answers);
    } catch (error) {
      return isWorkflowError(error) ? `${error.code}: ${String(error.details["to"])}` : String(error);
    }
  },
  async outputs(run) {
    return (await executor.open(run)).getSnapshot().outputs;
  },
};
document.title = "ready";
