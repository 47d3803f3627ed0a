import type { Session } from "../journal/journal.ts";
import type { Decision, OpenResource, Unit } from "../machine/machine.ts";
import type { ErrorData, WorkflowError } from "../model/errors.ts";
import type { RunResult } from "../model/result.ts";
import type { Pause } from "../model/run.ts";
import type { WaitingUntil } from "../ports/block.ts";
import type { ResourceType } from "../ports/resource.ts";

/** How a run goes on. */
export interface GoOnOptions {
  /** Whether one that failed tries again what failed: only where a person wants it, and not because an event came or a process died. */
  readonly revive: boolean;
  /** Set where a worker was given the run, or one of its family: see `Store.orders`. */
  readonly ordered?: true;
  /** Called once what there is to do is under way. */
  begun?(): void;
}

/** A run as this executor holds it, for the parts of the engine: at most one object for each run. */
export interface HeldRun {
  readonly id: string;
  /** The newest reading of the run. */
  readonly session: Session;
  /** Whether this executor executes the run right now. */
  readonly active: boolean;
  /** The live forms of its resources that this process has, by block type and name. */
  readonly connections: Map<string, Connection>;
  /** How the run stands, or nothing while there is something to execute. */
  result(): RunResult | undefined;
  /** What is to be done next with the run, now or at an instant in milliseconds after the start. */
  next(at?: number): Decision;

  /** Closes these resources of the run, by default those that it has open. An event names those that cannot be closed. */
  closeResources(resources?: readonly OpenResource[]): Promise<void>;
  /** Executes what there is to execute, unless that is under way, or workers do; {@link rest} gives the end. */
  drive(): void;
  /** How the run stands once nothing of it executes: settled, or waiting for an instant. */
  rest(): Promise<RunResult | WaitingUntil>;
  /** Executes what there is, and lets the run go on that called this one. */
  goOn(options: GoOnOptions): Promise<void>;
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
}

/** The live form of a resource in this process, and how often one had been opened before it. */
export interface Connection {
  readonly type: ResourceType;
  readonly opened: Promise<{ readonly live: unknown; readonly count: number }>;
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
