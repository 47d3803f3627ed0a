import { pureBlocks } from "../../core/blocks/pure-blocks.ts";
import { maintenanceRoom } from "../../core/maintenance/maintenance.ts";
import { migrationRoom } from "../../core/migration/migration.ts";
import { assembleExecutor, type Executor, LiveRuns } from "../../core/run/run.ts";
import type { CheckpointPolicy } from "../../core/journal/journal.ts";
import { transferRoom } from "../../core/transfer/transfer.ts";
import { secretsRoom } from "../../core/secrets/secrets.ts";
import { historyRoom } from "../../core/history/history.ts";
import { pastRoom } from "../../core/history/past.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Host } from "../../core/ports/host.ts";
import type { Release, Store } from "../../core/ports/store.ts";
import { fakeHost } from "../fake-host.ts";
import type { Chance } from "../seeded-numbers.ts";
import { simulatedBlocks } from "./simulated-blocks.ts";
import type { Witness } from "./witness.ts";
import { turn, type World } from "./world.ts";

/** What befalls a machine: after so many calls on its store, one fails, or the machine dies. */
export interface Weather {
  readonly after: number;
  readonly what: "crash" | "fail";
  /** `after`: the call is done, and its caller gets no result. */
  readonly when: "before" | "after";
  readonly code: "STORE_FAILED" | "STORE_LOST" | "STORE_QUOTA";
}

/** A process, or a tab: an executor on the common store, with its own view of the clock. */
export interface Machine {
  readonly executor: Executor;
  readonly isDead: boolean;
  /** How many of its calls were made to fail. */
  readonly failures: number;
  /** What comes next; nothing where all is quiet. */
  expect(weather: Weather | undefined): void;
  /** Ends as by a power cut: nothing of it happens any more, and what it held is let go. */
  die(): Promise<void>;
  close(): Promise<void>;
}

export interface MachineParts {
  readonly world: World;
  readonly store: Store;
  readonly workflows: readonly Workflow[];
  readonly witness: Witness;
  readonly policy: CheckpointPolicy;
  /** Draws delays; nothing where nothing is delayed. */
  readonly chance: Chance | undefined;
  /** Of its ids: no two machines of a world have the same. */
  readonly seed: number;
  /** Told of what cannot be: a block or a commit that contradicts what was stored. */
  readonly onViolation: (error: Error) => void;
}

/** Longest delay of a call on the store, in turns, and of a block, in milliseconds. */
const MOST_TURNS = 3;
const MOST_MS = 50;

