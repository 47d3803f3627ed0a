import { EXPRESSION_IN_BRACES } from "../../expression/lexer.ts";
import { BLOCK_METADATA } from "../../expression/normalize-reference.ts";
import { parseCondition } from "../../expression/parse-condition.ts";
import { conditionReferences } from "../../expression/references.ts";
import { formatPath } from "../../expression/walk-path.ts";
import { isWorkflowError } from "../../model/errors.ts";
import { adviseName } from "../../model/suggestions.ts";
import type { Value } from "../../model/value.ts";
import { survivesFailure } from "../../model/workflow.ts";
import { memberPath } from "../compile-value.ts";
import type { Plan } from "../plan.ts";
import { checkSchedule } from "./check-schedule.ts";
import { findOutcomes, isOrder } from "./check-outcomes.ts";
import { listProblems } from "./problem-list.ts";
import { walkTexts, type WrittenText } from "./read-texts.ts";
import { blocksOf, type Checked, declaredOutputs, type Rule } from "./rule.ts";

/**
 * Warnings: what runs, and is likely not meant. For those who write a workflow; what starts one needs none of them, and a page that does not check
 * texts does not load them. Schedules are checked again where they start runs.
 */
export const ADVICE: readonly Rule[] = [checkSchedule, warnOfReferences, warnOfUnrelated, warnOfMisreading, warnOfFailures, warnOfControls];

/** Older spellings, and outputs that a block type does not declare. */
function warnOfReferences(checked: Checked): void {
  const { texts, problems } = checked;
  const outputsOf = declaredOutputs(checked);
  for (const { path: at, references } of texts) {
    for (const { written, path, column } of references) {
      const [root, block, part, field] = path;
      if (written.path[0] !== root) {
        const better = formatPath(path.map((part) => (typeof part === "object" ? "…" : part)));
        problems.warn("REFERENCE_DEPRECATED", at, `An older spelling of a reference. Write \${${better}}.`, { column });
      }
      if (root !== "blocks" || typeof block !== "string" || part !== "outputs" || typeof field !== "string") continue;
      const declared = outputsOf(block);
      // How a block ended answers among its outputs too.
      if (!declared || declared.names.has(field) || BLOCK_METADATA.includes(field)) continue;
      const { sentence, details } = adviseName(field, declared.names);
      const message = `${declared.type} "${block}" declares no output "${field}".${sentence}`;
      problems.warn("REFERENCE_UNKNOWN", at, message, { column, ...details });
    }
  }
}

/** References to earlier blocks that the reading block does not depend on. */
function warnOfUnrelated({ workflow, graph: { plan }, texts, problems }: Checked): void {
  if (plan === undefined) return;
  const read = new Map<number, Map<number, { readonly path: string; readonly column: number }>>();
  for (const { path: at, block, references } of texts) {
    for (const { path, column } of block === undefined ? [] : references) {
      const target = path[0] === "blocks" && typeof path[1] === "string" ? plan.index.get(path[1]) : undefined;
      if (target === undefined || plan.waveOf[target]! >= plan.waveOf[block!]!) continue;
      if (!read.has(block!)) read.set(block!, new Map());
      read.get(block!)!.set(target, { path: at, column });
    }
  }
  const findUnrelated = unrelatedIn(plan);
  for (const [block, places] of read) {
    for (const target of findUnrelated(block, [...places.keys()])) {
      const { path, column } = places.get(target)!;
      const id = plan.ids[target]!;
      const message = `Block "${workflow.blocks[block]!.id}" reads "${id}" without depending on it. Add "${id}" to its dependencies.`;
      problems.warn("REFERENCE_NO_DEPENDENCY", path, message, { column });
    }
  }
}

/** Dependencies looked at, over a whole definition, before the search for missing ones is given up. */
const MAX_STEPS = 200_000;

/**
 * Finds which of the given earlier blocks a block does not wait for, not even indirectly. One backward search for each block, no further
 * than the earliest wave asked for; a definition with more than 200,000 steps of search gets no further findings, so that checking
 * stays linear.
 */
