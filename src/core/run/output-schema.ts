import { type RunReading, standingOf } from "../machine/machine.ts";
import { sameValue } from "../model/fingerprint.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import type { Value, Values } from "../model/value.ts";
import type { OutputDeclaration } from "../model/workflow.ts";

/** See `RunView.outputSchema`. */
export function viewOutputSchema({ compiled, state }: RunReading, outputs: Values): JsonSchema {
  const properties: { [name: string]: JsonSchema } = {};
  for (const [name, output] of Object.entries(compiled.workflow.outputs ?? {})) {
    const { value, title }: OutputDeclaration = typeof output === "string" ? { value: output } : output;
    properties[name] = { ...answered(value, name), ...(title && { title }) };
  }
  return { properties };

  /** The schema of the answer, or of the part of one, that an output is. */
  function answered(value: Value, name: string): JsonSchema | undefined {
    const [root, id, part, ...keys] = compiled.pathOf(value) ?? [];
    const block = root === "blocks" && part === "outputs" ? compiled.plan.index.get(String(id)) : undefined;
    if (block === undefined) return undefined;
    const { entry, answer } = state.pauses[standingOf(state, { block }).at(-1) ?? -1] ?? {};
    if (!entry) return undefined;
    const whole: JsonSchema = { ...(entry.title && { title: entry.title }), ...entry.schema };
    // A form gives the members of its answer. What other blocks give may be the answer, or something made of it.
    if (!whole.properties) return sameValue(outputs[name], answer?.response) ? whole : undefined;
    return keys.reduce<JsonSchema | undefined>((schema, key) => schema?.properties?.[String(key)] ?? schema?.items, whole);
  }
}
