import type { DefinitionDifference } from "../model/move-plan.ts";
import type { Block, Workflow } from "../model/workflow.ts";
import { sameValue } from "../model/fingerprint.ts";
import { checkInput, type CompiledWorkflow } from "../definition/definition.ts";
import { type RunReading, type RunState, stagesOf, UNTOUCHED } from "../machine/machine.ts";

/** Keys that say how a block is executed; what it gave would be the same with others. */
const MANNERS: ReadonlySet<string> = new Set([
  "retry",
  "timeoutMs",
  "maxParallel",
  "priority",
  "cache",
  "maxIterations",
  "maxDepth",
  "effect",
  "answerTimeoutMs",
  "onTimeout",
  "onEvent",
  "skippable",
  "declinable",
  "onRevise",
  "compensate",
]);

/** How another definition differs from that of a run. */
export interface Comparison {
  readonly differences: readonly DefinitionDifference[];
  /** The blocks of which something has happened and whose results may be others there. */
  readonly changed: ReadonlySet<string>;
}

/** Compares the definition of a run with another one, block by block; what is said to readers alone makes no difference. */
export function compareDefinitions(run: RunReading, target: CompiledWorkflow): Comparison {
  const { plan, base } = run.compiled;
  // What was added in the run goes along with it.
  const { workflow: now } = base ?? run.compiled;
  const { workflow: then } = target;
  const stages = stagesOf(run);
  const differences: DefinitionDifference[] = [];
  const changed = new Set<string>();
  now.blocks.forEach((block, number) => {
    const { id } = block;
    const finished = stages[number] !== UNTOUCHED;
    const there = target.plan.index.get(id);
    const other = there === undefined ? undefined : then.blocks[there]!;
    if (!other) differences.push({ block: id, kind: "removed", finished, message: `Block "${id}" is not there any more.` });
    else if (other.type !== block.type) {
      differences.push({ block: id, kind: "type", finished, message: `Block "${id}" has the type ${other.type}; it was ${block.type}.` });
    } else {
      const keys = changedKeys(block, other);
      if (keys.length === 0) return;
      const message = `Block "${id}" is written otherwise: ${keys.map(asWritten).join(", ")}.`;
      differences.push({ block: id, kind: "changed", finished, message });
      if (finished && keys.some((key) => !MANNERS.has(key))) changed.add(id);
    }
  });
  for (const { id } of then.blocks) {
    if (plan.index.get(id) === undefined) {
      differences.push({ block: id, kind: "added", finished: false, message: `Block "${id}" is new.` });
    }
  }
  differences.push(...differentInputs(now, then), ...differentOutputs(now, then));
  return { differences, changed };
}

/** Why the inputs of a run do not do for another definition. */
export function findInputObstacles({ started }: RunState, { workflow }: CompiledWorkflow): readonly DefinitionDifference[] {
  return Object.entries(workflow.inputs ?? {}).flatMap(([name, declaration]): DefinitionDifference[] => {
    const { default: preset, required, secret } = declaration;
    // What is secret is not in the journal; the secrets provider is asked for it.
    const isLacking = preset === undefined && required !== false && secret !== true;
    const reason = Object.hasOwn(started.inputs, name)
      ? checkInput(started.inputs[name], declaration)
      : isLacking
        ? "is required, and the run was started without it."
        : undefined;
    return reason === undefined ? [] : [{ kind: "inputs", finished: false, message: `Input "${name}" ${reason}` }];
  });
}

function changedKeys(now: Block, then: Block): readonly (keyof Block)[] {
  const keys = new Set([...Object.keys(now), ...Object.keys(then)] as (keyof Block)[]);
  return [...keys].filter((key) => key !== "description" && !sameValue(now[key] ?? null, then[key] ?? null));
}

/** Names of keys as workflow files have them. */
function asWritten(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function differentInputs({ inputs: now = {} }: Workflow, { inputs: then = {} }: Workflow): DefinitionDifference[] {
  return compareMembers(now, then).map(([name, how]) => ({ kind: "inputs", finished: false, message: `Input "${name}" ${how}.` }));
}

function differentOutputs({ outputs: now = {} }: Workflow, { outputs: then = {} }: Workflow): DefinitionDifference[] {
  return compareMembers(now, then).map(([name, how]) => ({ kind: "outputs", finished: false, message: `Output "${name}" ${how}.` }));
}

function compareMembers(now: object, then: object): readonly (readonly [name: string, how: string])[] {
  const [before, after] = [new Map(Object.entries(now)), new Map(Object.entries(then))];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): (readonly [string, string])[] => {
    if (!after.has(name)) return [[name, "is not there any more"]];
    if (!before.has(name)) return [[name, "is new"]];
    return sameValue(before.get(name), after.get(name)) ? [] : [[name, "is declared otherwise"]];
  });
}
