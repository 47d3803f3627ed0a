import type { Block, Workflow } from "wavepoint";
import type { CheckpointRow } from "../../../src/core/model/checkpoint.ts";
import type { Entry } from "../../../src/core/model/journal.ts";
import type { Value, Values } from "../../../src/core/model/value.ts";
import { STATUS_NAMES } from "../../../src/core/machine/block-status.ts";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";
import { beginFolding, type FoldedRun } from "../../../src/core/machine/folded-run.ts";
import { unitKey, type UnitKey, unitName, type Unit } from "../../../src/core/machine/unit.ts";
import { statusOf } from "../../../src/core/machine/run-status.ts";
import { openPauses, recordOf } from "../../../src/core/machine/state.ts";

/**
 * The run machine as the tables of this folder see it: entries in, plain data out. Rows name blocks by their ids and leave out what follows
 * from the rest, so that they say what the machine means and not how it keeps it.
 */

/** An entry of a row: `at` counts on by itself where the row does not give it. */
export type Given = { readonly [member: string]: unknown } & { readonly type: Entry["type"] };

export const workflow = (...blocks: readonly Block[]): Workflow => ({ name: "flow", blocks });

export const block = (id: string, dependsOn: readonly string[] = [], more: Partial<Block> = {}): Block => ({
  id,
  type: "Any",
  ...(dependsOn.length > 0 ? { dependsOn } : {}),
  ...more,
});

export const completed = (id: string, outputs: Values = {}, more: object = {}): Given => ({
  type: "completed",
  block: id,
  outputs,
  ...more,
});
export const failed = (id: string, message = "no", more: object = {}): Given => ({
  type: "failed",
  block: id,
  error: { code: "BLOCK_FAILED", message },
  ...more,
});
export const skipped = (id: string, more: object = {}): Given => ({ type: "skipped", block: id, reason: { kind: "condition" }, ...more });
export const paused = (id: string, pause: number, more: object = {}): Given => ({
  type: "paused",
  block: id,
  pause,
  prompt: `${id}?`,
  schema: {},
  ...more,
});
export const answered = (pause: number, response: Value = "yes", more: object = {}): Given => ({
  type: "answered",
  pause,
  response,
  ...more,
});
export const reopened = (pause: number): Given => ({ type: "reopened", pause, error: { code: "RESPONSE_INVALID", message: "no" } });
export const waiting = (id: string, until: number | undefined, more: object = {}): Given => ({
  type: "waiting",
  block: id,
  ...(until === undefined ? {} : { until }),
  ...more,
});
export const attempted = (id: string, until: number, more: object = {}): Given => ({
  type: "attempted",
  block: id,
  until,
  error: { code: "BLOCK_FAILED", message: "no" },
  ...more,
});
export const items = (id: string, count: number, more: object = {}): Given => ({ type: "items", block: id, count, ...more });
export const began = (id: string, more: object = {}): Given => ({ type: "began", block: id, ...more });
export const iterated = (id: string, value?: Value): Given => ({ type: "iterated", block: id, ...(value === undefined ? {} : { value }) });
export const compensating = (status: "failed" | "cancelled" = "failed"): Given => ({
  type: "compensating",
  status,
  error: { code: "BLOCK_FAILED", message: "no" },
});
export const resumed: Given = { type: "resumed" };
export const signalled = (id: string, name: string, value: Value = null, more: object = {}): Given => ({
  type: "signalled",
  id,
  name,
  value,
  ...more,
});
export const suspended: Given = { type: "suspended" };
export const ended = (status: "completed" | "failed" | "cancelled", more: object = {}): Given => ({ type: "finished", status, ...more });

/** The instant at which the runs of the tables start. */
const START = 1_000_000;

/** Folds a run of the workflow that was started and then came to the given entries. */
export function fold(flow: Workflow, given: readonly Given[]): { readonly run: FoldedRun; readonly checkpoints: readonly CheckpointRow[] } {
  const run = beginFolding("run_1", compileWorkflow(flow), {
    type: "started",
    version: 1,
    workflow: flow.name,
    definition: "d",
    inputs: {},
    at: START,
  });
  const checkpoints: CheckpointRow[] = [];
  let at = 0;
  for (const entry of given) {
    at = typeof entry["at"] === "number" ? entry["at"] : at + 1;
    checkpoints.push(...(run.apply({ ...entry, at } as unknown as Entry).checkpoints ?? []));
  }
  return { run, checkpoints };
}

