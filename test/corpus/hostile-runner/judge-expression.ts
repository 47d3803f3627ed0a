import type { Step, Store, Value, Workflow } from "wavepoint";
import { attemptWorkflow } from "./attempt.ts";
import type { Attempt } from "./attempt.ts";
import { isRefusalFor } from "./refusal-codes.ts";
import { PASSED, failed, worst } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";

const INPUTS = { x: "X", items: ["i"], key: "__proto__", name: "a.outputs", n: 5 } as const;

/** What became of an expression: refused, failed, or the value it gave. */
type Outcome = { readonly error: string; readonly text: string } | { readonly value: Value };

/** Judges one expression, as the message or as the condition of a block. */
export async function judgeExpression(input: HostileInput, expression: string, openStore: () => Promise<Store>): Promise<Verdict> {
  const evaluate = async (text: string): Promise<Outcome & { readonly reached: Attempt["reached"] }> => {
    const attempt = await attemptWorkflow(await openStore(), () => workflowWith(text));
    try {
      if (attempt.reached === "load" && attempt.writesAtLoad > 0) throw new Error("a refused workflow was written to the store");
      const { error } = attempt;
      if (error !== undefined) return { reached: attempt.reached, error: error.code, text: `${error.code}: ${error.message}` };
      return { reached: attempt.reached, value: valueOf(await attempt.run!.steps(), isCondition(text)) };
    } finally {
      await attempt.executor.close();
    }
  };

  const { outcome, code } = input.expect;
  const found = await evaluate(expression);
  const actual = "error" in found ? `at ${found.reached} ${found.text}` : `the value ${JSON.stringify(found.value)}`;
  const isRefused = "error" in found && isRefusalFor(code === "" ? "E_EXPR_TYPE" : code, found.error);
  const pass = (condition: boolean): Verdict => (condition ? PASSED : failed(`${outcome} ${code}`.trim(), actual));
  switch (outcome) {
    case "reject-load":
      return pass(isRefused && found.reached === "load");
    case "reject-run":
    case "unknown-reference":
      return pass(isRefused);
    case "copy-or-reject":
      return pass(isRefused || ("value" in found && JSON.stringify(found.value) === JSON.stringify(INPUTS)));
    case "succeed-literal":
      return pass("value" in found && found.value === literalOf(expression));
    case "documented":
      // Texts are ordered by code point, and a reference may have blanks inside: numeric order and a half-resolved text are what must not be.
      return pass(isRefused || ("value" in found && (isCondition(expression) ? found.value === true : found.value === INPUTS.x)));
    case "value-false":
      return pass("value" in found && found.value === false);
    case "error-or-false":
      return pass(isRefused || ("value" in found && found.value === false));
    case "own-keys-only": {
      const inherited = [expression.replace(/"[^"]*"/, '"toString"'), '"toString" in ${inputs}', '"constructor" in ${inputs}'];
      const verdicts = await Promise.all(
        inherited.map(async (text) => {
          const other = await evaluate(text);
          return "value" in other && other.value !== false ? failed(`${text} is false or refused`, JSON.stringify(other.value)) : PASSED;
        }),
      );
      return worst([pass(isRefused || ("value" in found && found.value === true)), ...verdicts]);
    }
    default:
      return failed(`outcome "${outcome}"`, "an outcome this runner does not know");
  }
}

function workflowWith(expression: string): Workflow {
  const block = { id: "b", type: "Echo", dependsOn: ["a"] };
  return {
    name: "hostile",
    inputs: {
      x: { type: "string", default: INPUTS.x },
      items: { type: "array", default: INPUTS.items },
      key: { type: "string", default: INPUTS.key },
      name: { type: "string", default: INPUTS.name },
      n: { type: "integer", default: INPUTS.n },
    },
    blocks: [
      { id: "a", type: "Echo", inputs: { message: "hi" } },
      isCondition(expression)
        ? { ...block, inputs: { message: "ran" }, condition: expression }
        : { ...block, inputs: { message: expression } },
    ],
  };
}

/** Whether anything but references and stray braces stands in the text: then it is meant as a condition. */
function isCondition(expression: string): boolean {
  return expression.includes("${") ? !/^[$}{]*$/.test(expression.replace(/\$\{[^`]*\}|\$\{[^`}]*$/g, "")) : true;
}

function valueOf(steps: readonly Step[], isConditional: boolean): Value {
  const step = steps.find((found) => found.block === "b");
  if (isConditional) return step?.status === "completed";
  return step?.outputs?.message ?? null;
}

/** `$${…}` is the escape for `${…}`; everything around a reference stays as it is. */
function literalOf(expression: string): string {
  return expression.replace(/\$\$\{|\$\{inputs\.x\}/g, (found) => (found === "$${" ? "${" : INPUTS.x));
}
