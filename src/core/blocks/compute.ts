import { isRecord, type Values } from "../model/value.ts";
import { type BlockType, type InputProblem, success } from "../ports/block.ts";
import type * as ComputeFormulas from "./compute/formulas.ts";
import { defineBlock } from "./define-block.ts";

/** Loads what computes: seldom used. */
async function loadFormulas(): Promise<typeof ComputeFormulas> {
  return import("./compute/formulas.ts");
}

/** Computes values from values. */
export const computeBlock: BlockType = defineBlock({
  type: "Compute",
  description: "Computes values from values: sums, scores, ages, lists made from lists.",
  pure: true,
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        formulas: {
          type: "object",
          additionalProperties: { type: "string", minLength: 1 },
          description:
            "The formulas, by the names of the outputs. Each sees the variables, and the formulas before it. They hold no references.",
        },
        variables: { type: "object", default: {}, description: "What the formulas see, by name." },
      },
      required: ["formulas"],
      additionalProperties: false,
    },
  },
  outputs: { jsonSchema: { type: "object", description: "The value of each formula, under its name." } },
  load: loadFormulas,
  async checkInputs({ formulas }, written) {
    if (formulas === undefined) return findReferences(written["formulas"]);
    if (!isRecord(formulas) || Object.values(formulas).some((formula) => typeof formula !== "string")) return [];
    const { variables = {} } = written;
    const { checkFormulas } = await loadFormulas();
    return [...checkFormulas(formulas as ComputeFormulas.Formulas, isRecord(variables) ? Object.keys(variables) : undefined)];
  },
  async execute({ inputs: { formulas, variables } }) {
    const { computeFormulas } = await loadFormulas();
    return success(computeFormulas(formulas as ComputeFormulas.Formulas, variables) as Values);
  },
});

/** What stands in place of a reference is data, and data is never read as a formula. */
function findReferences(formulas: unknown): InputProblem[] {
  const message = 'A formula holds no references. Give the value a name in "variables", and use that name.';
  const found = isRecord(formulas) ? Object.entries(formulas).filter(([, text]) => typeof text === "string" && text.includes("${")) : [];
  const problem = { input: "formulas", code: "BLOCK_INPUT_INVALID", message } as const;
  return found.length === 0 ? [problem] : found.map(([name]) => ({ ...problem, keys: [name] }));
}