/** What a row may say of a state. */
export interface Look {
  readonly status: string;
  readonly wave: number;
  /** The status of each block that is not pending. */
  readonly blocks: { readonly [id: string]: string };
  readonly open: readonly number[];
  readonly outputs: { readonly [id: string]: unknown };
  readonly checkpoints: readonly string[];
}

export function look(flow: Workflow, given: readonly Given[]): Look {
  const { run, checkpoints } = fold(flow, given);
  return lookAt(run, checkpoints);
}

/** The same of a run. */
export function lookAt(run: FoldedRun, checkpoints: readonly CheckpointRow[] = []): Look {
  const { compiled, state } = run;
  const { ids } = compiled.plan;
  const begun = [...ids.entries()].filter(([number]) => state.blocks[number] !== 0);
  const members = begun.map(([number, id]) => [id, STATUS_NAMES[state.blocks[number]!]!] as const);
  const outputs = begun.flatMap(([number, id]) => {
    const record = recordOf(state, { block: number });
    return record?.outputs === undefined ? [] : [[id, record.outputs] as const];
  });
  return {
    status: statusOf(state),
    wave: state.wave,
    blocks: Object.fromEntries(members),
    open: openPauses(state),
    outputs: Object.fromEntries(outputs),
    checkpoints: checkpoints.map(({ kind, number, entries }) => `${kind} ${number} after ${entries}`),
  };
}

/** What the machine decides, in words: `run a b`, `resume 0`, `wake c`, `sleep until 5`, `expire 0`, `wait`, `complete`, `fail a`, `nothing`. */
export function next(flow: Workflow, given: readonly Given[], now = 1_000, looked?: ReadonlyMap<string, number>): string {
  return describeNext(fold(flow, given).run, now, looked);
}

/** The same of a run, at an instant, for a process that has looked at these calls (by the names of their units), or only follows. */
export function describeNext(run: FoldedRun, now: number, looked?: ReadonlyMap<string, number>): string {
  const { ids, index } = run.compiled.plan;
  const name = ({ block, item }: Unit): string => unitName(ids[block]!, item);
  const keys = looked && new Map([...looked].map(([unit, answers]) => [keyOf(unit, index), answers]));
  const decision = run.decide(now, keys);
  switch (decision.do) {
    case "execute": {
      // A list runs where something of its items does.
      const { due, pauses } = decision;
      const asked = (pause: number): Unit => run.state.pauses[pause]!;
      const items = [...due, ...pauses.map(asked)].filter(({ item }) => item !== undefined);
      const parts = [
        ["run", [...new Set([...decision.blocks, ...items.map((unit) => unit.block)])].map((number) => ids[number]!)],
        [
          "wake",
          due
            .filter(({ item }) => item === undefined)
            .map(({ block, signal }) => ids[block]! + (signal === undefined ? "" : ` by ${signal}`)),
        ],
        ["resume", pauses.filter((pause) => asked(pause).item === undefined)],
      ] as const;
      return parts.flatMap(([verb, what]) => (what.length > 0 ? [`${verb} ${what.join(" ")}`] : [])).join(", ");
    }
    case "sleep":
      return `sleep until ${decision.until}`;
    case "skip":
      return `skip ${decision.skips.map(({ reason, ...unit }) => `${name(unit)} (${reason.kind})`).join(" ")}`;
    case "fail":
      return `refuse ${decision.refusals.map(({ error, ...unit }) => `${name(unit)} (${error.code})`).join(" ")}`;
    case "keep":
      return `keep ${decision.units.map(name).join(" ")}`;
    case "expire":
      return `expire ${decision.ends.map(({ pause, signal }) => (signal === undefined ? pause : `${pause} by ${signal}`)).join(" ")}`;
    case "finish":
      return decision.status === "failed" ? `fail ${ids[decision.block]!}` : decision.status === "completed" ? "complete" : "end";
    default:
      return decision.do;
  }
}

function keyOf(unit: string, index: Pick<ReadonlyMap<string, number>, "get">): UnitKey {
  const [, id, item] = /^(\w+)(?:\[(\d+)\])?$/.exec(unit)!;
  return unitKey({ block: index.get(id!)!, ...(item === undefined ? {} : { item: Number(item) }) });
}
