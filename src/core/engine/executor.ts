import { WorkflowError } from "../model/errors.ts";
import { assertStoreKey, fullRunId } from "../model/ids.ts";
import type { CleanupReport, StoreMetrics } from "../model/metrics.ts";
import type { RunResult } from "../model/result.ts";
import { isRecord, type Value, type Values } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { BlockType } from "../ports/block.ts";
import type { Grants, SecretsProvider } from "../ports/grants.ts";
import type { Host } from "../ports/host.ts";
import type { Serializer, ValueRules } from "../ports/serializer.ts";
import type { RunEvent } from "../ports/observer.ts";
import type { Sealer } from "../ports/sealer.ts";
import type { Store } from "../ports/store.ts";
import type { CompiledWorkflow } from "./compile.ts";
import type { Migrate } from "./definition/migrate.ts";
import { Definitions } from "./definitions.ts";
import type {
  CheckpointListQuery,
  CleanupOptions,
  Executor,
  ExportOptions,
  ForkOptions,
  ImportOptions,
  ResumeOptions,
  Run,
  RunListQuery,
  StartOptions,
  TransferOptions,
  WaitOptions,
} from "./face.ts";
import { LiveRun } from "./live-run.ts";
import type { ReadyType } from "./ready-type.ts";
import { resolvePolicy, type CheckpointPolicy, type Policy } from "./policy.ts";
import type { Services } from "./services.ts";
import type { SecretGuard } from "./secrets/secret-guard.ts";
import { startSession, type StartRequest } from "./start-run.ts";
import { whileWaiting } from "./waiting.ts";

export interface ExecutorParts {
  readonly store: Store;
  readonly host: Host;
  readonly blocks: readonly BlockType[];
  /** Load built-in block types, one after another, as long as a workflow uses one that is not known. */
  readonly builtin: readonly (() => Promise<readonly BlockType[]>)[];
  readonly workflows: readonly Workflow[];
  readonly policy: CheckpointPolicy | undefined;
  readonly maxParallel: number;
  readonly grants: Grants;
  readonly secrets: SecretsProvider | undefined;
  readonly sealer: () => Promise<Sealer>;
  readonly migrate: Migrate | undefined;
  readonly serializers: readonly Serializer[];
  readonly onUnserializable: ValueRules["onUnserializable"];
  readonly onEvent: ((event: RunEvent) => void) | undefined;
}

/** Hexadecimal digits of a called run's id: 128 bits. */
const CHILD_ID_LENGTH = 32;

/** Puts the parts together. The entry of the package gives them their defaults. */
export function assembleExecutor(parts: ExecutorParts): Executor {
  return new WorkflowExecutor(parts);
}

class WorkflowExecutor implements Executor, Services {
  readonly store: Store;
  readonly host: Host;
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly policy: Policy;
  readonly maxParallel: number;
  readonly grants: Grants;
  readonly values: ValueRules;
  readonly sealer: () => Promise<Sealer>;
  readonly migrate: Migrate | undefined;
  guard: SecretGuard | undefined;
  onEvent: ((event: RunEvent) => void) | undefined;
  readonly #definitions: Definitions;
  /** Runs that somebody holds or that execute; the others are forgotten and read again. */
  readonly #live = new Map<string, WeakRef<LiveRun>>();
  readonly #loading = new Map<string, Promise<LiveRun | undefined>>();
  readonly #listWatchers = new Set<(run?: string) => void>();
  /** Ends the listening to what others change. */
  #unlisten: (() => void) | undefined;
  #closed = false;
  #cleaning: Promise<void> | undefined;
  #cleanedAt = -Infinity;

