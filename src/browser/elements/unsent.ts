import type { Run } from "../../core/run/run.ts";
import type { Pause } from "../../core/model/run.ts";
import type { Value } from "../../core/model/value.ts";
import { createPauseForm } from "../pause-form.ts";
import { askedOf } from "./asked.ts";
import { isSame } from "./entry.ts";
import { valueText, type Language } from "./value-text.ts";

/** What was typed for a question that no longer waits, and was not sent. */
export interface Unsent {
  readonly question: string;
  text(language: Language): string;
}

/**
 * Finds what was typed for a question that another tab answered, that expired, or that ended with its run. What was sent anyway is not
 * lost, nor is what waits for a question that is asked again later, and a sensitive answer is not shown again.
 */
export async function findUnsent(run: Run, pause: Pause): Promise<Unsent | undefined> {
  // If a run was deleted, or cannot be read, its answers are unknown.
  const items = await run.answers().catch(() => []);
  const { draft: typed, pause: open, isSending } = createPauseForm(run, pause.id).getSnapshot();
  // Read as data, as the question reads it.
  const draft = typed as Value | undefined;
  const waits = open !== undefined && run.getSnapshot().transferredTo === undefined;
  if (draft === undefined || waits || isSending || pause.sensitive) return undefined;
  if (items.some((item) => item.pause === pause.id && isSame(item.answer)(draft))) return undefined;
  if (items.some(({ path, status }) => status === "pending" && path.join("/") === pause.path.join("/"))) return undefined;
  const { heading, schema } = askedOf(pause);
  return { question: heading, text: (language) => valueText(schema, draft, language) };
}
