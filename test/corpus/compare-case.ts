import type { CheckpointInfo, RunStatus } from "wavepoint";
import type { Case, CaseStatus, Expectation, ExpectedPause, Needles } from "./case.ts";
import { describeError } from "./describe-error.ts";
import { printPrompt } from "./print-prompt.ts";
import type { Counts, Played, SeenPause } from "./played-case.ts";

type Check = (expected: never, played: Played, theCase: Case) => string[];

const STATUS: { readonly [status in RunStatus]: CaseStatus | "running" } = {
  completed: "success",
  failed: "failure",
  cancelled: "failure",
  paused: "paused",
  running: "running",
};

/** One record an expectation: what it is called, and how it is compared. */
const CHECKS: {
  readonly [field in keyof Expectation]-?: (expected: NonNullable<Expectation[field]>, played: Played, theCase: Case) => string[];
} = {
  status: (expected, played) => oneOf("status", expected, finalStatus(played)),
  steps: (expected, played) => {
    if (expected.length !== played.steps.length)
      return [
        differ(
          "steps",
          expected,
          played.steps.map((step) => step.status),
        ),
      ];
    return expected.flatMap((status, index) => oneOf(`steps[${index}]`, status, played.steps[index]!.status));
  },
  step_errors: (expected, played) =>
    Object.entries(expected).flatMap(([step, needles]) =>
      contains(`step_errors[${step}]`, needles, played.steps[Number(step)]?.error ?? ""),
    ),
  outputs: (expected, played) => exact("outputs", expected, played.view?.outputs),
  outputs_include: (expected, played) => includes("outputs_include", expected, played.view?.outputs),
  output_types: (expected, played) =>
    Object.entries(expected).flatMap(([name, type]) => {
      const outputs = played.view?.outputs ?? {};
      return Object.hasOwn(outputs, name) && hasType(outputs[name], type) ? [] : [differ(`output_types.${name}`, type, outputs[name])];
    }),
  waves: (expected, played) => {
    const planned = played.view?.waves.map((wave) => wave.blocks.map((block) => block.id).toSorted());
    return exact(
      "waves",
      expected.map((wave) => wave.toSorted()),
      planned,
    );
  },
  executed: (expected, played) => sameSet("executed", expected, blocksWith(played, "completed")),
  skipped: (expected, played) => sameSet("skipped", expected, blocksWith(played, "skipped")),
  not_started: (expected, played) =>
    expected
      .filter((block) => played.counts.has(block) || played.records.some((record) => record.block === block && hasBegun(record.status)))
      .map((block) => differ("not_started", block, "it has begun")),
  error_contains: (expected, played) => contains("error_contains", expected, finalError(played)),
  pauses: (expected, played) => {
    if (expected.length !== played.pauses.length) {
      return [
        differ(
          "number of pauses",
          expected.length,
          played.pauses.map(({ pause }) => pause.prompt),
        ),
      ];
    }
    return expected.flatMap((pause, index) => comparePause(`pauses[${index}]`, pause, played.pauses[index]!));
  },
  run_counts: (expected, played) => compareCounts("run_counts", expected, played.counts),
  resumed_run_counts: (expected, played) => {
    const during = new Map([...played.counts].map(([block, times]) => [block, times - (played.countsBeforeLast.get(block) ?? 0)]));
    return compareCounts("resumed_run_counts", expected, during);
  },
  distinct_checkpoints: (expected, played) => {
    const ids = played.pauses.map(({ pause }) => pause.id);
    return (new Set(ids).size === ids.length) === expected ? [] : [differ("distinct_checkpoints", expected, ids)];
  },
  checkpoints: (expected, played) =>
    Object.entries(expected).flatMap(([kind, count]) => {
      const found = countOf(kind, played.checkpoints);
      return found === undefined ? [`unknown expectation checkpoints.${kind}`] : exact(`checkpoints.${kind}`, count, found);
    }),
  channels: (expected, played) => exact("channels", expected, played.channels),
  runs: (expected, played) => exact("runs", expected, played.runs),
};

/** What differs between what a case expects and what happened, one sentence each. A field nobody knows is a difference too. */
export function compareCase(theCase: Case, played: Played): string[] {
  return Object.entries(theCase.expect).flatMap(([field, expected]) => {
    if (!Object.hasOwn(CHECKS, field)) return [`unknown expectation "${field}"`];
    const check = CHECKS[field as keyof Expectation] as Check;
    return check(expected as never, played, theCase);
  });
}

function finalStatus(played: Played): string {
  return played.view === undefined ? played.steps[0]!.status : STATUS[played.view.status];
}

/** What there is to read about the failure: of the run, and of the last thing that was tried. */
function finalError(played: Played): string {
  return [
    played.view?.error === undefined ? undefined : describeError(played.view.error),
    played.steps.at(-1)?.error,
    played.steps[0]?.error,
  ]
    .filter((text) => text !== undefined)
    .join("\n");
}

