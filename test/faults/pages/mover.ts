import { isWorkflowError } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { answerWizard, beginWizard, wizardExecutor } from "../../support/moving-wizard.ts";

/** What a test can call in a page whose runs move. */
export interface MoverPage {
  /** Begins the wizard, answers its first questions, and leaves a draft at the next. Gives the run. */
  begin(answers: number, draft?: string): Promise<string>;
  transfer(run: string, to: string, passphrase?: string): Promise<string>;
  /** Takes in a file. Gives the drafts of the open questions. */
  take(file: string, passphrase?: string): Promise<readonly unknown[]>;
  /** Answers what is open, or gives the code of the refusal. */
  answer(run: string, answers: readonly string[]): Promise<string>;
  outputs(run: string): Promise<unknown>;
}

declare global {
  var mover: MoverPage;
}

const executor = wizardExecutor(indexedDbStore({ name: "moving" }));

globalThis.mover = {
  async begin(answers, draft) {
    const run = await beginWizard(executor, answers);
    if (draft !== undefined) await run.saveDraft(run.getSnapshot().pauses[0]!.id, draft);
    return run.id;
  },
  transfer: (run, to, passphrase) => executor.runs.transfer(run, { to, drafts: true, ...(passphrase === undefined ? {} : { passphrase }) }),
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
