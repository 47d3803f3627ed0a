import { parseCheckpointId } from "../../core/model/ids.ts";
import type { ErrorData, Pause, PauseReason, ResultMetadata, Run, RunStatus, RunView, Values } from "../../index.ts";
import type { Call } from "./command.ts";
import { durationText } from "./duration.ts";
import { EXIT, exitCodeOf, exitCodeOfError, type ExitCode } from "./exit-code.ts";
import { withGrantAdvice } from "./grants.ts";
import { pauseLines } from "./run-lines.ts";
import { plainJson, valuesText } from "./plain-text.ts";
import { problemLines } from "./problem-lines.ts";
import { withSecretAdvice } from "./secrets.ts";
import { note, type Terminal } from "./terminal.ts";
import { commandText } from "./workspace.ts";

/** What a report says in addition to the state of the run. */
export interface ReportOptions {
  /** Metadata of the execution so far, if the run came to rest. */
  readonly metadata?: ResultMetadata | undefined;
  /** Why the command could not do its work: a refused answer or checkpoint, an interruption. */
  readonly error?: ErrorData | undefined;
  /** Finds the place of the run's own error in a file. */
  readonly locate?: (error: ErrorData) => ErrorData;
}

/** Reports the state of a run after a command, and how to continue. Returns the exit code. */
export function reportRun(run: Run, call: Call, terminal: Terminal, { error, metadata, locate = (own) => own }: ReportOptions): ExitCode {
  const view = run.getSnapshot();
  const found = error ?? (view.error && locate(view.error));
  const shown = found && withGrantAdvice(withSecretAdvice(found));
  const code = exitCode(view, error);
  if (call.has("json")) terminal.out.write(`${plainJson(runDocument(view, shown, metadata))}\n`);
  else if (error?.code === "ABORTED") {
    note(terminal, error.message);
    note(terminal, `Go on with: ${commandText(call, "resume", view.id)}`);
  } else {
    if (shown) for (const line of problemLines(shown, terminal.err)) note(terminal, line);
    if (code === EXIT.invalid) explainRefusal(view, call, terminal);
    else describe(view, call, terminal);
  }
  return code;
}

function exitCode({ status }: RunView, error: ErrorData | undefined): ExitCode {
  if (!error) return exitCodeOf(status);
  return status === "paused" && isRefusedAnswer(error) ? EXIT.paused : exitCodeOfError(error.code);
}

/** Whether an answer was not taken, which leaves its question open. */
export function isRefusedAnswer({ code }: ErrorData): boolean {
  return code === "RESPONSE_INVALID" || code === "RESPONSE_REQUIRED";
}

/** The run is unchanged; the message says what to do instead. */
function explainRefusal({ id }: RunView, call: Call, terminal: Terminal): void {
  const [place] = call.places;
  if (parseCheckpointId(place)) note(terminal, `In a new run: ${commandText(call, "resume", ...call.places, "--fork")}`);
  note(terminal, `See the run: ${commandText(call, "show", id)}`);
}

function describe(view: RunView, call: Call, terminal: Terminal): void {
  const { err, out } = terminal;
  switch (view.status) {
    case "completed":
      note(terminal, err.paint("green", `Completed, ${durationText(view.updatedAt - view.createdAt)} after it was started.`));
      out.write(valuesText(view.outputs ?? {}));
      return;
    case "paused":
      if (view.reason) note(terminal, `The run is stopped for now. Go on with: ${commandText(call, "resume", view.id)}`);
      if (view.pauses.length === 0) return;
      note(terminal, `The run waits for ${view.pauses.length === 1 ? "an answer" : `${view.pauses.length} answers`}:`);
      for (const pause of view.pauses) for (const line of pauseLines(pause, err)) note(terminal, line);
      note(terminal, `Answer with: ${commandText(call, "resume", view.pauses[0]!.id)} ANSWER`);
      return;
    case "failed":
      note(terminal, `Try again what failed: ${commandText(call, "resume", view.id)}`);
      return;
    case "running":
      note(terminal, `Go on with: ${commandText(call, "resume", view.id)}`);
      return;
    case "cancelled":
      note(terminal, "The run was given up. Start another one, or fork it at one of its checkpoints.");
  }
}

/** The state of a run, as `--json` writes it. */
interface RunDocument {
  readonly status: RunStatus;
  /** Returns why the run is paused, if it asks no question. */
  readonly reason?: PauseReason;
  readonly run: string;
  readonly workflow: string;
  readonly outputs?: Values;
  /** The questions that wait; `id` is the checkpoint to resume. */
  readonly pauses: readonly Pause[];
  /** Why the run failed or was interrupted, or why an answer was refused. */
  readonly error?: ErrorData;
  /** Metadata of the execution so far; absent if the run was not executed. */
  readonly metadata?: ResultMetadata;
}

/** A view of a run as a document. `error` takes the place of the run's own. */
export function runDocument(view: RunView, error: ErrorData | undefined = view.error, metadata?: ResultMetadata): RunDocument {
  const { status, reason, id, workflow, outputs, pauses } = view;
  return {
    status,
    ...(reason ? { reason } : {}),
    run: id,
    workflow,
    ...(outputs ? { outputs } : {}),
    pauses,
    ...(error ? { error } : {}),
    ...(metadata ? { metadata } : {}),
  };
}
