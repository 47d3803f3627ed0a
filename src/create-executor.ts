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

/** What an executor is made with: its store, and what workflows may use. */
export interface ExecutorOptions {
  /** Where runs live. */
  readonly store: Store;
  /** Workflows that can be started by name and called by other workflows. */
  readonly workflows?: readonly Workflow[];
  /** Block types beside the built-in ones; one of the same name takes the place of a built-in one. */
  readonly blocks?: readonly BlockType[];
  /**
   * When steps are written, what of a run is kept, and for how long. Default: written in the background, all of it, without a time limit.
   */
  readonly policy?: CheckpointPolicy;
  /** How many blocks of a wave run at the same time, from 1. Default: 16 in Node, 6 in a browser. */
  readonly maxParallel?: number;
  /**
   * How changes of channels combine beside `replace`, `append`, `sum`, `merge` and `union`: by the name that the `reduce` of a channel gives. Default: there
   * are none.
   */
  readonly reducers?: { readonly [name: string]: ChannelReducer };
  /** What blocks may touch: files, commands, hosts. Default: nothing. */
  readonly grants?: Grants;
  /** Gives the values of secrets. Asked when a run that needs some starts, and again when it goes on in another process. Default: there are none. */
  readonly secrets?: SecretsProvider;
  /**
   * Names of members whose values are no secrets though they end like it, such as `next_page_token`: in exactly this spelling. What stands under
   * other names that end with `password`, `secret`, `token`, `credential` or `api_key` is kept in memory only. Default: none is exempt.
   */
  readonly notSecret?: readonly string[];
  /** Keep objects of your own classes in the values of runs. Of two that accept an object the first does. Default: there are none. */
  readonly serializers?: readonly Serializer[];
  /**
   * What becomes of functions, symbols, cycles and objects that no serializer accepts. `refuse`: the block fails with
   * `VALUE_UNSERIALIZABLE`. `drop`: such members are left out, items of lists become `null`, and an event `dropped` says where. Default: `refuse`.
   */
  readonly onUnserializable?: "refuse" | "drop";
  /**
   * Says what becomes of the blocks of a run that is to go on with the definition loaded now (`resume({ definition: "latest" })`), where some that
   * have begun are missing there or have another type. Default: such a run is refused with `DEFINITION_MISMATCH`.
   */
  readonly migrate?: Migrate;
  /** Called with everything that is recorded and with what blocks write while they work. What it throws is not caught. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Clock, chance and timers. Default: the platform's. */
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
 * Makes an executor. Its workflows are checked in full before their first run; `load` checks one ahead of that. Throws
 * `WORKFLOW_DUPLICATE` for two different workflows of one name, `KEY_UNKNOWN` for an option that there is not, and for reducers that cannot be `ID_INVALID`,
 * `ID_DUPLICATE` and `SCHEMA_INVALID`.
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
