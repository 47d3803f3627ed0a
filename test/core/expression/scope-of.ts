import { type Names, normalizeReference } from "../../../src/core/expression/normalize-reference.ts";
import { evaluateCondition } from "../../../src/core/expression/evaluate.ts";
import { parseCondition } from "../../../src/core/expression/parse-condition.ts";
import { parseTemplate } from "../../../src/core/expression/parse-template.ts";
import { mapCondition, mapTemplate } from "../../../src/core/expression/references.ts";
import { renderTemplate } from "../../../src/core/expression/render.ts";
import { SKIPPED, type Scope } from "../../../src/core/expression/scope.ts";
import { walkPath } from "../../../src/core/expression/walk-path.ts";

/** What a test lets expressions see. A block that is null was skipped. */
export interface World {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly blocks?: Readonly<Record<string, unknown>>;
}

export function scopeOf(world: World): Scope {
  return {
    lookup(path) {
      const [root, block] = path;
      if (root === "blocks" && world.blocks?.[block!] === null) return SKIPPED;
      return walkPath({ inputs: world.inputs ?? {}, blocks: world.blocks ?? {}, metadata: { workflow_name: "w" } }, path, 0);
    },
  };
}

export function namesOf(world: World): Names {
  return { inputs: new Set(Object.keys(world.inputs ?? {})), blocks: new Set(Object.keys(world.blocks ?? {})) };
}

export function render(text: string, world: World = {}): unknown {
  const template = mapTemplate(parseTemplate(text), (reference) => normalizeReference(reference, namesOf(world)));
  return renderTemplate(template, scopeOf(world));
}

export function holds(text: string, world: World = {}): boolean {
  const condition = mapCondition(parseCondition(text), (reference) => normalizeReference(reference, namesOf(world)));
  return evaluateCondition(condition, scopeOf(world));
}

/** The code and column of what a call throws, for example `EXPRESSION_SYNTAX 4`. */
export function refusal(call: () => unknown): string {
  try {
    call();
  } catch (thrown) {
    const { code, place } = thrown as { code?: string; place?: { column?: number } };
    return place?.column === undefined ? String(code) : `${code} ${place.column}`;
  }
  return "none";
}
