import { questionBlocks } from "./core/blocks/first-blocks.ts";
import { historyRoom } from "./core/history/history.ts";
import { assembleExecutor, type Executor, LiveRuns } from "./core/run/run.ts";
import type { Migrate } from "./core/ports/migrate.ts";
import type { CheckpointPolicy } from "./core/journal/journal.ts";
import { WorkflowError } from "./core/model/errors.ts";
import type { Workflow } from "./core/model/workflow.ts";
import type { BlockType } from "./core/ports/block.ts";
import type { Grants, SecretsProvider } from "./core/ports/grants.ts";
import type { Host } from "./core/ports/host.ts";
import type { ChannelReducer } from "./core/ports/reducer.ts";
import type { RunEvent } from "./core/ports/observer.ts";
import type { Serializer } from "./core/ports/serializer.ts";
import type { Store } from "./core/ports/store.ts";
import { defaultHost } from "./default-host.ts";
import { assertOptions, type OptionNames } from "./core/model/assert-options.ts";

/** The store of an executor, and what its workflows may use. */
export interface ExecutorOptions {
  /** Where runs live. */
  readonly store: Store;
  /** Workflows that can be started by name and called by other workflows. */
  readonly workflows?: readonly Workflow[];
  /** Block types beside the built-in ones. One with the name of a built-in type replaces it. */
  readonly blocks?: readonly BlockType[];
  /**
   * When steps are written, what is kept of a run, and for how long. Default: steps are written in the background, and everything is kept.
   */
  readonly policy?: CheckpointPolicy;
  /** How many blocks of a wave run at the same time, from 1. Default: 16 in Node, 6 in a browser. */
  readonly maxParallel?: number;
  /**
   * Ways to combine changes of channels beside `replace`, `append`, `sum`, `merge` and `union`, by the names that `reduce` of a channel uses. Default:
   * none.
   */
  readonly reducers?: { readonly [name: string]: ChannelReducer };
  /** What blocks may touch: files, commands, hosts. Default: nothing. */
  readonly grants?: Grants;
  /** Gives the values of secrets: when a run that needs some starts, and when it continues in another process. Default: there are no secrets. */
  readonly secrets?: SecretsProvider;
  /**
   * Names that look secret and are not, such as `next_page_token`, in exactly this spelling. Values under other names that end with `password`,
   * `secret`, `token`, `credential` or `api_key` are kept in memory only. Default: none.
   */
  readonly notSecret?: readonly string[];
  /** Store objects of your own classes. The first one that accepts an object is used. Default: none. */
  readonly serializers?: readonly Serializer[];
  /**
   * What to do with functions, symbols, cycles and objects that no serializer accepts. `refuse`: the block fails with `VALUE_UNSERIALIZABLE`. `drop`:
   * members are left out, items of lists become `null`, and an event `dropped` says where. Default: `refuse`.
   */
  readonly onUnserializable?: "refuse" | "drop";
  /**
   * Maps blocks of a run that have begun to the definition loaded now (`resume({ definition: "latest" })`), where they are missing or have another
   * type. Default: such a run is refused with `DEFINITION_MISMATCH`.
   */
  readonly migrate?: Migrate;
  /** Called with everything that is recorded, and with what blocks write while they work. Errors that it throws are not caught. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Clock, randomness and timers. Default: those of the platform. */
  readonly host?: Host;
}

const OPTIONS: OptionNames<ExecutorOptions> = {
  store: true,
  workflows: true,
  blocks: true,
  policy: true,
  maxParallel: true,
  reducers: true,
  grants: true,
  secrets: true,
  notSecret: true,
  serializers: true,
  onUnserializable: true,
  migrate: true,
  onEvent: true,
  host: true,
};

/**
 * Makes an executor. Its workflows are checked in full before their first run; `load` does that earlier. Throws `WORKFLOW_DUPLICATE` for two
 * different workflows of one name, `KEY_UNKNOWN` for an unknown option, and `ID_INVALID`, `ID_DUPLICATE` or `SCHEMA_INVALID` for a wrong reducer.
 */
export function createExecutor(options: ExecutorOptions): Executor {
  assertOptions("createExecutor", options, OPTIONS);
  assertStore((options as ExecutorOptions | undefined)?.store);
  const host = options.host ?? defaultHost();
  return assembleExecutor({
    store: options.store,
    host,
    blocks: options.blocks ?? [],
    questions: questionBlocks,
    builtin: [
      async () => (await import("./core/blocks/pure-blocks.ts")).pureBlocks,
      async () => (await import("./core/blocks/host-blocks.ts")).hostBlocks,
      async () => [(await import("./core/blocks/shell.ts")).shellBlock],
    ],
    workflows: options.workflows ?? [],
    policy: options.policy,
    reducers: options.reducers ?? {},
    grants: options.grants ?? {},
    secrets: options.secrets,
    notSecret: options.notSecret ?? [],
    serializers: options.serializers ?? [],
    onUnserializable: options.onUnserializable ?? "refuse",
    sealer: async () => (await import("./seal-text.ts")).textSealer,
    rooms: {
      maintenance: async () => (await import("./core/maintenance/maintenance.ts")).maintenanceRoom,
      history: historyRoom,
      past: async () => (await import("./core/history/past.ts")).pastRoom,
      migration: async () => (await import("./core/migration/migration.ts")).migrationRoom,
      schedules: async () => (await import("./core/maintenance/schedules.ts")).schedulesRoom,
      secrets: async () => (await import("./core/secrets/secrets.ts")).secretsRoom,
      transfer: async () => (await import("./core/transfer/transfer.ts")).transferRoom,
    },
    live: new LiveRuns(),
    migrate: options.migrate,
    onEvent: options.onEvent,
    maxParallel: Math.max(1, options.maxParallel ?? host.maxParallel),
  });
}

/** Refuses what JavaScript lets pass for a store: the promise of one, the function that makes one, nothing. Throws `STORE_UNAVAILABLE`. */
function assertStore(store: Partial<Store> | undefined): void {
  if (typeof store?.commit === "function") return;
  throw new WorkflowError("STORE_UNAVAILABLE", `The \`store\` that createExecutor was given is no store. ${advise(store)}`);
}

function advise(given: unknown): string {
  if (typeof given === "function") return "It is a function: call it, as in memoryStore().";
  if (given instanceof Promise) return "It is a promise: wait for it, as in await openStore(address).";
  return "Give one, such as memoryStore(), indexedDbStore({ name }) or filesystemStore(directory).";
}
