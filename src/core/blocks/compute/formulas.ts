import { MAX_PROBLEMS } from "../../model/check-json.ts";
import { isWorkflowError, WorkflowError } from "../../model/errors.ts";
import type { InputProblem } from "../../ports/block.ts";
import { Budget } from "./budget.ts";
import { evaluateFormula } from "./evaluate.ts";
import { parseFormula } from "./parse.ts";

/** Formulas by name. */
export interface Formulas {
  readonly [name: string]: string;
}

/**
 * Computes formulas one after the other; each sees the variables and those before it. Throws what is wrong with the path of the formula and the column in
 * it: `EXPRESSION_SYNTAX`, `EXPRESSION_TYPE`, `ARITHMETIC_INVALID`, `REFERENCE_UNKNOWN`, `REFERENCE_FORBIDDEN`, `LIMIT_EXCEEDED`.
 */
export function computeFormulas(formulas: Formulas, variables: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  const budget = new Budget();
  const known = new Map(Object.entries(variables));
  const results: [string, unknown][] = [];
  for (const [name, text] of Object.entries(formulas)) {
    inFormula(name, () => {
      assertNew(name, known);
      const value = evaluateFormula(parseFormula(text, known), { variables: known }, budget);
      budget.spendWhole(value, 1);
      known.set(name, value);
      results.push([name, value]);
    });
  }
  return Object.fromEntries(results);
}

/** What is wrong with formulas as they are written, at most {@link MAX_PROBLEMS}. Without `variables` it is not known which there will be. */
export function checkFormulas(formulas: Formulas, variables: Iterable<string> | undefined): readonly InputProblem[] {
  const known = new Map([...(variables ?? [])].map((name) => [name, undefined]));
  const problems: InputProblem[] = [];
  for (const [name, text] of Object.entries(formulas)) {
    if (problems.length === MAX_PROBLEMS) break;
    try {
      assertNew(name, known);
      parseFormula(text, variables === undefined ? undefined : known);
    } catch (thrown) {
      if (!isWorkflowError(thrown)) throw thrown;
      const { code, message, place } = thrown;
      problems.push({ input: "formulas", keys: [name], code, message, ...(place.column === undefined ? {} : { column: place.column }) });
    }
    known.set(name, undefined);
  }
  return problems;
}

function assertNew(name: string, known: ReadonlyMap<string, unknown>): void {
  if (!known.has(name)) return;
  throw new WorkflowError("ID_DUPLICATE", `"${name}" is the name of a variable too. Name the formula otherwise.`);
}

function inFormula(name: string, work: () => void): void {
  try {
    work();
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    const { column } = thrown.place;
    const lead = `Formula "${name}"${column === undefined ? "" : `, position ${column}`}: `;
    throw new WorkflowError(thrown.code, lead + thrown.message, {
      place: { path: `formulas.${name}`, ...(column === undefined ? {} : { column }) },
      details: thrown.details,
      cause: thrown.cause,
    });
  }
}