/** Starts a machine. */
export function startMachine({ world, store, workflows, witness, policy, chance, seed, onViolation }: MachineParts): Machine {
  let isDead = false;
  let failures = 0;
  let calls = 0;
  let weather: Weather | undefined;
  const held = new Set<Release>();

  function guarded(look: () => void): void {
    try {
      look();
    } catch (error) {
      onViolation(error as Error);
    }
  }

  async function delay(): Promise<void> {
    for (let turns = chance?.happens(0.3) === true ? chance.between(0, MOST_TURNS) : 0; turns > 0; turns -= 1) await turn();
  }

  async function attempt<T>(call: () => Promise<T>): Promise<T> {
    if (isDead) return never();
    return world
      .during(async () => {
        await delay();
        calls += 1;
        const due = weather !== undefined && calls >= weather.after ? weather : undefined;
        if (due) weather = undefined;
        if (due?.when === "before") return strike(due);
        const result = await call();
        if (due) return strike(due);
        await delay();
        return isDead ? DEAD : result;
      })
      .then((result) => (result === DEAD ? never<T>() : (result as T)));
  }

  async function strike({ what, code }: Weather): Promise<typeof DEAD> {
    if (what === "crash") {
      await die();
      return DEAD;
    }
    failures += 1;
    throw new WorkflowError(code, "This call fails, as the simulation will have it.");
  }

  async function die(): Promise<void> {
    isDead = true;
    for (const release of held) await release();
  }

  const stormy: Store = {
    kind: store.kind,
    durable: store.durable,
    commit: (commit) =>
      attempt(async () => {
        await store.commit(commit);
        guarded(() => witness.committed(commit));
      }),
    delete: (run) =>
      attempt(async () => {
        await store.delete(run);
        witness.deleted(run);
      }),
    putBlob: (hash, content) => attempt(() => store.putBlob(hash, content)),
    sweepBlobs: (keep, before) => attempt(() => store.sweepBlobs(keep, before)),
    putNote: (run, key, text) => attempt(() => store.putNote(run, key, text)),
    head: (run) => attempt(() => store.head(run)),
    read: (run, range) => attempt(() => store.read(run, range)),
    runs: (query) => attempt(() => store.runs(query)),
    checkpoints: (query) => attempt(() => store.checkpoints(query)),
    getBlob: (hash) => attempt(() => store.getBlob(hash)),
    notes: (run, prefix) => attempt(() => store.notes(run, prefix)),
    usage: () => attempt(() => store.usage()),
    async claim(run) {
      if (isDead) return never();
      const release = await world.during(() => store.claim(run));
      if (release === undefined) return undefined;
      const letGo = async (): Promise<void> => {
        held.delete(letGo);
        await release();
      };
      held.add(letGo);
      if (!isDead) return letGo;
      await letGo();
      return never();
    },
    close: () => Promise.resolve(),
  };

  const ids = fakeHost({ seed });
  const host: Host = {
    ...ids,
    now: () => world.now(),
    newId: () => world.now().toString(36).padStart(9, "0") + ids.newId().slice(9),
    // What nothing waits for is no reason to let time pass.
    sleep: (ms, signal, options) => (options?.idle ? new Promise(() => {}) : world.sleep(ms, { signal, isDead: () => isDead })),
    maxParallel: chance?.between(1, 8) ?? 4,
  };
  const blocks = simulatedBlocks({
    witness: {
      ...witness,
      began: (execution) => isDead || guarded(() => witness.began(execution)),
      made: (value) => isDead || guarded(() => witness.made(value)),
      gotAnswer: (answer) => isDead || guarded(() => witness.gotAnswer(answer)),
      gotSignal: (signal) => isDead || guarded(() => witness.gotSignal(signal)),
    },
    delay: () => chance?.between(0, MOST_MS) ?? 1,
  });
  const executor = assembleExecutor({
    store: stormy,
    host,
    blocks,
    reducers: {},
    questions: [],
    builtin: [async () => pureBlocks],
    workflows,
    policy,
    maxParallel: host.maxParallel,
    grants: {},
    secrets: undefined,
    notSecret: [],
    sealer: () => Promise.reject(new Error("Nothing is sealed in a simulation.")),
    // At hand: how long loading takes would let the same seed go another way.
    rooms: {
      maintenance: async () => maintenanceRoom,
      history: historyRoom,
      past: async () => pastRoom,
      migration: async () => migrationRoom,
      schedules: () => Promise.reject(new Error("Nothing is scheduled in a simulation.")),
      secrets: async () => secretsRoom,
      transfer: async () => transferRoom,
    },
    // None is forgotten: when the platform collects memory would let the same seed go another way.
    live: new LiveRuns(new Set()),
    migrate: undefined,
    serializers: [],
    onUnserializable: "refuse",
    onEvent: undefined,
  });

  return {
    executor,
    get isDead() {
      return isDead;
    },
    get failures() {
      return failures;
    },
    expect(next) {
      weather = next && { ...next, after: calls + next.after };
    },
    die,
    close: () => (isDead ? Promise.resolve() : executor.close()),
  };
}

const DEAD = Symbol("dead");

/** What a dead process waits for. */
function never<T>(): Promise<T> {
  return new Promise<T>(() => {});
}
