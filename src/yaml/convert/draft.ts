import { isRecord, type Value } from "../../core/model/value.ts";
import { type Asked, type Condition, conditionText, questionsOf } from "./condition.ts";

type Refer = (question: string) => Asked | undefined;

/** A text for people: one, or one a language. */
export type Text = string | { readonly [language: string]: string };

/** Something that the form of another tool says and the workflow does not. */
export interface ConversionNote {
  /** Where it stands in the form, as a JSON pointer. */
  readonly pointer: string;
  /** What was left out, and what to write for it where there is a way. */
  readonly message: string;
}

/** Takes down a {@link ConversionNote}. */
export type Note = (pointer: string, message: string) => void;

/** A field of a `Form`, as YAML writes it. */
export interface DraftField {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** What stands between the questions. */
export interface DraftContent {
  readonly heading?: Text;
  readonly text?: Text;
  readonly image?: { readonly src: string; readonly alt: string };
}

export interface DraftQuestion {
  readonly field: DraftField;
  readonly showIf?: Condition;
  /** Where it stands in the form of the other tool. */
  readonly pointer: string;
}

/** A page: one `Form`. */
export interface DraftPage {
  readonly id: string;
  readonly pointer: string;
  readonly title?: Text;
  readonly prompt?: Text;
  readonly lines: readonly (DraftQuestion | DraftContent)[];
  readonly showIf?: Condition;
  /** The pages that may follow: the first whose condition holds. Without it: the next one in the list. */
  readonly next?: readonly { readonly to: string; readonly when?: Condition }[];
  /** Services that this page needs answers of before it is asked. */
  readonly calls?: readonly DraftCall[];
}

/** A call of a service. */
export interface DraftCall {
  readonly id: string;
  readonly url: string;
}

/** What the reader of a format finds in a form. */
export interface Draft {
  readonly name: string;
  readonly description?: string;
  readonly pages: readonly DraftPage[];
}

/** A reference that a reader wrote itself. All other texts are the form's own: a `${` in them is a plain text. */
export class Reference {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

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
  const pages = draft.pages.filter(({ lines }) => lines.some(isQuestion));
  const hosts: Hosts = new Map(
    pages.flatMap(({ id, lines }) => lines.filter(isQuestion).map(({ field }) => [field.name, { page: id, field }] as const)),
  );
  const order = new Map(pages.map(({ id }, i): [string, number] => [id, i]));
  const isBranched = pages.some(({ next }) => next !== undefined);
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
    const condition = page.showIf && written(page.showIf, refer, page.pointer, note);
    const next = page.next?.filter(({ to }) => order.has(to) && order.get(to)! > i);
    if (next && page.next && next.length < page.next.length) {
      const isBack = page.next.some(({ to }) => order.has(to) && order.get(to)! <= i);
      if (isBack) note(page.pointer, "It leads back to an earlier page. People go back with Back; a loop is written with repeat_while.");
    }
    return [
      ...calls,
      {
        id: page.id,
        type: "Form",
        ...(dependsOn.length > 0 ? { depends_on: dependsOn } : {}),
        ...((into?.get(page.id)?.length ?? 0) > 1 ? { join: "any" } : {}),
        ...(condition === undefined ? {} : { condition }),
        ...(next === undefined || !isChoice(next) ? {} : { next: next.map(({ to, when }) => wayOf(to, when, page, refer, note)) }),
        inputs: {
          ...(page.title === undefined ? {} : { title: plain(page.title) }),
          prompt: plain(page.prompt ?? page.title ?? "Please fill in this page."),
          fields: page.lines.map((line) => (isQuestion(line) ? fieldOf(line, refer, note) : plain(line))),
        },
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

function isQuestion(line: DraftQuestion | DraftContent): line is DraftQuestion {
  return "field" in line;
}

/** The questions of all pages, each with its page. */
type Hosts = ReadonlyMap<string, { readonly page: string; readonly field: DraftField }>;

/** How the questions of this page and of earlier ones are referred to, from this page. */
function seenFrom(page: DraftPage, hosts: Hosts, order: ReadonlyMap<string, number>): Refer {
  return (question) => {
    const host = hosts.get(question);
    if (host === undefined || order.get(host.page)! > order.get(page.id)!) return undefined;
    const place = host.page === page.id ? `\${fields.${question}}` : `\${blocks.${host.page}.${question}}`;
    const { enum: choices, type, other } = host.field;
    const values =
      other === undefined ? undefined : (choices as readonly unknown[]).map((one) => (isRecord(one) ? one["value"] : one) as Value);
    return { place, isOneOfChoices: choices !== undefined && type !== "array", choices: values };
  };
}

function written(condition: Condition, refer: Refer, pointer: string, note: Note): string | undefined {
  const lost = questionsOf(condition).filter((question) => refer(question) === undefined);
  if (lost.length > 0) {
    note(pointer, `Its condition looks at ${lost.join(", ")}, which is asked later or not at all. It is always asked.`);
    return undefined;
  }
  return conditionText(condition, (question) => refer(question)!);
}

function fieldOf({ field, showIf, pointer }: DraftQuestion, refer: Refer, note: Note): DraftField {
  const text = showIf && written(showIf, refer, pointer, note);
  // A form sees its own fields alone.
  if (text !== undefined && !/\$\{(?!fields\.)/.test(text)) return { ...(plain(field) as DraftField), show_if: text };
  if (text !== undefined)
    note(
      pointer,
      "Its condition looks at another page, so it is asked always and may be left out. Give it a page of its own with that condition.",
    );
  return { ...(plain(field) as DraftField), ...(text === undefined ? {} : { required: false }) };
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
    for (const { to } of ways) {
      if ((order.get(to) ?? -1) <= i) continue;
      into.set(to, [...(into.get(to) ?? []), id]);
    }
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
  const text = written(when, answered, page.pointer, note);
  return text === undefined ? to : { to, when: text };
}

/** Names that workflows take, each once, made of those of another tool. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #given = new Map<string, string>();

  /** The name for one of the other tool: the same each time it is asked for. */
  of(foreign: string): string {
    const known = this.#given.get(foreign);
    if (known !== undefined) return known;
    const name = this.fresh(foreign);
    this.#given.set(foreign, name);
    return name;
  }

  /** A name that nothing has yet. */
  fresh(wanted: string): string {
    const words = wanted
      .slice(0, 200)
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .split(/[^A-Za-z0-9-]/)
      .filter(Boolean);
    const plain = words.join("_").slice(0, 100);
    const base = /^[A-Za-z]/.test(plain) ? plain : plain === "" ? "question" : `q_${plain}`;
    let name = base;
    for (let i = 2; this.#taken.has(name); i++) name = `${base}_${i}`;
    this.#taken.add(name);
    return name;
  }
}
