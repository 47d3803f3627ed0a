import type { Session } from "../journal/journal.ts";
import type { Decision, OpenResource, Unit } from "../machine/machine.ts";
import type { ErrorData, WorkflowError } from "../model/errors.ts";
import type { RunResult } from "../model/result.ts";
import type { Pause } from "../model/run.ts";
import type { WaitingUntil } from "../ports/block.ts";
import type { ResourceType } from "../ports/resource.ts";

/** How a run continues. */
export interface GoOnOptions {
  /** Whether a failed run retries what failed: only if a person wants that, not because an event came or a process died. */
  readonly revive: boolean;
  /** Set where a worker was given the run, or one of its family: see `Store.orders`. */
  readonly ordered?: true;
  /** Called once the work has begun. */
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
  /** The result of the run; nothing while there is something to execute. */
  result(): RunResult | undefined;
  /** The next decision of the machine, for now or for an instant in milliseconds after the start. */
  next(at?: number): Decision;

  /** Closes these resources of the run, by default those that it has open. An event names those that cannot be closed. */
  closeResources(resources?: readonly OpenResource[]): Promise<void>;
  /** Begins to execute the run, unless it is under way, or workers do that. {@link rest} waits for it. */
  drive(): void;
  /** Waits until nothing of the run executes, and gives its result, or the instant that it waits for. */
  rest(): Promise<RunResult | WaitingUntil>;
  /** Executes the run until it rests, then continues the run that called it. */
  goOn(options: GoOnOptions): Promise<void>;
  /** Resolves when nothing is being executed by this executor. */
  idle(): Promise<void>;
  /** Aborts what executes, and waits for it no longer. */
  stopWork(reason: WorkflowError): void;
  /** The blocks and items that this executor executes right now. */
  running(): readonly Unit[];

  /** Throws `RUN_TRANSFERRED` or `DEFINITION_UNTRUSTED` where the run must not continue here. */
  assertHere(): void;
  /** Reads what other tabs and processes wrote. Does nothing while this executor executes the run: then a write finds out. */
  update(): Promise<void>;
  /** The same, also while the run executes: if one of its writes was refused, waits for the work to end first. */
  catchUp(): Promise<void>;
  /** Reads the run again, as it is stored. */
  reload(): Promise<void>;
}

/** The live form of a resource in this process, and how often one had been opened before it. */
export interface Connection {
  readonly type: ResourceType;
  readonly opened: Promise<{ readonly live: unknown; readonly count: number }>;
}

/** Shows a run to its subscribers. The runner tells it what changes. */
export interface RunDisplay {
  /** Replaces the session with a newer reading of the run. */
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
