import type { EntryGuard, JournalParts, Maskable, Session } from "../journal/journal.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { RunPolicy } from "../model/policy.ts";
import type { PreviousRun, RunParent } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { Grants } from "../ports/grants.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { ChannelReducers } from "../ports/reducer.ts";
import type { HeldRun } from "./held-run.ts";
import type { ReadyTypes } from "./ready-type.ts";

/** What making runs go on takes of an executor. */
export interface RunnerServices extends JournalParts {
  /** Block types by name. */
  readonly types: ReadyTypes;
  readonly maxParallel: number;
  readonly grants: Grants;
  /** Reducers of channels beside the built-in ones. */
  readonly reducers: ChannelReducers;
  /** What keeps secrets; there is none before a workflow may hold some. */
  readonly guard: SecretKeeper | undefined;
  loadGuard(): Promise<SecretKeeper>;
  /** A loaded workflow. Throws `WORKFLOW_NOT_FOUND`. */
  workflow(name: string): Workflow;
  /** Checks a workflow in full and stores its definition; gives the hash. */
  prepare(workflow: Workflow): Promise<string>;
  /** Checks a definition in full that is not stored, with the code of its blocks loaded. Throws its first problem. */
  checkExtended(workflow: Workflow): Promise<void>;
  /** Makes a run and stores its first entry. */
  startRun(request: StartRequest): Promise<HeldRun>;
  /** The one live object of a stored run, or nothing where there is no such run. */
  find(run: string): Promise<HeldRun | undefined>;
  /** The runs that execute here. Nothing else may lead to one whose blocks wait for nothing but their signal. */
  readonly working: Set<HeldRun>;
  /** Begins to listen to what other tabs and processes change. */
  listen(): void;
  /** A run of a workflow has come to rest: a good moment to remove what the policy lets go. */
  tidy(workflow: string): void;
  /** The id of the run that a block of a run calls. */
  childId(run: string, block: string): Promise<string>;
}

/** A run that is to be made. */
export interface StartRequest {
  readonly workflow: Workflow;
  readonly inputs: Values | undefined;
  /** What channels hold at the start, where that is not their default. */
  readonly channels?: Values | undefined;
  /** How the run is kept, where the start says so. */
  readonly policy?: RunPolicy | undefined;
  /** The run that this one goes on from, with what it gave. */
  readonly previous?: PreviousRun & { readonly outputs: Values };
  /** Chosen by the caller of `start`, without `run_`. */
  readonly id?: string | undefined;
  readonly child?: CalledStart;
}

/** What a called run has from its caller. */
interface CalledStart {
  readonly id: string;
  readonly parent: RunParent;
  /** Names of the workflows whose calls lead to it. */
  readonly callers: readonly string[];
  /** The revision of the caller that it follows. */
  readonly entered: number;
  /** How the caller is kept, where that is said: all that a run calls is kept like it. */
  readonly policy?: RunPolicy | undefined;
}

/** What keeps the secrets of runs: it gets them before anything of a run executes, and masks what leaves. */
export interface SecretKeeper extends EntryGuard {
  /** Checks the inputs of a run that is about to start, keeps its secrets, and gives what of the inputs may be recorded. */
  admit(run: string, compiled: CompiledWorkflow, request: Pick<StartRequest, "inputs" | "child">): Promise<Values>;
  /** Gets the secrets of a run before anything of it executes or is recorded here. Throws `SECRET_MISSING` and `SECRET_TOO_SHORT`. */
  secure(session: Session): Promise<void>;
  /** Keeps what stands under secret keys of a run beside its journal, where the store seals what it is given. */
  save(session: Maskable): Promise<void>;
  /** Gets what markers stand for where this process does not have it. Throws `SECRET_MISSING`; the run is left as it is. */
  regain(session: Session, markers: Iterable<string>, signal: PlatformSignal): Promise<void>;
  /** The secrets of a run, for a sealed file: inputs by name, the others by marker. Throws what {@link secure} throws. */
  secretsOf(session: Session): Promise<ReadonlyMap<string, string | number>>;
  /** Takes in the secrets that a run brought along, as {@link secretsOf} told them. */
  bring(run: string, secrets: ReadonlyMap<string, string | number>): Promise<void>;
  /** Forgets the secrets of a run that was deleted. */
  forget(run: string): void;
}
