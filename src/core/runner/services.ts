import { type EntryGuard, holdsSecrets, type JournalParts, type Maskable, type Session } from "../journal/journal.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { Decision, Unit } from "../machine/machine.ts";
import type { ErrorData, WorkflowError } from "../model/errors.ts";
import type { RunResult } from "../model/result.ts";
import type { Pause, RunParent } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { Waiting } from "../ports/block.ts";
import type { Grants } from "../ports/grants.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { ReadyTypes } from "./ready-type.ts";

/** What making runs go on takes of an executor. */
export interface RunnerServices extends JournalParts {
  /** Block types by name. */
  readonly types: ReadyTypes;
  readonly maxParallel: number;
  readonly grants: Grants;
  /** What keeps secrets; there is none before a workflow may hold some. */
  readonly guard: SecretKeeper | undefined;
  loadGuard(): Promise<SecretKeeper>;
  /** A loaded workflow. Throws `WORKFLOW_NOT_FOUND`. */
  workflow(name: string): Workflow;
  /** Checks a workflow in full and stores its definition; gives the hash. */
  prepare(workflow: Workflow): Promise<string>;
  /** Makes a run and stores its first entry. */
  startRun(request: StartRequest): Promise<HeldRun>;
  /** The one live object of a stored run, or nothing where there is no such run. */
  find(run: string): Promise<HeldRun | undefined>;
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
  /** Chosen by the caller of `start`, without `run_`. */
  readonly id?: string | undefined;
  /** For a called run: its id, the caller, the names of the workflows whose calls lead to it, and the revision of the caller that it follows. */
  readonly child?: { readonly id: string; readonly parent: RunParent; readonly callers: readonly string[]; readonly entered: number };
}

/** The inputs of a run, checked, as they may be recorded. Throws `INPUT_INVALID` and what secrets throw. */
export async function admitInputs(
  services: RunnerServices,
  id: string,
  compiled: CompiledWorkflow,
  request: Pick<StartRequest, "inputs" | "child">,
): Promise<Values> {
  if (services.guard) return services.guard.admit(id, compiled, request);
  const inputs = compiled.inputs(request.inputs);
  return holdsSecrets(inputs, services.values.isSecretKey) ? (await services.loadGuard()).admit(id, compiled, request) : inputs;
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

/** A run as this executor holds it, for the parts of the engine: at most one object for each run. */
export interface HeldRun {
  readonly id: string;
  /** The newest reading of the run. */
  readonly session: Session;
  /** Whether this executor executes the run right now. */
  readonly active: boolean;
  /** How the run stands, or nothing while there is something to execute. */
  result(): RunResult | undefined;
  /** What is to be done next with the run, now or at an instant in milliseconds after the start. */
  next(at?: number): Decision;

  /** Executes what there is to execute, unless that is under way; {@link rest} gives the end. */
  drive(): void;
  /** How the run stands once nothing of it executes: settled, or waiting for an instant. */
  rest(): Promise<RunResult | Waiting>;
  /** Executes what there is, what failed once more, and lets the run go on that called this one. */
  goOn(): Promise<void>;
  /** Resolves when nothing is being executed by this executor. */
  idle(): Promise<void>;
  /** Aborts what executes, and waits for it no longer. */
  stopWork(reason: WorkflowError): void;
  /** The blocks and items that this executor executes right now. */
  running(): readonly Unit[];

  /** Throws `RUN_TRANSFERRED` or `DEFINITION_UNTRUSTED` where the run does not go on here. */
  assertHere(): void;
  /** Reads what other tabs and processes wrote. Does nothing while this executor executes the run: then a write finds out. */
  update(): Promise<void>;
  /** Reads what others wrote, also where it executes: if a write of this run was refused, that ends first. */
  catchUp(): Promise<void>;
  /** Reads the run again, as it is stored. */
  reload(): Promise<void>;

  /** The run that called this one. */
  caller(): Promise<HeldRun | undefined>;
  /** The run that called this one goes on too, through all levels. */
  informCaller(): Promise<void>;
  /** The id of the run that a unit calls. */
  childId(unit: Unit): Promise<string>;
  /** The same of a unit by its name. */
  childOf(name: string): Promise<string>;
}

/** What shows a run to those who look. The runner says what changes. */
export interface RunDisplay {
  /** Another reading of the run takes the place of the one before. */
  replace(session: Session): void;
  /** Whether the run executes here, and what ended that, if it was not the run itself. */
  setActive(active: boolean, error: ErrorData | undefined): void;
  /** A block turned out to take time, or is done. */
  setRunning(unit: Unit, startedAt: number | undefined): void;
  setChild(unit: Unit, run: string): void;
  /** The blocks and items that execute here right now. */
  running(): readonly Unit[];
  /** The questions that wait for an answer. */
  pauses(): readonly Pause[];
}
