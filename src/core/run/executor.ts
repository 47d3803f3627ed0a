import { WorkflowError } from "../model/errors.ts";
import { assertStoreKey, fullRunId } from "../model/ids.ts";
import type { CleanupReport, Recovery, StoreMetrics } from "../model/maintenance.ts";
import type { Answer } from "../model/file-value.ts";
import type { RunResult } from "../model/result.ts";
import { secretKeys } from "../model/secret-keys.ts";
import type { Value, Values } from "../model/value.ts";
import type { Block, Workflow } from "../model/workflow.ts";
import type { BlockType } from "../ports/block.ts";
import type { Grants, SecretsProvider } from "../ports/grants.ts";
import type { AbortControllerLike, Host, Sealer } from "../ports/host.ts";
import type { ChannelReducer, ChannelReducers } from "../ports/reducer.ts";
import type { Serializer, ValueRules } from "../ports/serializer.ts";
import type { RunEvent } from "../ports/observer.ts";
import type { Store } from "../ports/store.ts";
import { type CompiledWorkflow, readReducers } from "../definition/definition.ts";
import type { Migrate } from "../ports/migrate.ts";
import {
  type HeldRun,
  calledIdOf,
  Definitions,
  loadSession,
  type ReadyType,
  type SecretKeeper,
  type StartRequest,
  whileWaiting,
  withWholeClock,
} from "../runner/runner.ts";
import type {
  CheckpointListQuery,
  CleanupOptions,
  Executor,
  ExportOptions,
  ForkOptions,
  ImportOptions,
  RecoverOptions,
  ResumeOptions,
  Run,
  RunListQuery,
  SignalOptions,
  StartOptions,
  TransferOptions,
  WaitOptions,
} from "./api.ts";
import { LiveRun } from "./live-run.ts";
import {
  assertRunPolicy,
  checkpointNotFound,
  type CheckpointPolicy,
  parsePlace,
  type Policy,
  resolvePolicy,
  type Session,
} from "../journal/journal.ts";
import { Housekeeper } from "./housekeeper.ts";
import type { Rooms, RoomServices } from "./rooms.ts";
import { resumeCheckpoint } from "./resume-checkpoint.ts";
import { previousOf, startSession } from "./start-run.ts";
import { startOrOpen } from "../model/start-or-open.ts";
import { assertOptions } from "../model/assert-options.ts";
import type { LiveRuns } from "./live-runs.ts";
import { ViewKeeper } from "./view-keeper.ts";

export interface ExecutorParts extends Pick<RoomServices, "store" | "host" | "maxParallel" | "grants" | "migrate" | "sealer" | "rooms"> {
  readonly blocks: readonly BlockType[];
  /** Built-in block types that are at hand. What they take and give is plain JSON. */
  readonly questions: readonly BlockType[];
  /** Load other built-in block types, one after another, as long as a workflow uses one that is not known. */
  readonly builtin: readonly (() => Promise<readonly BlockType[]>)[];
  readonly workflows: readonly Workflow[];
  readonly live: LiveRuns;
  readonly policy: CheckpointPolicy | undefined;
  readonly reducers: { readonly [name: string]: ChannelReducer };
  readonly secrets: SecretsProvider | undefined;
  readonly serializers: readonly Serializer[];
  readonly onUnserializable: ValueRules["onUnserializable"];
  readonly notSecret: readonly string[];
  readonly onEvent: ((event: RunEvent) => void) | undefined;
}

const EXPORT = { drafts: true, passphrase: true, secrets: true } as const;

/** Hexadecimal digits of a called run's id: 128 bits. */
const CHILD_ID_LENGTH = 32;

/** Puts the parts together. The entry of the package gives them their defaults. */
export function assembleExecutor(parts: ExecutorParts): Executor {
  return new WorkflowExecutor(parts);
}

