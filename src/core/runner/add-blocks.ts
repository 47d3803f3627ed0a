import { errorData, isWorkflowError, WorkflowError } from "../model/errors.ts";
import { MAX_ADDED_BLOCKS } from "../model/limits.ts";
import type { Block, Dependency, Workflow } from "../model/workflow.ts";
import { adviseName } from "../model/suggestions.ts";
import { isRecord } from "../model/value.ts";
import { ancestorsOf } from "../machine/machine.ts";
import { touchesOf } from "./ready-type.ts";
import type { StepContext } from "./step-context.ts";

/** Notes blocks that a step adds, as a definition has them: no code can change them any more. Throws `BLOCK_FAILED` for what is none. */
export function addBlocks(step: StepContext, given: Block | readonly Block[]): void {
  step.changes = { ...step.changes, added: [...(step.changes?.added ?? []), ...copyBlocks(given, step.block)] };
}

function copyBlocks(given: Block | readonly Block[], by: string): readonly Block[] {
  const refuse = (cause?: unknown): WorkflowError =>
    new WorkflowError(
      "BLOCK_FAILED",
      `Block "${by}" adds what is no block, or holds more than JSON can. Give plain objects with id and type.`,
      {
        details: { block: by },
        cause,
      },
    );
  let blocks: unknown;
  try {
    blocks = JSON.parse(JSON.stringify([given].flat()));
  } catch (cause) {
    throw refuse(cause);
  }
  if (Array.isArray(blocks) && blocks.every(isRecord)) return blocks as unknown as readonly Block[];
  throw refuse();
}

/**
 * Checks the blocks that a step adds as the loader checks those of a workflow, and notes what their types do with channels. Rejects with the first thing that is wrong with
 * them: then the step fails.
 */
export async function admitAdded(step: StepContext): Promise<void> {
  const { session, place, block, changes } = step;
  const { services } = place;
  const added = changes!.added!;
  if (session.state.compensation) throw refusal(step, "BLOCK_FAILED", "A run that undoes what it did takes no more blocks.");
  assertFew(step, added);
  assertClosed(step, added);
  // The run got its secrets when it began to execute.
  if (/\$\{\s*secrets\s*[.[]/.test(JSON.stringify(added))) {
    throw refusal(
      step,
      "SECRET_MISPLACED",
      "They refer to secrets. Let a block of the workflow use those, or pass them on as secret inputs.",
    );
  }
  const { workflow, first } = extendedFor(step, added);
  try {
    await services.checkExtended(workflow);
  } catch (error) {
    throw isWorkflowError(error) ? placed(step, error, first) : error;
  }
  const entry = { type: "completed", block, at: 0, outputs: {}, added } as const;
  if (session.mask?.(entry, entry)) {
    throw refusal(step, "SECRET_MISPLACED", "They hold a secret, which would stand in the journal. Refer to it where it comes from.");
  }
  const touches = touchesOf(services.types, { ...workflow, blocks: added });
  step.changes = { ...changes, ...(touches && { touches }) };
  place.isRevisable ||= added.some(({ type }) => services.types.get(type)?.resume !== undefined);
}

/** Throws `LIMIT_EXCEEDED` where too many blocks would stand in the run, and warns before. */
function assertFew(step: StepContext, added: readonly Block[]): void {
  const { session } = step;
  const before = presentBlocks(step).length;
  const used = before + added.length;
  if (used > MAX_ADDED_BLOCKS) {
    const message = `${used} blocks would have been added to this run; ${MAX_ADDED_BLOCKS} are allowed. Use for_each, or a block that runs again.`;
    throw new WorkflowError("LIMIT_EXCEEDED", message, { details: { block: step.block, count: used, limit: MAX_ADDED_BLOCKS } });
  }
  session.warn(before, { limit: "addedBlocks", used, allowed: MAX_ADDED_BLOCKS });
}

function presentBlocks({ session }: StepContext) {
  return (session.state.added ?? []).filter(({ isGone }) => !isGone);
}

/** What follows an added block, or undoes it, is added with it: a block of the workflow must not come to depend on what may never be added. */
function assertClosed(step: StepContext, added: readonly Block[]): void {
  const ids = new Set(added.map(({ id }) => id));
  const present = new Set(presentBlocks(step).map(({ block }) => block.id));
  for (const { id, next = [], onFailure, compensate } of added) {
    if (present.has(id)) throw refusal(step, "ID_DUPLICATE", `Another block added one with the id "${id}".`, { id });
    const ways = Array.isArray(next) ? next.map((way) => (typeof way === "string" ? way : way.to)) : [];
    const wrong = [...ways, onFailure, compensate].find((to) => to !== undefined && !ids.has(to));
    if (wrong === undefined) continue;
    const { sentence, details } = adviseName(String(wrong), ids);
    const message = `Block "${id}" names "${String(wrong)}" as what follows or undoes it, which is not added with it.${sentence}`;
    throw refusal(step, "DEPENDENCY_UNKNOWN", message, { dependency: wrong, ...details });
  }
}

/**
 * The workflow as the added blocks see it: with what this block and those before it had added, and nothing that came to be beside it, so that no outcome depends on
 * speed. Each comes after the block that added it.
 */
function extendedFor(step: StepContext, added: readonly Block[]): { readonly workflow: Workflow; readonly first: number } {
  const { compiled } = step.session;
  const { workflow } = compiled.base ?? compiled;
  const before = ancestorsOf(compiled, step.unit.block);
  const seen = presentBlocks(step).filter(({ by }) => before.has(by));
  const behind = (block: Block, by: string): Block => {
    const { dependsOn = [] } = block;
    const isNamed =
      Array.isArray(dependsOn) &&
      (dependsOn as readonly (string | Dependency)[]).some((one) => one === by || (one as Dependency).block === by);
    return isNamed || !Array.isArray(dependsOn) ? block : { ...block, dependsOn: [...dependsOn, by] };
  };
  const blocks = [...workflow.blocks, ...seen.map(({ block, by }) => behind(block, compiled.plan.ids[by]!))];
  return { workflow: { ...workflow, blocks: [...blocks, ...added.map((block) => behind(block, step.block))] }, first: blocks.length };
}

/** A problem of an added block, with its place in the list that was given. */
function placed(step: StepContext, error: WorkflowError, first: number): WorkflowError {
  const { message, details } = errorData(error, "SCHEMA_INVALID");
  const path = error.place?.path?.replace(/^blocks\[(\d+)\]/, (whole, number) =>
    Number(number) < first ? whole : `added[${Number(number) - first}]`,
  );
  return new WorkflowError(error.code, `Block "${step.block}" adds blocks that cannot run${path ? ` (${path})` : ""}. ${message}`, {
    details: { ...details, block: step.block, ...(path ? { path } : {}) },
    cause: error,
  });
}

function refusal(step: StepContext, code: WorkflowError["code"], why: string, details = {}): WorkflowError {
  return new WorkflowError(code, `Block "${step.block}" adds blocks that cannot run. ${why}`, {
    details: { block: step.block, ...details },
  });
}
