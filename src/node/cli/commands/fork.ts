import { isRecord } from "../../../core/model/value.ts";
import { parseCheckpointId } from "../../../core/model/ids.ts";
import {
  WorkflowError,
  type Answer,
  type Executor,
  type ForkOptions,
  type InputDeclaration,
  type Run,
  type Value,
  type Values,
} from "../../../index.ts";
import { readDataFile } from "../workflow-file.ts";
import { readAnswers } from "../prepared-answers.ts";
import { readGiven } from "../called-workflows.ts";
import { EXECUTION_OPTIONS, type Call, type Command } from "../command.ts";
import { driveRun } from "../drive-run.ts";
import { prepareExecution } from "../grants.ts";
import { fitAnswer } from "../fit-answer.ts";
import { showProgress } from "../progress.ts";
import { readInputs } from "../run-inputs.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";
import { fullId } from "../full-id.ts";

export const forkCommand: Command = {
  name: "fork",
  usage: "CHECKPOINT [OPTIONS]",
  summary: "Make a new run that shares the past of another up to a checkpoint, and continue it.",
  about: [
    "The run it comes from stays as it is. With other inputs, or with --latest, the finished steps that come out otherwise run again. wavepoint show RUN lists the checkpoints of a run.",
  ],
  takes: { least: 1, most: 1 },
  options: [
    { name: "answer", value: "PAUSE=ANSWER", several: true, about: "Answer a pause, by its id in the run that the fork comes from." },
    {
      name: "revise",
      value: "PAUSE=ANSWER",
      several: true,
      about: "Change an answer in the new run, by the id of its pause in the other.",
    },
    { name: "input", value: "NAME=VALUE", several: true, about: "Another input; those that are not named stay." },
    { name: "inputs", value: "FILE", about: "Other inputs as an object in JSON or YAML; --input wins over it." },
    {
      name: "start-at",
      value: "BLOCK",
      about: "Begin at this block: it runs, with all that depends on it, and what is before it does not.",
    },
    {
      name: "outputs",
      value: "FILE|JSON",
      about: "With --start-at: outputs of blocks before it, as an object by block, in the place of those that they have or lack.",
    },
    { name: "channels", value: "FILE|JSON", about: "With --start-at: what channels hold there, as an object." },
    { name: "latest", about: "Go on with the workflow as its file is now; name that with --workflows." },
    ...EXECUTION_OPTIONS,
  ],
  async run(call, terminal) {
    const [id] = call.places as readonly [string];
    if (!parseCheckpointId(id))
      throw new WorkflowError("COMMAND_INVALID", `"${id}" is no checkpoint. See wavepoint show RUN for those of a run.`);
    const startAt = call.value("start-at");
    const outputs = objectOf(call, "outputs");
    const channels = objectOf(call, "channels");
    const book = readAnswers(call.value("answers"));
    const { setup, output } = await prepareExecution(call, terminal);
    const given = await readGiven(call.values("workflows"), { blocks: setup.blocks, terminal });
    return withExecutor({ call, terminal }, { ...setup, workflows: given }, async (executor) => {
      const place = await fullId(executor, id);
      const from = await executor.open(parseCheckpointId(place)!.run);
      const answers = await answersOf({ executor, from, call }, "answer");
      const revise = await answersOf({ executor, from, call }, "revise");
      const inputs = inputsOf(from, call);
      const fork = await executor.fork(place, {
        ...(answers ? { answers } : {}),
        ...(revise ? { revise } : {}),
        ...(inputs ? { inputs } : {}),
        ...(call.has("latest") ? { definition: "latest" } : {}),
        ...(startAt === undefined ? {} : { startAt }),
        ...(outputs ? { outputs: outputs as NonNullable<ForkOptions["outputs"]> } : {}),
        ...(channels ? { channels } : {}),
      });
      note(terminal, `Run ${fork.id} of ${fork.getSnapshot().workflow}, forked at ${place}`);
      const progress = showProgress(fork, terminal, { output });
      return driveRun(fork, fork.settled({ signal: terminal.signal }), { call, terminal, answers: book, progress });
    });
  },
};

async function answersOf(
  { executor, from, call }: { readonly executor: Executor; readonly from: Run; readonly call: Call },
  option: "answer" | "revise",
): Promise<{ readonly [pause: string]: Answer } | undefined> {
  const pairs = call.values(option);
  if (pairs.length === 0) return undefined;
  const asked = new Map((await from.answers()).map(({ pause, schema }) => [pause, schema]));
  const answers = new Map<string, Answer>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw new WorkflowError("COMMAND_INVALID", `"${pair}" is no answer. Write --${option} pause_…=ANSWER.`);
    const pause = await fullId(executor, pair.slice(0, at));
    const schema = asked.get(pause);
    answers.set(pause, schema ? fitAnswer(pair.slice(at + 1), schema) : pair.slice(at + 1));
  }
  return Object.fromEntries(answers);
}

/** The inputs of the run with the others in their place; a text is read as what stood there before. */
function inputsOf(from: Run, call: Call): Values | undefined {
  const file = call.value("inputs");
  const pairs = call.values("input");
  if (file === undefined && pairs.length === 0) return undefined;
  const { inputs } = from.getSnapshot();
  const declared = Object.entries(inputs).map(([name, value]): readonly [string, InputDeclaration] => [name, { type: typeOf(value) }]);
  return { ...inputs, ...readInputs({ inputs: Object.fromEntries(declared) }, { file, pairs }) };
}

/** An object in JSON, or in a file of JSON or YAML. */
function objectOf(call: Call, option: "outputs" | "channels"): Values | undefined {
  const given = call.value(option);
  if (given === undefined) return undefined;
  const value = given.trimStart().startsWith("{") ? readJson(given, option) : readDataFile(given);
  if (isRecord(value)) return value as Values;
  throw new WorkflowError("COMMAND_INVALID", `A file for --${option} holds one object of names and values.`, { place: { source: given } });
}

function readJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `--${option} holds no readable JSON: ${(error as Error).message}.`, { cause: error });
  }
}

function typeOf(value: Value): InputDeclaration["type"] {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" || typeof value === "boolean") return typeof value === "number" ? "number" : "boolean";
  return typeof value === "object" && value !== null ? "object" : "string";
}
