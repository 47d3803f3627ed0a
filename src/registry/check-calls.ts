import type { Problem } from "../core/model/errors.ts";
import { describeFailure, type FailedWorkflow } from "../core/model/load-failure.ts";
import { adviseName } from "../core/model/suggestions.ts";
import { placeIn, type Registered } from "./registered.ts";
import { CALLING_TYPES, type Workflow } from "../core/model/workflow.ts";

/** Longest chain that a message prints whole. */
const SHOWN_CHAIN = 20;

/**
 * Reports calls of workflows that are not there or did not load, and calls that close a circle, which a run would refuse. Names that are put together when a
 * block runs are not looked at. Time grows with the number of calls and no faster.
 */
export function checkCalls(
  workflows: ReadonlyMap<string, Registered>,
  findFailure: (name: string) => FailedWorkflow | undefined,
): readonly Problem[] {
  const calls = new Map([...workflows].map(([name, { workflow }]) => [name, listCalls(workflow)]));
  return [...findMissing(workflows, calls, findFailure), ...findCircles(workflows, calls)];
}

type CallsByName = ReadonlyMap<string, readonly WorkflowCall[]>;

function findMissing(
  workflows: ReadonlyMap<string, Registered>,
  calls: CallsByName,
  findFailure: (name: string) => FailedWorkflow | undefined,
): readonly Problem[] {
  return [...workflows].flatMap(([name, registered]) =>
    calls.get(name)!.flatMap((call): readonly Problem[] => {
      if (call.workflow === undefined || workflows.has(call.workflow)) return [];
      const error = { severity: "error", code: "WORKFLOW_NOT_FOUND", ...placeIn(registered, pathOf(call)) } as const;
      const called = `Block "${call.block}" of "${name}" calls the workflow "${call.workflow}"`;
      const failed = findFailure(call.workflow);
      if (failed) {
        const { reason, details } = describeFailure(failed);
        return [{ ...error, message: `${called}, which did not load. ${reason}`, details }];
      }
      const { sentence, details } = adviseName(call.workflow, workflows.keys());
      return [{ ...error, message: `${called}, which is not there.${sentence}`, ...details }];
    }),
  );
}

interface Visit {
  readonly name: string;
  next: number;
}

/** Walks along the calls that may not recur, without recursion of its own; what leads back into the walked chain closes a circle. */
function findCircles(workflows: ReadonlyMap<string, Registered>, calls: CallsByName): readonly Problem[] {
  const problems: Problem[] = [];
  const done = new Set<string>();
  const onChain = new Set<string>();
  for (const start of workflows.keys()) {
    if (done.has(start)) continue;
    const chain: Visit[] = [{ name: start, next: 0 }];
    onChain.add(start);
    while (chain.length > 0) {
      const visit = chain.at(-1)!;
      const call = calls.get(visit.name)![visit.next++];
      if (call === undefined) {
        chain.pop();
        onChain.delete(visit.name);
        done.add(visit.name);
      } else if (call.workflow === undefined || call.mayRecur || !workflows.has(call.workflow)) {
        continue;
      } else if (onChain.has(call.workflow)) {
        const names = chain.map(({ name }) => name);
        const circle = [...names.slice(names.indexOf(call.workflow)), call.workflow];
        problems.push(circularCall(workflows.get(visit.name)!, call, circle));
      } else if (!done.has(call.workflow)) {
        chain.push({ name: call.workflow, next: 0 });
        onChain.add(call.workflow);
      }
    }
  }
  return problems;
}

function circularCall(registered: Registered, call: WorkflowCall, circle: readonly string[]): Problem {
  const shown = circle.length > SHOWN_CHAIN ? [...circle.slice(0, SHOWN_CHAIN - 2), "…", ...circle.slice(-2)] : circle;
  return {
    severity: "error",
    code: "WORKFLOW_CIRCULAR",
    message: `Block "${call.block}" of "${registered.workflow.name}" closes a circle of calls: ${shown.join(" → ")}. Break the circle, or set max_depth on the calling block if the recursion is meant and ends.`,
    ...placeIn(registered, pathOf(call)),
    details: { chain: shown },
  };
}

function pathOf({ index }: WorkflowCall): string {
  return `blocks[${index}].inputs.workflow`;
}

/** A block that calls another workflow. */
interface WorkflowCall {
  /** The number of the block in the definition. */
  readonly index: number;
  readonly block: string;
  /** The called workflow; absent where its name is put together when the block runs. */
  readonly workflow?: string;
  /** Whether the block allows that the called workflow stands in the chain of its callers. */
  readonly mayRecur: boolean;
}

/** The calls of a workflow, in the order of its blocks. */
export function listCalls({ blocks }: Workflow): readonly WorkflowCall[] {
  return blocks.flatMap(({ id, type, inputs, maxDepth = 1 }, index): readonly WorkflowCall[] => {
    const name = CALLING_TYPES.has(type) ? inputs?.["workflow"] : undefined;
    if (typeof name !== "string") return [];
    return [{ index, block: id, ...(name.includes("${") ? {} : { workflow: name }), mayRecur: maxDepth > 1 }];
  });
}
