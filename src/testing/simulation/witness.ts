import type { Entry } from "../../core/model/journal.ts";
import type { Commit, Store } from "../../core/ports/store.ts";

/** Keeps account of what was stored and what was executed, outside of the store, and throws where the two contradict each other. */
export interface Witness {
  /** A block is about to do its work. */
  began(execution: {
    readonly run: string;
    readonly unit: string;
    readonly phase: "execute" | "resume";
    readonly key: string;
    readonly iteration: number;
    /** What it is given, as a text, where its type declares an effect: then no key may come with two texts. */
    readonly given?: string;
  }): void;
  /** A block makes a value under a key, which it does once as long as no answer is changed. */
  made(value: { readonly run: string; readonly unit: string; readonly key: string }): void;
  /** A block was given an answer: one that the store has taken, or a crash could undo what the block made of it. */
  gotAnswer(answer: { readonly run: string; readonly unit: string; readonly prompt: string; readonly response: string }): void;
  /** A block goes on with a signal: one that the store has taken, and that no other execution has. */
  gotSignal(signal: Signal & { readonly run: string; readonly unit: string; readonly iteration: number }): void;
  /** The store has taken a commit. */
  committed(commit: Commit): void;
  deleted(run: string): void;
  /** What a run and all that it called were answered, by prompt; also those that were deleted since. */
  answers(run: string): ReadonlyMap<string, string>;
  /** The signals that the store has taken of each run, the oldest first. */
  signals(): ReadonlyMap<string, readonly Signal[]>;
  /** Throws where a store does not have all that it took: a hole, another text in a place, a run that is missing. */
  check(store: Store): Promise<void>;
  /** How many executions it saw. */
  readonly executions: number;
}

/** A signal of a simulation: no two have the same value. */
export interface Signal {
  readonly name: string;
  readonly value: string;
}

interface Account {
  /** The run that called this one. */
  caller: string | undefined;
  /** The texts the store took, by their place in the journal. */
  readonly texts: Map<number, string>;
  /** Whether those are all: what a run with a short past stores first may be a base, with its first entries folded. */
  isWhole: boolean;
  /** How often its answers were changed, or opened again. */
  revisions: number;
  /** Units with a record of their end. */
  readonly settled: Set<string>;
  /** Units that have asked, and are only ever resumed. */
  readonly asked: Set<string>;
  /** Values stored under keys, by unit and key, before an answer was changed. */
  readonly made: Set<string>;
  /** Of each unit, iteration and what it is given, since an answer was changed last. */
  readonly keys: Map<string, string>;
  /** What each key was used for. */
  readonly uses: Map<string, string>;
  readonly answers: Map<string, string>;
  /** The prompts of its own questions, by their numbers. */
  readonly prompts: Map<number, string>;
  /** The answers that the store took, by prompt: more than one where an answer was changed. */
  readonly taken: Map<string, string[]>;
  /** The signals that the store took, by id. */
  readonly signals: Map<string, Signal>;
  /** Which execution got which signal, by its value. */
  readonly receivers: Map<string, string>;
  /** How often each block that undoes another one has ended. */
  readonly undone: Map<string, number>;
}

/** An account of nothing yet. */
export function makeWitness(): Witness {
  const accounts = new Map<string, Account>();
  let executions = 0;

  function accountOf(run: string): Account {
    let found = accounts.get(run);
    if (found === undefined) {
      found = newAccount();
      accounts.set(run, found);
    }
    return found;
  }

  return {
    began({ run, unit, phase, key, iteration, given }) {
      executions += 1;
      const { settled, asked, keys, uses, revisions } = accountOf(run);
      const use = `${unit} ${iteration}: ${given}`;
      if (given !== undefined && (uses.get(key) ?? use) !== use)
        throw new Error(`${run} uses the idempotency key ${key} for ${uses.get(key)!} and for ${use}.`);
      uses.set(key, use);
      if (settled.has(unit)) throw new Error(`${run}/${unit} is executed again, after its record was stored.`);
      if (phase === "execute" && asked.has(unit)) throw new Error(`${run}/${unit} is executed again, after its question was stored.`);
      // A process that has yet to read that an answer was changed gives a block the former inputs, with the former key.
      if (phase !== "execute" || (revisions > 0 && given === undefined)) return;
      if ((keys.get(use) ?? key) !== key) throw new Error(`${run}/${unit} has two idempotency keys.`);
      keys.set(use, key);
    },
    made({ run, unit, key }) {
      if (accountOf(run).made.has(`${unit} ${key}`)) throw new Error(`${run}/${unit} makes "${key}" again, after it was stored.`);
    },
    gotAnswer({ run, unit, prompt, response }) {
      const account = accountOf(run);
      // A process that has yet to read that an answer was changed goes on with the former one.
      const taken = account.taken.get(prompt) ?? [];
      if (account.isWhole && !taken.includes(response))
        throw new Error(
          `${run}/${unit} was given ${response} as the answer to "${prompt}". The store took: ${taken.join(", ") || "none"}.`,
        );
      account.answers.set(prompt, response);
    },
    gotSignal({ run, unit, iteration, name, value }) {
      const { signals, receivers, isWhole } = accountOf(run);
      const isTaken = [...signals.values()].some((signal) => signal.name === name && signal.value === value);
      if (isWhole && !isTaken) throw new Error(`${run}/${unit} was given the signal ${name} ${value}, which the store has not taken.`);
      const by = `${unit} ${iteration}`;
      const before = receivers.get(value) ?? by;
      if (before !== by) throw new Error(`${run} gave the signal ${name} ${value} to ${before} and to ${by}.`);
      receivers.set(value, by);
    },
    committed({ run, head, entries }) {
      const account = accountOf(run);
      account.caller = head.parent?.run;
      for (const [index, text] of entries.entries()) {
        const place = head.entries - entries.length + index;
        const before = account.texts.get(place) ?? text;
        if (before !== text) throw new Error(`The store took two texts for place ${place} of ${run}:\n${before}\n${text}`);
        account.texts.set(place, text);
        account.isWhole = account.texts.size === place + 1;
        note(account, JSON.parse(text) as Entry);
      }
      account.isWhole = account.texts.size === head.entries;
    },
    deleted(run) {
      const { caller, answers } = accountOf(run);
      accounts.set(run, { ...newAccount(), caller, answers });
    },
    answers(run) {
      const isWithin = (one: string | undefined): boolean => one === run || (one !== undefined && isWithin(accounts.get(one)?.caller));
      return new Map([...accounts].flatMap(([one, { answers }]) => (isWithin(one) ? [...answers] : [])));
    },
    signals: () => new Map([...accounts].map(([run, { signals }]) => [run, [...signals.values()]])),
    async check(store) {
      for (const [run, { texts }] of accounts) {
        if (texts.size === 0) continue;
        const head = await store.head(run);
        if (head === undefined) throw new Error(`The store took ${texts.size} entries of ${run}, and has none.`);
        const base = head.base ?? 0;
        const from = Math.max(0, base - 1);
        const kept = await store.read(run);
        if (kept.length !== head.entries - from)
          throw new Error(`${run} has ${kept.length} entries; its head says ${head.entries} from ${from}.`);
        for (const [place, text] of texts) {
          if (place >= base && kept[place - from] !== text) {
            throw new Error(`Place ${place} of ${run}: the store took\n${text}\nand has\n${String(kept[place - from])}`);
          }
        }
      }
    },
    get executions() {
      return executions;
    },
  };
}

