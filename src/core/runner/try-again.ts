import type { AttemptedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import { stepFields, type Failed } from "./record-step.ts";
import type { Step } from "./step.ts";

/** Records that a block failed and when it is tried again; false where the failure is final, or there is no room for another attempt. */
export function tryAgain(step: Step, { error, cause }: Failed): boolean {
  const { session, host } = step.around;
  const fields = stepFields("attempted", step);
  const next = session.folded.decideFailure({ unit: step.unit, code: error.code, at: fields.at, chance: host.random() });
  if (next.do === "fail" || session.folded.size > session.sizeLimit) return false;
  const answers = step.answers === undefined ? {} : { pause: step.answers };
  const entry: AttemptedEntry = { ...fields, ...answers, error, until: next.until };
  const text = JSON.stringify(entry);
  if (text.length > MAX_VALUE_LENGTH) return false;
  session.record(entry, entry, { text, cause });
  return true;
}
