import type { Run } from "../../core/engine/face.ts";
import type { Pause } from "../../core/model/run.ts";
import { createPauseForm } from "../pause-form.ts";
import { askedOf } from "./asked.ts";
import { isSame } from "./entry.ts";
import { valueText, type Language } from "./value-text.ts";

/** What somebody typed for a question that no longer waits, and that was not sent. */
export interface Unsent {
  readonly question: string;
  text(language: Language): string;
}

/**
 * Looks whether something was typed for a question that another tab answered, that nobody answered in time, or that ended with its run.
 * What was sent from there all the same is not lost, and what is nobody else's business is not shown again.
 */
export async function findUnsent(run: Run, pause: Pause): Promise<Unsent | undefined> {
  // Of a run that was deleted, or cannot be read, nobody knows what was answered.
  const items = await run.answers().catch(() => []);
  const { draft, pause: open, isSending } = createPauseForm(run, pause.id).getSnapshot();
  const waits = open !== undefined && run.getSnapshot().transferredTo === undefined;
  if (draft === undefined || waits || isSending || pause.sensitive) return undefined;
  if (items.some((item) => item.pause === pause.id && isSame(item.answer)(draft))) return undefined;
  const { heading, schema } = askedOf(pause);
  return { question: heading, text: (language) => valueText(schema, draft, language) };
}