  constructor({
    store,
    host,
    blocks,
    builtin,
    workflows,
    policy,
    maxParallel,
    grants,
    secrets,
    sealer,
    migrate,
    onEvent,
    ...values
  }: ExecutorParts) {
    this.store = store;
    this.host = host;
    this.policy = resolvePolicy(policy);
    this.maxParallel = maxParallel;
    this.grants = grants;
    this.values = rulesOf(values);
    this.sealer = sealer;
    this.migrate = migrate;
    // What a listener throws is not caught, and stops no run.
    this.onEvent = onEvent && (async (event) => onEvent(event));
    this.#definitions = new Definitions({
      store,
      host,
      blocks,
      grants,
      builtin,
      onSecrets: async () => {
        const { SecretGuard } = await import("./secrets/secret-guard.ts");
        this.guard ??= new SecretGuard(this, secrets);
      },
    });
    this.types = this.#definitions.types;
    for (const workflow of workflows) this.#definitions.add(workflow);
  }

  async load(workflow: Workflow): Promise<void> {
    await this.prepare(workflow);
  }

  prepare(workflow: Workflow): Promise<string> {
    return this.#definitions.prepare(workflow);
  }

  async start(workflow: Workflow | string | StartRequest, inputs?: Values, options: StartOptions = {}): Promise<LiveRun> {
    this.#assertOpen();
    const request = isRequest(workflow)
      ? workflow
      : { workflow: typeof workflow === "string" ? this.workflow(workflow) : workflow, inputs, id: options.id };
    return whileWaiting(options.signal, this.#start(request));
  }

  async #start(request: StartRequest): Promise<LiveRun> {
    const definition = await this.prepare(request.workflow);
    const { ViewKeeper } = await import("./view-keeper.ts");
    const session = await startSession(this, request, definition);
    const run = this.#keep(new LiveRun(this, session, new ViewKeeper(session, this.types)));
    run.drive();
    return run;
  }

  async open(id: string, options: WaitOptions = {}): Promise<Run> {
    this.#assertOpen();
    return whileWaiting(options.signal, this.#open(id));
  }

  async #open(address: string): Promise<LiveRun> {
    const [id, ...blocks] = String(address).split("/");
    assertStoreKey(id, "The run id");
    let run = fullRunId(id);
    for (const block of blocks) run = await this.childId(run, block);
    const live = this.#live.get(run)?.deref();
    const found = live ?? (await this.find(run));
    if (!found) {
      throw new WorkflowError(
        "RUN_NOT_FOUND",
        `Run ${JSON.stringify(address)} was not found. It may have been deleted, or belong to another store.`,
        {
          details: { run: address },
        },
      );
    }
    // What was read just now is as new as can be.
    await (live ? live.refresh() : found.readDrafts());
    return found;
  }

  resume(checkpoint: string, response?: Value, options: ResumeOptions = {}): Promise<RunResult> {
    this.#assertOpen();
    return whileWaiting(
      options.signal,
      import("./resume-checkpoint.ts").then(({ resumeCheckpoint }) => resumeCheckpoint(this, checkpoint, response, options)),
    );
  }

  async answer(pause: string, response: Value, options: WaitOptions = {}): Promise<RunResult> {
    this.#assertOpen();
    const { checkpointNotFound, parsePlace } = await import("./checkpoints.ts");
    const run = await this.find(parsePlace(pause).run);
    if (!run) throw checkpointNotFound(pause);
    return run.answer(pause, response, options);
  }

  async fork(checkpoint: string, options: ForkOptions = {}): Promise<Run> {
    this.#assertOpen();
    return (await import("./time/fork.ts")).fork(this, checkpoint, options);
  }

  async cleanup(options: CleanupOptions = {}): Promise<CleanupReport> {
    this.#assertOpen();
    return (await import("./upkeep/cleanup.ts")).cleanUp(this, options);
  }

  tidy(): void {
    const { autoCleanup, ttlMs, maxPerWorkflow, cleanupIntervalMs } = this.policy;
    const now = this.host.now();
    if (!autoCleanup || !(ttlMs ?? maxPerWorkflow) || this.#cleaning || now - this.#cleanedAt < cleanupIntervalMs) return;
    this.#cleanedAt = now;
    this.#cleaning = import("./upkeep/cleanup.ts").then(({ tidyUp }) => tidyUp(this)).finally(() => (this.#cleaning = undefined));
  }

  async metrics(): Promise<StoreMetrics> {
    return (await import("./upkeep/metrics.ts")).measure(this);
  }

  readonly runs: Executor["runs"] = {
    list: (query: RunListQuery = {}) => this.store.runs(query),
    tree: async (run: string) => (await import("./time/fork-tree.ts")).forkTree(this, run),
    export: async (run: string, options: ExportOptions = {}) => (await import("./moving/export-run.ts")).exportRun(this, run, options),
    import: async (file: string, options: ImportOptions = {}) => {
      this.#assertOpen();
      return (await import("./moving/import-run.ts")).importRun(this, file, options);
    },
    transfer: async (run: string, options: TransferOptions) => {
      this.#assertOpen();
      return (await import("./moving/transfer-run.ts")).transferRun(this, run, options);
    },
    delete: async (id: string) => {
      this.#assertOpen();
      return (await import("./deletion.ts")).deleteRun(this, id);
    },
    watch: (listener: (run?: string) => void) => {
      const own = async (run?: string): Promise<void> => listener(run);
      this.#listWatchers.add(own);
      this.listen();
      return () => void this.#listWatchers.delete(own);
    },
  };

  listen(): void {
    if (!this.#closed) this.#unlisten ??= this.store.watch?.((run) => this.#hear(run));
  }

  #hear(run: string | undefined): void {
    if (run !== undefined) this.#live.get(run)?.deref()?.hear();
    else for (const reference of this.#live.values()) reference.deref()?.hear();
    for (const watcher of this.#listWatchers) watcher(run);
  }

  readonly checkpoints: Executor["checkpoints"] = {
    list: async (query: CheckpointListQuery = {}) => (await import("./list-checkpoints.ts")).listCheckpoints(this.store, query),
    get: async (id: string) => {
      return (await import("./describe-checkpoint.ts")).describeCheckpoint(this, id);
    },
    diff: async (from: string, to: string) => (await import("./time/diff-checkpoints.ts")).diffCheckpoints(this, from, to),
    trim: async (maxPerWorkflow: number) => {
      this.#assertOpen();
      return (await import("./upkeep/trim.ts")).trimCheckpoints(this, maxPerWorkflow);
    },
    delete: async (id: string) => {
      this.#assertOpen();
      return (await import("./deletion.ts")).deleteCheckpoint(this, id);
    },
  };

  async close(): Promise<void> {
    this.#closed = true;
    this.#unlisten?.();
    for (const reference of this.#live.values()) await reference.deref()?.suspend();
    await this.#cleaning;
  }

  workflow(name: string): Workflow {
    return this.#definitions.get(name);
  }

  isOutdated(workflow: string, definition: string): boolean {
    return this.#definitions.isOutdated(workflow, definition);
  }

  definition(hash: string): Promise<CompiledWorkflow> {
    return this.#definitions.byHash(hash);
  }

  async childId(run: string, block: string): Promise<string> {
    return `run_${(await this.host.hash(`${run}/${block}`)).slice(0, CHILD_ID_LENGTH)}`;
  }

  async find(id: string): Promise<LiveRun | undefined> {
    const live = this.#live.get(id)?.deref();
    if (live) return live;
    let loading = this.#loading.get(id);
    if (!loading) {
      loading = this.#load(id);
      this.#loading.set(id, loading);
      void loading.catch(() => {}).then(() => this.#loading.delete(id));
    }
    return loading;
  }

  async #load(id: string): Promise<LiveRun | undefined> {
    const [{ loadSession }, { ViewKeeper }] = await Promise.all([import("./read-run.ts"), import("./view-keeper.ts")]);
    const session = await loadSession(this, id);
    return session && this.#keep(new LiveRun(this, session, new ViewKeeper(session, this.types)));
  }

  #keep(run: LiveRun): LiveRun {
    this.#live.set(run.id, new WeakRef(run));
    forgotten.register(run, { live: this.#live, id: run.id });
    return run;
  }

  drop(id: string): void {
    this.#live.delete(id);
    this.guard?.forget(id);
  }

  #assertOpen(): void {
    if (this.#closed) throw new WorkflowError("STORE_CLOSED", "This executor was closed. Create another one.");
  }
}

/** A workflow has no member `workflow`; what asks for a called run has. */
function isRequest(value: Workflow | string | StartRequest): value is StartRequest {
  return isRecord(value) && "workflow" in value;
}

function rulesOf({ serializers, onUnserializable }: Pick<ExecutorParts, "serializers" | "onUnserializable">): ValueRules {
  const byName = new Map(serializers.map((serializer) => [serializer.name, serializer]));
  if (byName.size === serializers.length) return { serializers: byName, onUnserializable };
  throw new WorkflowError("ID_DUPLICATE", "Two serializers have one name. Rename one: stored values name the serializer that wrote them.");
}

/** Drops the entries of runs nobody holds any more. */
const forgotten = new FinalizationRegistry<{ live: Map<string, WeakRef<LiveRun>>; id: string }>(({ live, id }) => {
  if (!live.get(id)?.deref()) live.delete(id);
});
