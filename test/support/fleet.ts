import { WorkflowError, type CheckpointPolicy, type Executor, type Run, type Store } from "wavepoint";
import { fakeHost } from "wavepoint/testing";
import { accountOf, answerAt, openAt, PIN, ticketOf, voyageExecutor } from "./voyage.ts";

/** A time at one store. */
interface Stay {
  readonly executor: Executor;
  /** Does something in a process that a block ends in the middle of it. */
  dying(deed: (executor: Executor) => Promise<unknown>): Promise<void>;
}

type Deed = (run: Run, stay: Stay) => Promise<unknown>;

const all =
  (...deeds: readonly Deed[]): Deed =>
  async (run, stay) => {
    for (const deed of deeds) await deed(run, stay);
  };
const answer =
  (path: string, word: string): Deed =>
  (run) =>
    answerAt(run, path, word);
const where =
  (place: string, size: number): Deed =>
  (run) =>
    answerAt(run, "where", { place, ticket: ticketOf(place, size) as never });
const draft =
  (path: string, words: string): Deed =>
  async (run) =>
    run.saveDraft((await openAt(run, path)).id, words);
const revise =
  (path: string, word: string): Deed =>
  async (run) =>
    run.revise(await askedAt(run, path), word);
const nothing: Deed = async () => {};
const back: Deed = (run) => run.back();
const resume: Deed = (run) => run.resume();
const wind: Deed = (run) => run.signal("wind", { from: "the west" });

const north = all(answer("rooms[0]/key/number", "N 1"), answer("rooms[0]/bed", "soft"));
const south = all(answer("rooms[1]/key/number", "S 2"), answer("rooms[1]/bed", "hard"));
const nights = all(answer("nights/dream", "of home"), answer("nights/dream", "of the sea"));
const untilSail = all(where("Rome", 900), wind, north, south, nights);

/** The newest checkpoint that a block of this run asked for, or the newest one after a wave. */
async function checkpointOf(run: Run, { executor }: Stay, kind: "requested" | "wave"): Promise<string> {
  const query = kind === "wave" ? { kind } : { kind, metadata: { name: "packed Ada" } };
  const { items } = await executor.checkpoints.list({ run: run.id, ...query });
  return items[0]!.id;
}

async function askedAt(run: Run, path: string): Promise<string> {
  const asked = (await run.answers()).filter((item) => item.path.join("/") === path && item.status === "answered");
  return asked.at(-1)!.pause!;
}

/** What happens to each run, store by store. Behind its end nothing happens, and the run moves as it stands. */
const SCRIPTS: { readonly [run: string]: readonly Deed[] } = {
  whole: [
    async (run) => run.saveDraft((await openAt(run, "where")).id, { place: "Ro" }),
    where("Rome", 90_000),
    all(wind, answer("rooms[0]/key/number", "N 1"), draft("rooms[1]/key/number", "S")),
    all(
      async (run, stay) => (await stay.executor.fork(await checkpointOf(run, stay, "requested"))).settled(),
      async (run) => run.revise(await askedAt(run, "where"), { place: "Oslo", ticket: ticketOf("Oslo", 60) as never }),
    ),
    all(answer("rooms[0]/bed", "soft"), south),
    all(nights, back, answer("nights/dream", "of the sea")),
    answer("sail", "now"),
  ],
  short: [where("Bern", 50), north, south, all(wind, nights), back, answer("nights/dream", "of ice"), answer("sail", "slow")],
  window: [nothing, where("Riga", 50), north, all(south, wind), nights, revise("nights/dream", "of rain"), answer("sail", "north")],
  failed: [untilSail, answer("sail", "fail"), nothing, resume, nothing, revise("sail", "again")],
  killed: [
    untilSail,
    (run, stay) =>
      stay.dying(async (executor) => {
        const there = await executor.open(run.id);
        await there.answer((await openAt(there, "sail")).id, "die");
      }),
    nothing,
    resume,
  ],
  cancelled: [
    all(where("Kyiv", 10), north),
    (run) => run.cancel({ reason: "of the weather" }),
    nothing,
    async (run, stay) => (await stay.executor.fork(await checkpointOf(run, stay, "wave"))).settled(),
  ],
  stopped: [where("Lima", 10), (run) => run.stop(), nothing, all(resume, north, south)],
  completed: [
    all(untilSail, answer("sail", "early")),
    nothing,
    nothing,
    nothing,
    async (run, stay) => {
      const changed = { revise: { [await askedAt(run, "sail")]: "late" } };
      await (await stay.executor.fork(await checkpointOf(run, stay, "wave"), changed)).settled();
    },
  ],
};
const POLICIES: { readonly [run: string]: CheckpointPolicy } = {
  short: { retention: "latest" },
  window: { retention: "windowed", window: 2 },
};

/** Runs with a value that is kept beside the journal: one, to keep the test short. */
const LARGE: ReadonlySet<string> = new Set(["failed"]);

/** The names of all runs. */
export const RUNS: readonly string[] = Object.keys(SCRIPTS);

/** How many stores the runs visit, one after another. */
export const STAYS = 7;
const HOUR_MS = 3_600_000;

/** A store that takes nothing any more from some moment on, as for a process that is killed. */
function mortal(store: Store): { readonly store: Store; die(): void } {
  let isDead = false;
  const alive =
    <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isDead) throw new WorkflowError("STORE_LOST", "The process is dead.");
      return call(...args);
    };
  const { commit, putBlob, putNote, delete: remove } = store;
  return {
    store: {
      ...store,
      commit: alive(commit.bind(store)),
      putBlob: alive(putBlob.bind(store)),
      putNote: alive(putNote.bind(store)),
      delete: alive(remove.bind(store)),
    },
    die: () => (isDead = true),
  };
}

/** The runs of all scripts, as they go from store to store. */
export class Fleet {
  /** How often each idempotency key was paid with. */
  readonly paid = new Map<string, number>();
  readonly #runs: readonly string[];
  #stay = 0;

  constructor(runs: readonly string[] = RUNS) {
    this.#runs = runs;
  }

  /** An executor at some store, with ids of its own. */
  executor(store: Store, seed: number, die: () => void = () => {}): Executor {
    // One block after another: which of a wave comes first would depend on the store.
    const host = fakeHost({ seed, maxParallel: 1, startAt: Date.UTC(2026, 0, 1) + this.#stay * HOUR_MS });
    return voyageExecutor(store, { host, outside: { paid: this.paid, die } });
  }

  /** Lets happen what the scripts say for the next store. */
  async stayAt(store: Store): Promise<void> {
    const number = this.#stay;
    const seed = 1_000 + 10 * number;
    const executor = this.executor(store, seed);
    const stay: Stay = {
      executor,
      dying: async (deed) => {
        const life = mortal(store);
        const other = this.executor(life.store, seed + 1, life.die);
        await deed(other).catch((error: WorkflowError) => {
          if (error.code !== "STORE_LOST") throw error;
        });
        await other.close().catch(() => {});
      },
    };
    for (const name of this.#runs) {
      if (number === 0)
        await executor.start("voyage", { who: "Ada", pin: PIN, is_large: LARGE.has(name) }, { id: name, policy: POLICIES[name] ?? {} });
      const run = await executor.open(name);
      await SCRIPTS[name]![number]?.(run, stay);
      await run.refresh();
    }
    await executor.close();
    this.#stay += 1;
  }

  /** What the store that has the runs now says of them. */
  async account(store: Store): Promise<unknown> {
    const executor = this.executor(store, 1);
    const account = await accountOf(store, executor, { who: "Ada" });
    await executor.close();
    return account;
  }
}