function newAccount(): Account {
  return {
    caller: undefined,
    revisions: 0,
    texts: new Map(),
    isWhole: true,
    settled: new Set(),
    asked: new Set(),
    made: new Set(),
    keys: new Map(),
    uses: new Map(),
    answers: new Map(),
    prompts: new Map(),
    taken: new Map(),
    signals: new Map(),
    receivers: new Map(),
    undone: new Map(),
  };
}

/** What an entry says about the units that may be executed from then on. */
function note(account: Account, entry: Entry): void {
  const { settled, asked, keys, made } = account;
  if (entry.type === "revised" || entry.type === "reentered" || (entry.type === "forked" && entry.undone)) {
    // An answer was changed, or opened again, here or in the run that called this one, or something was undone where this was forked: what depends on it
    // may be executed again.
    account.revisions += 1;
    for (const kept of [settled, asked, keys, made]) kept.clear();
  }
  noteAnswers(account, entry);
  noteSignals(account, entry);
  if (!("block" in entry)) {
    // The run goes on after its failure, with new questions.
    if (entry.type === "resumed") asked.clear();
    return;
  }
  const unit = "item" in entry && entry.item !== undefined ? `${entry.block}[${entry.item}]` : entry.block;
  if (entry.type === "memoized" && account.revisions === 0) made.add(`${unit} ${entry.key}`);
  // What began before that may have been opened by it: then its record is not the last. Of a base it is not known how many revisions it holds.
  const turn = "turn" in entry ? entry.turn : 0;
  if (turn !== account.revisions || (turn > 0 && !account.isWhole)) return;
  if (entry.type === "completed") settled.add(unit);
  if (isUndoing(unit) && (entry.type === "completed" || entry.type === "failed")) noteUndone(account, unit);
  if (entry.type === "paused" && entry.about === undefined) asked.add(unit);
}

/** Whether a block undoes another one: then it is executed as often as that one was. */
export function isUndoing(block: string): boolean {
  return block.startsWith("undo_");
}

function noteUndone({ settled, undone }: Account, block: string): void {
  const times = (undone.get(block) ?? 0) + 1;
  undone.set(block, times);
  settled.delete(block);
  settled.add(`${block}#${times}`);
}

/** What an entry says about signals; a base has those that came before it in its state. */
function noteSignals({ signals }: Account, entry: Entry): void {
  if (entry.type === "signalled") signals.set(entry.id, { name: entry.name, value: String(entry.value) });
  if (entry.type !== "base") return;
  const { signals: stored } = entry.state as { readonly signals?: { readonly "~map": readonly (readonly [string, Signal])[] } };
  for (const [id, { name, value }] of stored?.["~map"] ?? []) signals.set(id, { name, value });
}

/** What an entry says about questions of the run itself; those of a called run stand in its own account. */
function noteAnswers({ prompts, taken }: Account, entry: Entry): void {
  if (entry.type === "paused" && entry.child === undefined) prompts.set(entry.pause, entry.prompt);
  if ((entry.type !== "answered" && entry.type !== "revised") || entry.pause === undefined) return;
  const prompt = prompts.get(entry.pause);
  if (prompt === undefined) return;
  if (entry.type === "revised") prompts.set(entry.as!, prompt);
  if ("response" in entry) taken.set(prompt, [...(taken.get(prompt) ?? []), String(entry.response)]);
}
