import { draftKey } from "../../model/ids.ts";
import type { PausedEntry } from "../../model/journal.ts";
import { isRecord } from "../../model/value.ts";
import type { LiveRun } from "../live-run.ts";
import { parseNote } from "../pauses/draft-text.ts";
import { readDrafts } from "../pauses/drafts.ts";
import type { Services } from "../services.ts";
import { pausePath } from "../unit.ts";
import { sameValue } from "./same-value.ts";

/** Notes with what somebody had typed for questions that come later. */
const TYPED = "typed.";

interface Typed {
  readonly path: readonly string[];
  readonly prompt: string;
  /** The draft as JSON. */
  readonly text: string;
}

/** Takes along what somebody had typed for questions that are open in a run and come later, or again, in another one that begins before them. */
export async function carryDrafts(services: Services, from: LiveRun, to: LiveRun): Promise<void> {
  const { store } = services;
  const { pauses, open } = from.session.state;
  const typed: Typed[] = [...(await readTyped(store, from.id)).values()];
  for (const [number, { text }] of await readDrafts(services, from.id)) {
    const entry = pauses[number]?.entry;
    if (!entry || !open.has(number)) continue;
    const there = to.session.state.pauses[number]?.entry;
    // A question that both share keeps its number.
    if (there && to.session.state.open.has(number) && sameValue(pausePath(there), pausePath(entry))) {
      await store.putNote(to.id, draftKey(number), text);
    } else typed.push({ path: pausePath(entry), prompt: entry.prompt, text });
  }
  for (const [i, note] of typed.entries()) await store.putNote(to.id, TYPED + i, JSON.stringify(note));
}

/** Gives a question that is asked what somebody had typed for it. */
export async function takeDraft(services: Services, run: LiveRun, question: PausedEntry): Promise<void> {
  const { store } = services;
  for (const [key, { path, prompt, text }] of await readTyped(store, run.id)) {
    if (prompt !== question.prompt || !sameValue(path, pausePath(question))) continue;
    await store.putNote(run.id, draftKey(question.pause), text);
    await store.putNote(run.id, key, undefined);
    return run.readDrafts();
  }
}

async function readTyped(store: Services["store"], run: string): Promise<ReadonlyMap<string, Typed>> {
  const notes = (await store.notes(run, TYPED)).map(({ key, text }) => [key, parseTyped(text)] as const);
  return new Map(notes.filter((note): note is readonly [string, Typed] => note[1] !== undefined));
}

function parseTyped(note: string): Typed | undefined {
  const value = parseNote(note);
  if (!isRecord(value)) return undefined;
  const { path, prompt, text } = value;
  return Array.isArray(path) && typeof prompt === "string" && typeof text === "string" ? { path, prompt, text } : undefined;
}
