import { WorkflowError } from "../model/errors.ts";
import { adviseName } from "../model/suggestions.ts";
import type { Block } from "../model/workflow.ts";
import type { IdIndex } from "./id-index.ts";
import type { Report } from "./ways.ts";

/** By the number of a block: the one that undoes it, which is no part of the plan. */
export type Compensations = ReadonlyMap<number, number>;

const NONE: Compensations = new Map();

/** Reports `DEPENDENCY_UNKNOWN`, and `SCHEMA_INVALID` for what cannot be undone so. */
export function findCompensations(blocks: readonly Block[], index: IdIndex, report: Report): Compensations {
  let found: Map<number, number> | undefined;
  for (let i = 0; i < blocks.length; i++) {
    const { id, compensate } = blocks[i]!;
    if (compensate === undefined) continue;
    const refuse = (message: string, code: "SCHEMA_INVALID" | "DEPENDENCY_UNKNOWN" = "SCHEMA_INVALID", details = {}): void =>
      report(new WorkflowError(code, message, { place: { path: `blocks[${i}].compensate` }, details }));
    found ??= new Map();
    const target = index.get(compensate);
    if (target === undefined) {
      const { sentence, details } = adviseName(compensate, new Set(index.keys()));
      const message = `Block "${id}" names "${compensate}" to undo it, which is no block of this workflow.${sentence}`;
      refuse(message, "DEPENDENCY_UNKNOWN", { dependency: compensate, ...details });
    } else if (compensate === id || blocks[target]!.compensate !== undefined) {
      refuse(`Block "${compensate}" cannot undo "${id}": what undoes a block is not undone itself. Name another block.`);
    } else if ([...found.values()].includes(target)) {
      refuse(`Block "${compensate}" undoes another block already. Write one for each.`);
    } else found.set(i, target);
  }
  return found ?? NONE;
}
