import { parseCheckpointId } from "../../../core/model/ids.ts";
import type { CheckpointInfo, Executor, ListedCheckpoint, RunPolicy, RunView, Values } from "../../../index.ts";
import { blockLine, pauseLines, undoLine, waveLine } from "../run-lines.ts";
import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { timeText } from "../duration.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { plainJson, plainLine, shorten, tableLines, valuesText } from "../plain-text.ts";
import { problemLines } from "../problem-lines.ts";
import type { Output } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";

/** The most checkpoints shown of a run; people continue from the newest ones. */
const MAX_CHECKPOINTS = 100;
/** The most characters shown of a checkpoint's metadata. */
const MAX_METADATA = 120;

export const showCommand: Command = {
  name: "show",
  usage: "RUN_OR_CHECKPOINT [OPTIONS]",
  summary: "Show how a run stands: waves, steps, questions, outputs and checkpoints; or the state at a checkpoint.",
  about: ["Nothing is executed. The run that a block called is shown by RUN/BLOCK."],
  takes: { least: 1, most: 1 },
  options: [...STORE_OPTIONS, JSON_OPTION],
  run(call, terminal) {
    const { out } = terminal;
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const place = await fullId(executor, call.places[0]!);
      const found = parseCheckpointId(place) ? await readCheckpoint(executor, place) : await readRun(executor, place);
      if (call.has("json")) out.write(`${plainJson(found)}\n`);
      else for (const line of "steps" in found ? runLines(found, out) : checkpointLines(found)) out.write(`${line}\n`);
      return EXIT.completed;
    });
  },
};

async function readRun(executor: Executor, place: string) {
  const run = await executor.open(place);
  const steps = await run.steps();
  const { id, ...view } = run.getSnapshot();
  const { items } = await executor.checkpoints.list({ run: id, limit: MAX_CHECKPOINTS });
  return { run: id, ...view, steps, checkpoints: items };
}

function readCheckpoint(executor: Executor, place: string): Promise<CheckpointInfo> {
  return executor.checkpoints.get(place);
}

type ShownRun = Awaited<ReturnType<typeof readRun>>;

function* runLines(found: ShownRun, out: Output): Generator<string> {
  const {
    run,
    workflow,
    status,
    reason,
    createdAt,
    updatedAt,
    parent,
    fork,
    previous,
    policy,
    inputs,
    waves,
    pauses,
    outputs,
    error,
    steps,
    checkpoints,
    transferredTo,
    channels,
    files = [],
    compensations = [],
  } = found;
  yield* tableLines([
    ["Run", run],
    ["Workflow", workflow],
    ["Status", reason === undefined ? status : `${status} (${reason})`],
    ["Started", timeText(createdAt)],
    ["Changed", timeText(updatedAt)],
    ...(parent ? [["Called by", `${parent.run}, block ${parent.block}`]] : []),
    ...(fork ? [["Forked at", fork.checkpoint]] : []),
    ...(previous
      ? [
          ["Goes on from", previous.run],
          ["Conversation", previous.conversation],
        ]
      : []),
    ...(policy ? [["Policy", policyText(policy)]] : []),
    ...(transferredTo === undefined ? [] : [["Handed over to", plainLine(transferredTo)]]),
  ]);
  if (error) yield* ["", ...problemLines(error, out)];
  yield* section("Inputs", valuesText(inputs), out);
  yield "";
  yield* waveLines(waves, { steps, out });
  if (compensations.length > 0) yield undoLine(out);
  for (const block of compensations) yield blockLine(block, out);
  if (pauses.length > 0) yield* ["", out.paint("bold", "Open questions"), ...pauses.flatMap((pause) => pauseLines(pause, out))];
  yield* section("Channels", valuesText(channels ?? {}), out);
  yield* section(
    "Files",
    tableLines(files.map(({ name, size, type, block }) => [plainLine(name), `${size} B`, plainLine(type), block])).join("\n"),
    out,
  );
  yield* section("Outputs", valuesText(outputs ?? {}), out);
  if (checkpoints.length > 0) yield* ["", out.paint("bold", "Checkpoints, newest first"), ...checkpointRows(checkpoints)];
}

function policyText({ durability, retention, window, maxCheckpointBytes }: RunPolicy): string {
  return [
    ...(durability === undefined ? [] : [`durability ${durability}`]),
    ...(retention === undefined ? [] : [`retention ${retention}${window === undefined ? "" : `, window ${window}`}`]),
    ...(maxCheckpointBytes === undefined ? [] : [`at most ${maxCheckpointBytes} characters`]),
  ].join(", ");
}

function* waveLines(waves: RunView["waves"], { steps, out }: Pick<ShownRun, "steps"> & { readonly out: Output }): Generator<string> {
  const calls = steps.filter(({ item, child }) => item === undefined && child);
  for (const { index, blocks } of waves) {
    yield waveLine(index, waves.length, out);
    for (const block of blocks) {
      yield blockLine(block, out);
      for (const { block: id, iteration, child } of calls) {
        if (id === block.id && child !== block.child) yield `      called ${child} in iteration ${iteration ?? 1}`;
      }
      if (block.child) yield `      called ${block.child}`;
    }
  }
}

function section(title: string, text: string, out: Output): readonly string[] {
  if (text === "") return [];
  return [
    "",
    out.paint("bold", title),
    ...text
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`),
  ];
}

function checkpointRows(checkpoints: readonly ListedCheckpoint[]): readonly string[] {
  return tableLines(
    checkpoints.map(({ id, kind, createdAt, metadata, superseded }) => [
      `  ${id}`,
      kind,
      timeText(createdAt),
      [...(superseded ? ["superseded"] : []), ...(metadata ? [metadataText(metadata)] : [])].join(", "),
    ]),
  );
}

function metadataText(metadata: Values): string {
  return shorten(plainLine(JSON.stringify(metadata)), MAX_METADATA);
}

function checkpointLines(info: CheckpointInfo): readonly string[] {
  return tableLines([
    ["Checkpoint", info.id],
    ["Run", info.run],
    ["Workflow", info.workflow],
    ["Made", timeText(info.createdAt)],
    ...(info.superseded ? [["Superseded", "an answer that it holds was changed since"]] : []),
    ["Wave", `${info.currentWave + 1} of ${info.totalWaves}`],
    ["Progress", `${Math.round(info.progressPercentage)} %`],
    ["Done", info.completedBlocks.join(", ") || "nothing"],
    ...(info.metadata ? [["Metadata", metadataText(info.metadata)]] : []),
    ...(info.skippedBlocks.length > 0 ? [["Skipped", info.skippedBlocks.join(", ")]] : []),
    ...info.pauses.map(({ id, path, prompt }) => ["Asks", `${id} ${path.join("/")}: ${plainLine(prompt)}`]),
  ]);
}
