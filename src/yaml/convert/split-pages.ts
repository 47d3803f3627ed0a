import { both, questionsOf } from "./condition.ts";
import { type DraftLine, type DraftPage, isQuestion, type Note } from "./draft.ts";

/**
 * The pages that ask something. A form sees its own fields alone, so questions whose condition looks at an earlier page get a page of their own with
 * that condition, behind the page that they stand on.
 */
export function splitPages(pages: readonly DraftPage[], note: Note): readonly DraftPage[] {
  const homes = new Map<string, string>();
  return pages.flatMap((page) => {
    if (page.review) return [page];
    const parts: { readonly page: DraftPage; readonly condition: string; readonly lines: DraftLine[] }[] = [];
    const partOf = (line: DraftLine): (typeof parts)[number] => {
      const { showIf } = line;
      const names = showIf ? questionsOf(showIf) : [];
      const isForeign = names.every((name) => homes.has(name)) && names.some((name) => homes.get(name) !== page.id);
      const condition = isForeign ? JSON.stringify(showIf) : "";
      const found = parts.find((part) => part.condition === condition);
      if (found) return found;
      const id = isForeign ? `${page.id}_${parts.length + 1}` : page.id;
      const around = isForeign ? both(page.showIf, showIf) : page.showIf;
      const part = { page: { ...page, id, ...(around ? { showIf: around } : {}) }, condition, lines: [] };
      parts.push(part);
      return part;
    };
    for (const line of page.lines) {
      const part = partOf(line);
      if (part.condition === "") part.lines.push(line);
      else {
        const { showIf: _page, ...unconditional } = line;
        part.lines.push(unconditional as DraftLine);
      }
      if (!isQuestion(line)) continue;
      homes.set(line.field.name, part.page.id);
      if (part.condition !== "")
        note(line.pointer, `Its condition looks at another page, so it is asked on a page of its own, ${part.page.id}.`);
    }
    // What services give is needed by questions of any part: each of them depends on the first one.
    const asking = parts.filter(({ lines }) => lines.some(isQuestion));
    const own = asking.toSorted((a, b) => Number(a.condition !== "") - Number(b.condition !== ""));
    return own.map(({ page: { calls, ...rest }, lines }, i) => ({ ...rest, lines, ...(calls && i === 0 ? { calls } : {}) }));
  });
}
