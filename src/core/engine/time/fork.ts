import { WorkflowError } from "../../model/errors.ts";
import type { Value, Values } from "../../model/value.ts";
import { checkpointNotFound, entriesAt, parsePlace, type CheckpointPlace } from "../checkpoints.ts";
import type { ForkOptions, Run } from "../face.ts";
import { forkAt } from "../fork-run.ts";
import type { LiveRun } from "../live-run.ts";
import { foldRun } from "../read-run.ts";
import type { Services } from "../services.ts";
import { startSession } from "../start-run.ts";
import type { RunState } from "../state.ts";
import { acceptAnswer } from "./answered-place.ts";
import { findQuestion, storedState } from "./question-place.ts";

/** See `Executor.fork`. */
export async function fork(services: Services, checkpoint: string, options: ForkOptions): Promise<Run> {
  const place = parsePlace(checkpoint);
  const run = await services.find(place.run);
  if (!run) throw checkpointNotFound(checkpoint);
  const entries = entriesAt(await storedState(services, run), place);
  run.assertHere();
  await services.guard?.secure(run.session);
  const past = await foldRun(services, run.id, entries);
  const isRebuilt = options.inputs !== undefined || options.definition !== undefined;
  const answers = await acceptAnswers(services, run, { given: options.answers ?? {}, past, isRebuilt });
  const id = isRebuilt
    ? await rebuild(services, run, { place, past, options, answers })
    : await forkAt(services, { run: run.id, checkpoint, entries, answers }, {});
  const made = await services.find(id);
  made!.drive();
  return made!;
}

interface GivenAnswers {
  readonly given: NonNullable<ForkOptions["answers"]>;
  readonly past: RunState;
  /** Whether the questions are asked again, so that those that had been answered count too. */
  readonly isRebuilt: boolean;
}

/** The answers by the number of the pause. Throws `CHECKPOINT_NOT_FOUND` for what is not asked there, and `RESPONSE_INVALID`. */
async function acceptAnswers(
  services: Services,
  run: LiveRun,
  { given, past, isRebuilt }: GivenAnswers,
): Promise<ReadonlyMap<number, Value>> {
  const answers = new Map<number, Value>();
  for (const [pause, response] of Object.entries(given)) {
    const { run: asked, kind, number } = parsePlace(pause);
    if (asked !== run.id || kind !== "pause" || !past.pauses[number]) throw checkpointNotFound(pause);
    if (!isRebuilt && !past.open.has(number)) {
      throw new WorkflowError(
        "PAUSE_ALREADY_ANSWERED",
        `Pause ${pause} has its answer at this checkpoint. Fork at an earlier one, or revise the answer.`,
        { details: { pause } },
      );
    }
    answers.set(number, await acceptAnswer(services, await findQuestion(services, run, pause), response as Value));
  }
  return answers;
}

interface Rebuilding {
  readonly place: CheckpointPlace;
  readonly past: RunState;
  readonly options: ForkOptions;
  readonly answers: ReadonlyMap<number, Value>;
}

/** Begins anew, and takes over from the past what comes out the same. */
async function rebuild(services: Services, run: LiveRun, { place, past, options, answers }: Rebuilding): Promise<string> {
  const hash = options.definition ? await services.prepare(services.workflow(past.started.workflow)) : past.definition;
  const { workflow } = await services.definition(hash);
  const request = {
    workflow,
    inputs: options.inputs ?? inputsOf(run),
    fork: { run: run.id, checkpoint: place.id, revises: true },
    revises: { run: run.id, entries: past.entries, answers: Object.fromEntries(answers) },
  } as const;
  const session = await startSession(services, request, hash);
  await session.flushed();
  return session.state.id;
}

/** What a run was given, its secrets too. */
function inputsOf({ session }: LiveRun): Values {
  const { started, scope, compiled } = session.state;
  const secret = Object.entries(compiled.workflow.inputs ?? {}).filter(
    ([name, { secret }]) => secret && !Object.hasOwn(started.inputs, name),
  );
  return { ...started.inputs, ...Object.fromEntries(secret.map(([name]) => [name, scope.lookup(["inputs", name]) as Value])) };
}