/** Blocks by their last record: a block that paused and then completed counts as completed. */
function blocksWith(played: Played, status: string): string[] {
  const last = new Map(played.records.map((record) => [record.block, record.status as string]));
  return [...last].filter(([, found]) => found === status).map(([block]) => block);
}

/** A block that was skipped, or whose condition or inputs came to nothing, has a record and was never executed. */
function hasBegun(status: string): boolean {
  return status !== "skipped" && status !== "failed";
}

function countOf(kind: string, checkpoints: Played["checkpoints"]): number | undefined {
  if (["auto", "automatic", "wave", "chk", "chk_"].includes(kind)) return checkpoints.auto;
  if (["pause", "paused", "pauses", "pause_"].includes(kind)) return checkpoints.pause;
  if (["total", "all", "count"].includes(kind)) return checkpoints.auto + checkpoints.pause;
  return undefined;
}

function comparePause(where: string, expected: ExpectedPause, { pause, info, kept }: SeenPause): string[] {
  return Object.entries(expected).flatMap(([field, value]: [string, unknown]) => {
    switch (field) {
      case "prompt":
        return exact(`${where}.prompt`, value, printPrompt(pause));
      case "prompt_contains":
        return contains(`${where}.prompt`, value as Needles, printPrompt(pause));
      case "block":
        return exact(`${where}.block`, value, pause.path[0]?.replace(/\[\d+\]$/, ""));
      case "checkpoint_prefix":
        return pause.id.startsWith(String(value)) ? [] : [differ(`${where}.checkpoint_prefix`, value, pause.id)];
      case "info":
        return compareInfo(`${where}.info`, value as { readonly [field: string]: unknown }, info, kept);
      default:
        return [`unknown expectation ${where}.${field}`];
    }
  });
}

/** The fields under the names that seed 1 gives them. */
function compareInfo(
  where: string,
  expected: { readonly [field: string]: unknown },
  info: CheckpointInfo | undefined,
  kept: boolean,
): string[] {
  const found: { readonly [field: string]: unknown } =
    info === undefined
      ? { found: false }
      : {
          found: kept,
          checkpoint_id: info.id,
          workflow_name: info.workflow,
          created_at: info.createdAt / 1_000,
          is_paused: info.kind === "pause",
          paused_block_id: info.pausedBlock ?? null,
          pause_prompt: info.pausePrompt ?? null,
          completed_blocks: [...info.completedBlocks].toSorted(),
          current_wave: info.currentWave,
          total_waves: info.totalWaves,
          progress_percentage: info.progressPercentage,
        };
  return Object.entries(expected).flatMap(([field, value]) => {
    if (info !== undefined && !Object.hasOwn(found, field)) return [`unknown expectation ${where}.${field}`];
    if (field === "progress_percentage" && typeof value === "number" && typeof found[field] === "number") {
      return Math.abs(value - found[field]) < 0.01 ? [] : [differ(`${where}.${field}`, value, found[field])];
    }
    const wanted = field === "completed_blocks" && Array.isArray(value) ? [...(value as string[])].toSorted() : value;
    return exact(`${where}.${field}`, wanted, found[field]);
  });
}

function compareCounts(where: string, expected: { readonly [block: string]: number }, found: Counts): string[] {
  return Object.entries(expected).flatMap(([block, times]) => exact(`${where}.${block}`, times, found.get(block) ?? 0));
}

function oneOf(where: string, expected: string | readonly string[], found: string): string[] {
  return (typeof expected === "string" ? [expected] : expected).includes(found) ? [] : [differ(where, expected, found)];
}

function exact(where: string, expected: unknown, found: unknown): string[] {
  return isEqual(expected, found) ? [] : [differ(where, expected, found)];
}

function sameSet(where: string, expected: readonly string[], found: readonly string[]): string[] {
  return exact(where, expected.toSorted(), found.toSorted());
}

function contains(where: string, needles: Needles, text: string): string[] {
  const hay = text.toLowerCase();
  return needles
    .filter((needle) => !(typeof needle === "string" ? [needle] : needle).some((item) => hay.includes(item.toLowerCase())))
    .map((needle) => differ(where, needle, text));
}

function includes(where: string, expected: unknown, found: unknown): string[] {
  if (!isPlain(expected) || !isPlain(found)) return exact(where, expected, found);
  return Object.entries(expected).flatMap(([key, value]) =>
    Object.hasOwn(found, key) ? includes(`${where}.${key}`, value, found[key]) : [differ(`${where}.${key}`, value, undefined)],
  );
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isPlain(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

/** Same value, same type; numbers by value (5 is 5.0), objects whatever the order of their keys. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isPlain(a) || !isPlain(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function differ(where: string, expected: unknown, found: unknown): string {
  return `${where}: expected ${show(expected)}, got ${show(found)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
