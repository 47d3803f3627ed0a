import type { AnsweredEntry, CompletedEntry, PausedEntry } from "../../model/journal.ts";
import type { Encoded } from "../../model/encoding.ts";
import { assertRoom, entryText } from "../record-step.ts";
import type { PauseState } from "../state.ts";
import type { Step } from "../step.ts";
import type { Match } from "./match-step.ts";

/**
 * Records a step as another run has it: its questions with their answers, then what it gave. All of it is stored at once, or nothing. Throws
 * `CHECKPOINT_TOO_LARGE`.
 */
export async function recordKept(step: Step, { record, pauses }: Match): Promise<void> {
  const { session } = step.around;
  const outputs = await session.encode(record.outputs, `The output of block "${step.block}"`);
  const questions: (readonly [PauseState, Encoded])[] = [];
  for (const pause of pauses)
    questions.push([pause, await session.encode(pause.metadata, `The metadata of a question of block "${step.block}"`)]);
  if (step.hasEnded) return;
  const { item } = step.unit;
  const fields = { block: step.block, ...(item === undefined ? {} : { item }), at: session.now() };
  const ms = record.ms > 0 ? { ms: record.ms } : {};
  const entry: CompletedEntry = { type: "completed", ...fields, ...ms, outputs: outputs.encoded, kept: true };
  const text = entryText(entry, `The outputs of block "${step.block}"`);
  assertRoom(session, text.length);
  for (const [pause, metadata] of questions) recordQuestion(step, pause, { fields, metadata });
  session.record(entry, { ...entry, outputs: outputs.value }, text);
}

interface Recorded {
  readonly fields: Pick<PausedEntry, "block" | "item" | "at">;
  readonly metadata: Encoded;
}

function recordQuestion(step: Step, { entry, answer }: PauseState, { fields, metadata }: Recorded): void {
  const { session } = step.around;
  const { prompt, schema, path, asks, child, title, sensitive } = entry;
  const pause = session.state.pauses.length;
  const question: PausedEntry = {
    type: "paused",
    ...fields,
    pause,
    prompt,
    schema,
    metadata: metadata.encoded,
    ...(path ? { path } : {}),
    ...(asks === undefined ? {} : { asks }),
    ...(child === undefined ? {} : { child }),
    ...(title === undefined ? {} : { title }),
    ...(sensitive ? { sensitive } : {}),
  };
  session.record(question, { ...question, metadata: metadata.value });
  const { response, action, by } = answer!;
  const given: AnsweredEntry = {
    type: "answered",
    pause,
    response,
    ...(action ? { action } : {}),
    by: by === "timeout" ? by : "earlier",
    at: fields.at,
  };
  session.record(given);
}
