import type { Condition, Refer } from "./condition.ts";
import { type Draft, type DraftField, type DraftLine, type DraftPage, isAsking, isQuestion, type Note, Reference } from "./draft.ts";
import { fitLines } from "./fit-field.ts";
import { splitPages } from "./split-pages.ts";
import { askedField, writeCondition, writeLines } from "./write-fields.ts";

const REVIEW_PROMPT = "Check your answers. You can still change them.";

function plain(value: unknown): unknown {
  if (value instanceof Reference) return value.text;
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** A block, as YAML writes it. */
type WrittenBlock = { readonly [key: string]: unknown };

/** A workflow of the pages of a form: each a block, one after another unless a page says otherwise. */
export function documentOf(draft: Draft, note: Note): { readonly [key: string]: unknown } {
  const fitted = draft.pages.map((page) => ({ ...page, lines: fitLines(page.lines, note) }));
  const isBranched = fitted.some(({ next }) => next !== undefined);
  const asking = isBranched ? bridged(fitted) : fitted.flatMap((page) => inParts(page, note));
  for (const page of fitted) {
    const { pointer, lines } = page;
    if (lines.length > 0 && !lines.some(isQuestion) && !isEnd(page, fitted))
      note(pointer, "It asks nothing, so its texts are left out: show them in the page around.");
  }
  const pages = isBranched ? asking : splitPages(asking, note);
  const hosts: Hosts = new Map(
    pages.flatMap(({ id, lines }) => lines.filter(isQuestion).map(({ field }) => [field.name, { page: id, field }] as const)),
  );
  const order = new Map(pages.map(({ id }, i): [string, number] => [id, i]));
  const into = isBranched ? waysInto(pages) : undefined;

  const blocks = pages.flatMap((page, i): WrittenBlock[] => {
    const refer = seenFrom(page, hosts, order);
    const calls = (page.calls ?? []).map(({ id, url }) => ({
      id,
      type: "HttpCall",
      inputs: { url: plain(url) },
      retry: { max_attempts: 3 },
    }));
    const before = into === undefined ? pages.slice(i - 1, i).map(linearWay) : (into.get(page.id) ?? []);
    const dependsOn = [...before, ...calls.map(({ id }) => id)];
    const condition = page.showIf && writeCondition(page.showIf, refer, page.pointer, note);
    const next = page.next?.filter(({ to }) => order.has(to) && order.get(to)! > i);
    if (next && page.next && next.length < page.next.length) {
      const isBack = page.next.some(({ to }) => order.has(to) && order.get(to)! <= i);
      if (isBack) note(page.pointer, "It leads back to an earlier page. People go back with Back; a loop is written with repeat_while.");
    }
    const { fields, rules } = writeLines(page.lines, refer, note);
    const asked = page.review
      ? { prompt: REVIEW_PROMPT, ...(page.review.declaration === undefined ? {} : { declaration: plain(page.review.declaration) }) }
      : {
          prompt: plain(page.prompt ?? page.title ?? "Please fill in this page."),
          fields: plain(fields),
          ...(rules.length > 0 ? { rules: plain(rules) } : {}),
        };
    return [
      ...calls,
      {
        id: page.id,
        type: page.review ? "Review" : isAsking(page) ? "Form" : "AskChoice",
        ...(dependsOn.length > 0 ? { depends_on: dependsOn } : {}),
        ...((into?.get(page.id)?.length ?? 0) > 1 ? { join: "any" } : {}),
        ...(condition === undefined ? {} : { condition }),
        ...(next === undefined || !isChoice(next) ? {} : { next: next.map(({ to, when }) => wayOf(to, when, page, refer, note)) }),
        inputs: isAsking(page)
          ? {
              ...(page.title === undefined ? {} : { title: plain(page.title) }),
              ...asked,
            }
          : { question: plain(endText(page)), choices: ["End"] },
      },
    ];
  });
  return {
    name: draft.name,
    ...(draft.description ? { description: draft.description } : {}),
    blocks,
    outputs: Object.fromEntries([...hosts].map(([question, { page }]) => [question, `\${blocks.${page}.${question}}`])),
  };
}

/** The pages that ask something. Where a page led to one that does not, it leads to what followed that one. */
function bridged(pages: readonly DraftPage[]): readonly DraftPage[] {
  const silent = new Map(
    pages.filter((page) => !isAsking(page) && !isEnd(page, pages)).map((page): [string, DraftPage] => [page.id, page]),
  );
  const behind = (to: string, when: Condition | undefined, seen: readonly string[]): NonNullable<DraftPage["next"]> => {
    const page = silent.get(to);
    if (page === undefined) return [{ to, ...(when === undefined ? {} : { when }) }];
    if (seen.includes(to)) return [];
    return (page.next ?? []).flatMap((way) => behind(way.to, when ?? way.when, [...seen, to]));
  };
  return pages
    .filter(({ id }) => !silent.has(id))
    .map((page) => (page.next ? { ...page, next: page.next.flatMap(({ to, when }) => behind(to, when, [])) } : page));
}

/** Whether a page asks nothing and ends the form for those that are led to it. */
function isEnd(page: DraftPage, pages: readonly DraftPage[]): boolean {
  return (
    !isAsking(page) && page.next?.length === 0 && pages.some(({ next = [] }) => next.length > 1 && next.some(({ to }) => to === page.id))
  );
}

function endText({ title, lines }: DraftPage): string {
  const texts = [title, ...lines.map((line) => ("text" in line ? line.text : undefined))];
  return texts.filter((text) => typeof text === "string").join("\n\n") || "The form ends here.";
}

/** Forms have so many questions at most. */
const MAX_QUESTIONS = 100;

/** A page, or several where it has more questions than a form may: cut before a heading where there is one. */
function inParts(page: DraftPage, note: Note): readonly DraftPage[] {
  const parts: DraftLine[][] = [];
  const rest = [...page.lines];
  while (rest.filter(isQuestion).length > MAX_QUESTIONS) {
    const most = rest.findIndex((_, i) => rest.slice(0, i + 1).filter(isQuestion).length > MAX_QUESTIONS);
    const heading = rest.findLastIndex((line, i) => i > 0 && i <= most && "heading" in line);
    parts.push(rest.splice(0, heading > 0 ? heading : most));
  }
  if (parts.length === 0) return [page];
  note(page.pointer, `A form has at most ${MAX_QUESTIONS} questions, so it is asked on ${parts.length + 1} pages.`);
  return [...parts, rest].map((lines, i) => ({ ...page, lines, id: i === 0 ? page.id : `${page.id}_part_${i + 1}` }));
}

/** The questions of all pages, each with its page. */
type Hosts = ReadonlyMap<string, { readonly page: string; readonly field: DraftField }>;

/** How the questions of this page and of earlier ones are referred to, from this page. */
function seenFrom(page: DraftPage, hosts: Hosts, order: ReadonlyMap<string, number>): Refer {
  return (question) => {
    const host = hosts.get(question);
    if (host === undefined || order.get(host.page)! > order.get(page.id)!) return undefined;
    return askedField(host.field, host.page === page.id ? `\${fields.${question}}` : `\${blocks.${host.page}.${question}}`);
  };
}

/** A page that was left out does not leave out those after it. */
function linearWay(before: DraftPage): unknown {
  return before.showIf === undefined ? before.id : { block: before.id, required: false };
}

function isChoice(next: readonly { readonly when?: Condition }[]): boolean {
  return next.length > 1 || next.some(({ when }) => when !== undefined);
}

/** The pages before each page, by what they say that follows. */
function waysInto(pages: readonly DraftPage[]): ReadonlyMap<string, readonly string[]> {
  const into = new Map<string, string[]>();
  const order = new Map(pages.map(({ id }, i): [string, number] => [id, i]));
  for (const [i, { id, next }] of pages.entries()) {
    const ways = next ?? pages.slice(i + 1, i + 2).map((page) => ({ to: page.id }));
    for (const to of new Set(ways.map((way) => way.to))) {
      if ((order.get(to) ?? -1) <= i) continue;
      into.set(to, [...(into.get(to) ?? []), id]);
    }
  }
  // A review that no page leads to stands behind those that lead nowhere.
  for (const [i, page] of pages.entries()) {
    const ends = pages.slice(0, i).filter((one) => one.next?.length === 0 && isAsking(one));
    if (page.review && !into.has(page.id) && ends.length > 0)
      into.set(
        page.id,
        ends.map(({ id }) => id),
      );
  }
  return into;
}

function wayOf(to: string, when: Condition | undefined, page: DraftPage, refer: Refer, note: Note): unknown {
  if (when === undefined) return to;
  // Once the page is answered, its own questions are outputs of a block as all others.
  const answered: Refer = (question) => {
    const asked = refer(question);
    return asked && { ...asked, place: asked.place.replace("${fields.", () => `\${blocks.${page.id}.`) };
  };
  const text = writeCondition(when, answered, page.pointer, note);
  return text === undefined ? to : { to, when: text };
}
