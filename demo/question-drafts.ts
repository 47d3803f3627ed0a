import type { Pause, Run } from "wavepoint";
import { answerDraft } from "./answer-draft.ts";

/** What someone typed into questions of a run and did not send: kept in the store, for every tab and after any reload. */
export interface QuestionDrafts {
  /** What stands in the controls of a question: what was typed here, else what is kept, else the answer it had before. */
  read(pause: Pause): string;
  /** Whether what stands there is what is kept. */
  isKept(pause: Pause): boolean;
  keep(pause: Pause, text: string): void;
  drop(pause: Pause): void;
  /** Resolves when everything typed so far is kept. */
  saved(): Promise<void>;
}

interface QuestionDraftsOptions {
  /** The open run. */
  run(): Run | undefined;
  onProblem(thrown: unknown): void;
}

/** Makes the drafts of the open run. One is saved at a time; what was typed meanwhile is saved after it. */
export function createQuestionDrafts({ run, onProblem }: QuestionDraftsOptions): QuestionDrafts {
  const typed = new Map<string, string>();
  const saving = new Map<string, Promise<void>>();
  return {
    read: (pause) => typed.get(pause.id) ?? keptDraft(pause) ?? (pause.earlier ? answerDraft(pause, pause.earlier.response) : ""),
    isKept: (pause) => pause.draft !== undefined && (typed.get(pause.id) ?? pause.draft) === pause.draft,
    keep(pause, text) {
      typed.set(pause.id, text);
      const open = run();
      if (open && !saving.has(pause.id)) saving.set(pause.id, save(open, pause.id));
    },
    drop: (pause) => void typed.delete(pause.id),
    async saved() {
      await Promise.all(saving.values());
    },
  };

  async function save(open: Run, pause: string): Promise<void> {
    try {
      for (let saved: string | undefined; typed.has(pause) && typed.get(pause) !== saved;) {
        saved = typed.get(pause)!;
        await open.saveDraft(pause, saved === "" ? undefined : saved);
      }
    } catch (thrown) {
      // Once the question is answered, here or in another tab, nobody needs the draft.
      if (open.getSnapshot().pauses.some(({ id }) => id === pause) && typed.has(pause)) onProblem(thrown);
    } finally {
      saving.delete(pause);
    }
  }
}

function keptDraft({ draft }: Pause): string | undefined {
  return typeof draft === "string" ? draft : undefined;
}
