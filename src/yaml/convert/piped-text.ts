import type { Refer } from "./condition.ts";
import { type Note, Reference } from "./draft.ts";

/** What people read of a field, or between fields. */
const TEXTS: ReadonlySet<string> = new Set(["title", "description", "text", "heading"]);

/**
 * The texts of a line with the answers that they repeat: `{name}` is the answer to the question `name`, where an earlier page asks it. A form does not show
 * what is typed on the same page in its texts.
 */
export function withReferences<Line extends object>(line: Line, refer: Refer, pointer: string, note: Note): Line {
  return Object.fromEntries(Object.entries(line).map(([key, text]) => [key, TEXTS.has(key) ? pipe(text) : text])) as Line;

  function pipe(text: unknown): unknown {
    if (typeof text !== "string" || !text.includes("{")) return text;
    let isPiped = false;
    const parts = text.split(/(?<!\$)\{([A-Za-z][\w-]*)\}/).map((part, i) => {
      const asked = i % 2 === 1 ? refer(part) : undefined;
      if (asked?.place.startsWith("${blocks.")) {
        isPiped = true;
        return asked.place;
      }
      if (asked) note(pointer, `"{${part}}" stands in its text as it is: it is answered on the same page.`);
      return i % 2 === 1 ? `{${part}}` : part.replaceAll("${", () => "$${");
    });
    return isPiped ? new Reference(parts.join("")) : text;
  }
}
