import { MAX_VALUE_DEPTH } from "../../model/limits.ts";
import type { Workflow } from "../../model/workflow.ts";
import { memberPath } from "../compile-value.ts";
import type { ProblemList } from "./problem-list.ts";
import { listProblems } from "./problem-list.ts";
import { walkTexts } from "./walk-texts.ts";

/** Embeddings, overrides and isolates: they make a line read otherwise than it runs. Unicode TR 36, "Bidirectional Text Spoofing". */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;

/** Warns of texts with characters that change the order in which they are shown. */
export function checkControls(workflow: Workflow, problems: ProblemList): void {
  if (!holdsControl(workflow, 0)) return;
  const visit = (text: string, path: string): void => {
    const at = text.search(BIDI_CONTROL);
    if (at === -1) return;
    const point = text.charCodeAt(at).toString(16).toUpperCase();
    problems.warn("TEXT_MISLEADING", path, `A control character (U+${point}) makes this text look different from what it is. Remove it.`, {
      column: at + 1,
    });
  };
  // What else is wrong with these values has been reported by those who read them.
  const ignored = listProblems();
  for (const [key, section] of Object.entries(workflow)) walkTexts(section, memberPath("", key), { problems: ignored, visit });
}

/** Whether there is anything to find: the walk that remembers paths is then left out. */
function holdsControl(value: unknown, depth: number): boolean {
  if (typeof value === "string") return BIDI_CONTROL.test(value);
  if (typeof value !== "object" || value === null || depth > MAX_VALUE_DEPTH) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some((member) => holdsControl(member, depth + 1));
}