function unrelatedIn({
  ids,
  waveOf,
  dependencyStart,
  dependencies,
}: Plan): (block: number, targets: readonly number[]) => readonly number[] {
  const seenBy = new Int32Array(ids.length).fill(-1);
  let steps = 0;
  return (block, targets) => {
    if (steps > MAX_STEPS) return [];
    const earliest = targets.reduce((wave, target) => Math.min(wave, waveOf[target]!), Infinity);
    const open = [block];
    for (let next = open.pop(); next !== undefined && steps <= MAX_STEPS; next = open.pop()) {
      for (let e = dependencyStart[next]!; e < dependencyStart[next + 1]!; e++) {
        const dependency = dependencies[e]!;
        steps++;
        if (seenBy[dependency] === block) continue;
        seenBy[dependency] = block;
        if (waveOf[dependency]! > earliest) open.push(dependency);
      }
    }
    return steps > MAX_STEPS ? [] : targets.filter((target) => seenBy[target] !== block);
  };
}

/** What would be a condition, a template or an expression elsewhere: here it is text. */
function warnOfMisreading({ workflow, texts, blockTypes, problems }: Checked): void {
  for (const written of texts) {
    const { text, path, block, section, keys } = written;
    if (section === "condition" || section === "next" || section === "repeatWhile") continue;
    const warn = (message: string, at: number): void => problems.warn("TEXT_MISLEADING", path, message, { column: at + 1 });
    const type = block === undefined ? undefined : blockTypes?.get(workflow.blocks[block]!.type);
    const isTemplate = section === "inputs" && keys.length === 1 && type?.templateInputs?.includes(keys[0] as string);
    const braces = text.indexOf("{{");
    // Which inputs a type that is not known fills in is not known either.
    if (block === undefined || (type && !isTemplate)) {
      if (braces >= 0) {
        warn(
          'Nothing is filled in here: "{{" is text outside of the template of a block that renders one. Write ${…} for a value.',
          braces,
        );
      } else if (wouldBeCondition(written)) {
        warn("This is a text and not a condition: nothing is compared here. Let a block with a condition decide, and refer to it.", 0);
      }
    }
    const expression = text.indexOf(EXPRESSION_IN_BRACES);
    if (expression >= 0 && text[expression - 1] !== "$") {
      warn("Nothing is computed here: the expression becomes text. Let a block with a condition decide, and refer to it.", expression);
    }
  }
}

const OPERATOR = /[=<>]|\b(?:and|or|not|in)\b/;

/** Whether a text would be a condition that looks at a value, if it stood where one is wanted. */
function wouldBeCondition({ text }: WrittenText): boolean {
  if (!text.includes("${") || !OPERATOR.test(text)) return false;
  try {
    const condition = parseCondition(text);
    return ["comparison", "and", "or", "not"].includes(condition.kind) && conditionReferences(condition).length > 0;
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return false;
  }
}

/** The values that say of a block that it failed. */
const FAILURES: ReadonlyMap<string, Value> = new Map([
  ["status", "failed"],
  ["outcome", "failure"],
]);

/** Conditions that ask whether a block failed although that ends the run. */
function warnOfFailures(checked: Checked): void {
  const outputsOf = declaredOutputs(checked);
  const blocks = blocksOf(checked.workflow);
  for (const { path, condition } of checked.texts) {
    for (const { name, block, column, compared } of condition ? findOutcomes(condition, outputsOf) : []) {
      const asksForFailure =
        compared === undefined ? name === "failed" : !isOrder(compared.comparator) && FAILURES.get(name) === compared.value;
      const asked = blocks.get(block);
      if (!asksForFailure || (asked && survivesFailure(asked))) continue;
      const message = `The run ends where block "${block}" fails, so this never finds that it did. Give the block continue_on_error: true, or on_failure.`;
      checked.problems.warn("CONDITION_IMPOSSIBLE", path, message, { column });
    }
  }
}

/** Embeddings, overrides and isolates: they make a line read otherwise than it runs. Unicode TR 36, "Bidirectional Text Spoofing". */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;

/** Texts with characters that change the order in which they are shown. */
function warnOfControls({ workflow, problems }: Checked): void {
  const visit = (text: string, path: string): void => {
    const at = text.search(BIDI_CONTROL);
    if (at === -1) return;
    const point = text.charCodeAt(at).toString(16).toUpperCase();
    const message = `A control character (U+${point}) makes this text look different from what it is. Remove it.`;
    problems.warn("TEXT_MISLEADING", path, message, { column: at + 1 });
  };
  // What else is wrong with these values has been reported by those who read them.
  const ignored = listProblems();
  for (const [key, section] of Object.entries(workflow)) walkTexts(section, memberPath("", key), { problems: ignored, visit });
}
