import { type RunReading, standingOf } from "../machine/machine.ts";
import { sameValue } from "../model/fingerprint.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import type { Values } from "../model/value.ts";
import type { OutputDeclaration } from "../model/workflow.ts";

/** A reference to what a block gave, or to a part of it, and nothing else. */
const OF_BLOCK = /^\$\{blocks\.([\w-]+)(?:\.outputs)?([^$]*)\}$/;

/** See `RunView.outputSchema`. */
export function viewOutputSchema({ compiled: { workflow, plan }, state }: RunReading, outputs: Values): JsonSchema {
  const properties: { [name: string]: JsonSchema } = {};
  for (const [name, output] of Object.entries(workflow.outputs ?? {})) {
    const { value, title }: OutputDeclaration = typeof output === "string" ? { value: output } : output;
    properties[name] = { ...answered(String(value), name), ...(title && { title }) };
  }
  return { properties };

  /** The schema of the answer, or of the part of one, that an output is. */
  function answered(value: string, name: string): JsonSchema | undefined {
    const [, id = "", path = ""] = OF_BLOCK.exec(value) ?? [];
    const block = plan.index.get(id);
    const number = block === undefined ? -1 : standingOf(state, { block }).at(-1);
    const { entry, answer } = state.pauses[number ?? -1] ?? {};
    if (!entry) return undefined;
    const whole: JsonSchema = { ...(entry.title && { title: entry.title }), ...entry.schema };
    // A form gives the members of its answer. What other blocks give may be the answer, or something made of it.
    if (!whole.properties) return sameValue(outputs[name], answer?.response) ? whole : undefined;
    const keys: readonly string[] = path.match(/[\w-]+/g) ?? [];
    return keys.reduce<JsonSchema | undefined>((part, key) => part?.properties?.[key] ?? part?.items, whole);
  }
}
