import type { FieldError } from "../../core/model/value-problem.ts";
import { isWorkflowError, pickText, type Answer, type ErrorData, type Pause, type Run, type RunResult } from "../../index.ts";
import type { AnswerBook } from "./prepared-answers.ts";
import { askPause, type PersonReply } from "./ask-pause.ts";
import type { Call } from "./command.ts";
import type { ExitCode } from "./exit-code.ts";
import { fitAnswer } from "./fit-answer.ts";
import { ownLanguage } from "./form-fields.ts";
import { plainText } from "./plain-text.ts";
import type { Progress } from "./progress.ts";
import { isRefusedAnswer, reportRun, type ReportOptions } from "./run-report.ts";
import { note, type Terminal } from "./terminal.ts";

export interface Drive {
  readonly call: Call;
  readonly terminal: Terminal;
  readonly answers: AnswerBook;
  readonly progress: Progress;
  /** The question to be asked first. */
  readonly first?: string | undefined;
  readonly locate?: ReportOptions["locate"];
}

const INTERRUPTED: ErrorData = { code: "ABORTED", message: "Interrupted. Everything that was done and answered is kept." };

/**
 * Follows a run to its end: answers its questions from the prepared answers, then by asking a person. If neither is left, or the process is asked to stop,
 * the run stays as it is. Reports the state of the run and returns the exit code.
 */
export async function driveRun(run: Run, started: Promise<RunResult>, drive: Drive): Promise<ExitCode> {
  const { call, terminal, answers, progress, locate } = drive;
  let outcome: Outcome;
  try {
    outcome = await answerAll(run, started, drive);
  } catch (thrown) {
    if (!isWorkflowError(thrown) || thrown.code !== "ABORTED") throw thrown;
    outcome = { error: INTERRUPTED };
  } finally {
    progress.rest();
    progress.end();
  }
  const code = reportRun(run, call, terminal, { ...outcome, ...(locate ? { locate } : {}) });
  const unused = answers.unused();
  if (unused.length > 0) note(terminal, `Nothing asked for these answers: ${plainText(unused.join(", "))}.`);
  return code;
}

/** The end of a run for the report: `error` is what stopped it, if that was neither the run itself nor a missing answer. */
type Outcome = Pick<ReportOptions, "error" | "metadata">;

async function answerAll(run: Run, started: Promise<RunResult>, drive: Drive): Promise<Outcome> {
  const { terminal, answers, progress, call } = drive;
  const { signal } = terminal;
  let result = await started;
  let last: { readonly id: string; readonly response: Answer } | undefined;
  const reply = (id: string, said: PersonReply): Promise<RunResult> => {
    if ("skips" in said) return run.decline(id, { action: "skip", signal });
    last = { id, response: said.response };
    return run.answer(id, said.response, { signal });
  };
  for (;;) {
    progress.rest();
    const refusal = result.status === "failure" && run.getSnapshot().status !== "failed" ? result.error : undefined;
    const { metadata } = result;
    if (refusal && !isRefusedAnswer(refusal)) return run.getSnapshot().status === "cancelled" ? { metadata } : { error: refusal };
    const { pauses } = run.getSnapshot();
    const waiting = pauses.toSorted((a, b) => Number(b.id === drive.first) - Number(a.id === drive.first));
    if (waiting.length === 0) return { error: refusal, metadata };
    const written = refusal ? undefined : firstWritten(waiting, answers);
    if (written) {
      result = await reply(written.pause.id, written.said);
      continue;
    }
    if (!terminal.interactive || call.has("json")) return { error: refusal, metadata };
    const pause = waiting.find(({ id }) => id === last?.id) ?? waiting[0]!;
    if (refusal) note(terminal, terminal.err.paint("red", plainText(refusalText(refusal))));
    const refused = refusal && last?.id === pause.id ? { response: last.response, error: refusal } : undefined;
    const said = await askPause(pause, { terminal, keep: (draft) => run.saveDraft(pause.id, draft) }, refused);
    if (!said) return { error: INTERRUPTED };
    result = await reply(pause.id, said);
  }
}

/** Returns why an answer was refused: in the author's words and the language of the terminal, if the question has a message for each problem. */
function refusalText({ message, details }: ErrorData): string {
  const texts = ((details?.["errors"] ?? []) as unknown as readonly FieldError[]).map(({ text }) => text);
  return texts.length === 0 || texts.includes(undefined) ? message : texts.map((text) => pickText(text!, ownLanguage())).join(" ");
}

/** The first of these questions that has an answer in the book, and the answer. */
export function firstWritten(
  pauses: readonly Pause[],
  answers: AnswerBook,
): { readonly pause: Pause; readonly said: PersonReply } | undefined {
  for (const pause of pauses) {
    const answer = answers.take(pause);
    // A `null` skips a question that may be skipped.
    if (answer === null && pause.allows.skip) return { pause, said: { skips: true } };
    if (answer !== undefined) return { pause, said: { response: fitAnswer(answer, pause.schema) } };
  }
  return undefined;
}