class WorkflowExecutor implements Executor, RoomServices {
  readonly store: Store;
  readonly host: Host;
  readonly types: ReadonlyMap<string, ReadyType>;
  readonly policy: Policy;
  readonly maxParallel: number;
  readonly grants: Grants;
  readonly reducers: ChannelReducers;
  readonly working: Set<HeldRun> = new Set<HeldRun>();
  readonly values: ValueRules;
  readonly sealer: () => Promise<Sealer>;
  readonly rooms: Rooms;
  readonly migrate: Migrate | undefined;
  guard: SecretKeeper | undefined;
  onEvent: ((event: RunEvent) => void) | undefined;
  readonly #provider: SecretsProvider | undefined;
  readonly #definitions: Definitions;
  readonly #live: LiveRuns;
  readonly #listWatchers = new Set<(run?: string) => void>();
  /** Ends the listening to what others change. */
  #unlisten: (() => void) | undefined;
  #closed = false;
  /** Runs that are being started or opened. */
  readonly #underWay = new Set<Promise<LiveRun>>();
  readonly #housekeeper: Housekeeper;
  /** Ends what looks for runs again and again. */
  readonly #closing: AbortControllerLike;

  constructor(parts: ExecutorParts) {
    const { store, host, grants, rooms, onEvent } = parts;
    this.store = store;
    this.host = withWholeClock(host);
    this.#closing = host.newAbortController();
    this.policy = resolvePolicy(parts.policy);
    this.maxParallel = parts.maxParallel;
    this.grants = grants;
    this.reducers = readReducers(parts.reducers);
    this.values = rulesOf(parts);
    this.sealer = parts.sealer;
    this.rooms = rooms;
    this.migrate = parts.migrate;
    // What a listener throws is not caught, and stops no run.
    this.onEvent = onEvent && (async (event) => onEvent(event));
    this.#provider = parts.secrets;
    this.#live = parts.live;
    this.#definitions = new Definitions({
      store,
      host,
      blocks: parts.blocks,
      grants,
      reducers: this.reducers,
      questions: parts.questions,
      builtin: parts.builtin,
      onSchedule: async (workflow) => (await rooms.schedules()).assertSchedule(workflow),
      onSecrets: async () => void (await this.loadGuard()),
    });
    this.types = this.#definitions.types;
    for (const workflow of parts.workflows) this.#definitions.add(workflow);
    this.#housekeeper = new Housekeeper(this);
  }

  async loadGuard(): Promise<SecretKeeper> {
    const { keepSecrets } = await this.rooms.secrets();
    return (this.guard ??= keepSecrets(this, this.#provider));
  }

  async load(workflow: Workflow): Promise<void> {
    await this.prepare(workflow);
  }

  prepare(workflow: Workflow): Promise<string> {
    return this.#definitions.prepare(workflow);
  }

  loadBlocks(blocks: readonly Block[]): Promise<void> {
    return this.#definitions.loadBlocks(blocks);
  }

  checkExtended(workflow: Workflow): Promise<void> {
    return this.#definitions.checkExtended(workflow);
  }

  async start(workflow: Workflow | string, inputs?: Values, options: StartOptions = {}): Promise<LiveRun> {
    assertOptions("start", options, { id: true, ifExists: true, signal: true, channels: true, policy: true, after: true });
    this.#use();
    const found = typeof workflow === "string" ? this.workflow(workflow) : workflow;
    const { ifExists, ...rest } = options;
    const { id, channels, policy, after, signal } = rest;
    if (ifExists === "resume") {
      const given = { workflow: found, id, open: (run: string) => this.#open(run), start: () => this.start(found, inputs, rest) };
      return whileWaiting(signal, this.#track(startOrOpen(given)));
    }
    assertRunPolicy(policy);
    const request = { workflow: found, inputs, id, channels, policy };
    if (after === undefined) return whileWaiting(signal, this.startRun(request));
    return whileWaiting(signal, this.#track(this.#startAfter(request, after)));
  }

  startRun(request: StartRequest): Promise<LiveRun> {
    return this.#track(this.#start(request));
  }

  async #start(request: StartRequest): Promise<LiveRun> {
    const definition = await this.prepare(request.workflow);
    const run = this.#live.keep(this.#runOf(await startSession(this, request, definition)));
    if (!this.#closed) run.drive();
    return run;
  }

  async #startAfter(request: StartRequest, after: string): Promise<LiveRun> {
    const { session } = await this.#open(after);
    return this.#start({ ...request, previous: previousOf(this, session) });
  }

  async open(id: string, options: WaitOptions = {}): Promise<Run> {
    assertOptions("open", options, { signal: true });
    this.#use();
    return whileWaiting(options.signal, this.#track(this.#open(id)));
  }

  async #open(address: string): Promise<LiveRun> {
    const [id, ...blocks] = String(address).split("/");
    assertStoreKey(id, "The run id");
    let run = fullRunId(id);
    for (const block of blocks) {
      const caller = await this.find(run);
      run = await (caller ? calledIdOf(this, caller.session, block) : this.childId(run, block));
    }
    const live = this.#live.get(run);
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
    assertOptions("resume", options, { fork: true, deleteAfter: true, signal: true });
    this.#use();
    return whileWaiting(options.signal, resumeCheckpoint(this, checkpoint, response, options));
  }

  async answer(pause: string, response: Value, options: WaitOptions = {}): Promise<RunResult> {
    assertOptions("answer", options, { signal: true });
    this.#use();
    const run = await this.find(parsePlace(pause).run);
    if (!run) throw checkpointNotFound(pause);
    return run.answer(pause, response, options);
  }

  async signal(id: string, name: string, value?: Answer, options?: SignalOptions): Promise<void> {
    this.#use();
    return (await this.#track(this.#open(id))).signal(name, value, options);
  }

  async stop(id: string): Promise<RunResult> {
    this.#use();
    return (await this.#track(this.#open(id))).stop();
  }

  async fork(checkpoint: string, options: ForkOptions = {}): Promise<Run> {
    assertOptions("fork", options, {
      answers: true,
      revise: true,
      inputs: true,
      definition: true,
      startAt: true,
      outputs: true,
      channels: true,
    });
    this.#use();
    return (await this.rooms.past()).fork(this, checkpoint, options);
  }

  async cleanup(options: CleanupOptions = {}): Promise<CleanupReport> {
    assertOptions("cleanup", options, { ttlMs: true, maxPerWorkflow: true, keepPaused: true });
    this.#assertOpen();
    return (await this.rooms.maintenance()).cleanUp(this, options);
  }

  recover(options: RecoverOptions = {}): Promise<Recovery> {
    assertOptions("recover", options, { watch: true, everyMs: true, signal: true });
    this.#use();
    const recovering = this.rooms.maintenance().then((room) => room.recoverRuns(this, options, this.#closing.signal));
    // A worker releases what it executes before it ends.
    return this.store.orders
      ? recovering.then((found) => whileWaiting(options.signal, Promise.resolve(found)))
      : whileWaiting(options.signal, recovering);
  }

  runSchedules(options: WaitOptions = {}): Promise<void> {
    assertOptions("runSchedules", options, { signal: true });
    this.#use();
    const running = this.rooms.schedules().then((room) => room.runSchedules(this, options, this.#closing.signal));
    return whileWaiting(options.signal, running);
  }

  tidy(workflow: string): void {
    this.#housekeeper.trim(workflow);
  }

  makeRoom(): Promise<void> {
    return this.#housekeeper.makeRoom();
  }

  async metrics(): Promise<StoreMetrics> {
    return (await this.rooms.maintenance()).measure(this);
  }

  readonly runs: Executor["runs"] = {
    list: async (query: RunListQuery = {}) => {
      assertOptions("runs.list", query, {
        workflow: true,
        status: true,
        topLevel: true,
        where: true,
        conversation: true,
        limit: true,
        after: true,
      });
      const isSearch = query.where !== undefined || query.conversation !== undefined;
      return isSearch ? (await this.rooms.past()).searchRuns(this, query) : this.store.runs(query);
    },
    tree: async (run: string) => (await this.rooms.past()).forkTree(this, run),
    export: async (run: string, options: ExportOptions = {}) => {
      assertOptions("export", options, EXPORT);
      return (await this.rooms.transfer()).exportRun(this, run, options);
    },
    import: async (file: string, options: ImportOptions = {}) => {
      assertOptions("import", options, { accept: true, passphrase: true });
      this.#assertOpen();
      return (await this.rooms.transfer()).importRun(this, file, options);
    },
    checkImport: async (file: string, options: ImportOptions = {}) => {
      assertOptions("checkImport", options, { accept: true, passphrase: true });
      return (await this.rooms.transfer()).checkImport(this, file, options);
    },
    transfer: async (run: string, options: TransferOptions) => {
      assertOptions("transfer", options, { ...EXPORT, to: true });
      this.#assertOpen();
      return (await this.rooms.transfer()).transferRun(this, run, options);
    },
    delete: async (id: string) => {
      this.#assertOpen();
      return (await this.rooms.maintenance()).deleteRun(this, id);
    },
    watch: (listener: (run?: string) => void) => {
      const own = async (run?: string): Promise<void> => listener(run);
      this.#listWatchers.add(own);
      this.listen();
      return () => void this.#listWatchers.delete(own);
    },
  };

  listen(): void {
    if (!this.#closed) this.#unlisten ??= this.store.watch?.((run) => this.#notify(run));
  }

  #notify(run: string | undefined): void {
    if (run !== undefined) this.#live.get(run)?.hint();
    else for (const live of this.#live.values()) live.hint();
    for (const watcher of this.#listWatchers) watcher(run);
  }

  readonly checkpoints: Executor["checkpoints"] = {
    list: async (query: CheckpointListQuery = {}) => {
      assertOptions("checkpoints.list", query, {
        run: true,
        workflow: true,
        kind: true,
        id: true,
        metadata: true,
        limit: true,
        after: true,
      });
      return (await this.rooms.past()).listCheckpoints(this, query);
    },
    get: async (id: string) => (await this.rooms.past()).describeCheckpoint(this, id),
    diff: async (from: string, to: string) => (await this.rooms.past()).diffCheckpoints(this, from, to),
    trim: async (maxPerWorkflow: number) => {
      this.#assertOpen();
      return (await this.rooms.maintenance()).trimCheckpoints(this, maxPerWorkflow);
    },
    delete: async (id: string) => {
      this.#assertOpen();
      return (await this.rooms.maintenance()).deleteCheckpoint(this, id);
    },
  };

  async close(): Promise<void> {
    this.#closed = true;
    this.#unlisten?.();
    this.#closing.abort();
    // What they give belongs to this executor and is closed with it.
    await Promise.allSettled(this.#underWay);
    for (const live of this.#live.values()) await live.close();
    await this.#housekeeper.close();
  }

  workflow(name: string): Workflow {
    return this.#definitions.get(name);
  }

  workflows(): readonly Workflow[] {
    return this.#definitions.all();
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

  find(id: string): Promise<LiveRun | undefined> {
    return this.#live.find(id, async () => {
      const session = await loadSession(this, id);
      return session && this.#runOf(session);
    });
  }

  #runOf(session: Session): LiveRun {
    return new LiveRun(this, session, new ViewKeeper(session, this));
  }

  drop(id: string): void {
    this.#live.delete(id);
    this.guard?.forget(id);
  }

  #track(run: Promise<LiveRun>): Promise<LiveRun> {
    this.#underWay.add(run);
    const end = (): void => void this.#underWay.delete(run);
    run.then(end, end);
    return run;
  }

  /** The executor is open, and used from now on. */
  #use(): void {
    this.#assertOpen();
    this.#housekeeper.begin();
  }

  #assertOpen(): void {
    if (this.#closed) throw new WorkflowError("STORE_CLOSED", "This executor was closed. Create another one.");
  }
}

function rulesOf({
  serializers,
  onUnserializable,
  notSecret,
}: Pick<ExecutorParts, "serializers" | "onUnserializable" | "notSecret">): ValueRules {
  const byName = new Map(serializers.map((serializer) => [serializer.name, serializer]));
  if (byName.size === serializers.length) return { serializers: byName, onUnserializable, isSecretKey: secretKeys(notSecret) };
  throw new WorkflowError("ID_DUPLICATE", "Two serializers have one name. Rename one: stored values name the serializer that wrote them.");
}
