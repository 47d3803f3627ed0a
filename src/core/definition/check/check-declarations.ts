import { isName } from "../../model/ids.ts";
import { MAX_SEARCH_VALUES } from "../../model/limits.ts";
import { hasType, showValue, withArticle } from "../../model/value-type.ts";
import { findPolicyProblem } from "../../model/policy.ts";
import type { InputDeclaration, Workflow } from "../../model/workflow.ts";
import { memberPath } from "../compile-value.ts";
import { checkInput } from "../inputs.ts";
import type { ProblemDetails, ProblemList } from "./problem-list.ts";
import { walkTexts } from "./read-texts.ts";

/** Reports names outside the grammar, defaults and choices that do not fit the type of their input, and a policy that contradicts itself. */
export function checkDeclarations(workflow: Workflow, problems: ProblemList): void {
  const checkName = (name: string, path: string, more?: ProblemDetails): void => {
    if (isName(name)) return;
    const message = `${showValue(name)} is not a valid name. Use 1 to 128 letters (a to z), digits, "_" or "-"; "__proto__", "constructor", "prototype" and "__internal__" are taken.`;
    problems.error("ID_INVALID", path, message, more);
  };
  checkName(workflow.name, "name");
  const problem = workflow.policy && findPolicyProblem(workflow.policy);
  if (problem) problems.error("POLICY_INVALID", `policy.${problem.part}`, problem.message);
  workflow.blocks.forEach(({ id }, i) => checkName(id, `blocks[${i}].id`));
  const search = Object.keys(workflow.search ?? {});
  for (const name of search) checkName(name, memberPath("search", name), { isKey: true });
  if (search.length > MAX_SEARCH_VALUES) {
    problems.error(
      "LIMIT_EXCEEDED",
      "search",
      `Runs are found by at most ${MAX_SEARCH_VALUES} values, not ${search.length}. Leave some out.`,
    );
  }
  for (const name of Object.keys(workflow.outputs ?? {})) checkName(name, memberPath("outputs", name), { isKey: true });
  for (const [name, declaration] of Object.entries(workflow.inputs ?? {})) {
    const path = memberPath("inputs", name);
    checkName(name, path, { isKey: true });
    if (declaration.secret === true) checkSecret(name, declaration, path, problems);
    else checkValues(name, declaration, path, problems);
  }
}

function checkValues(name: string, declaration: InputDeclaration, path: string, problems: ProblemList): void {
  declaration.enum?.forEach((choice, i) => {
    if (hasType(choice, declaration.type)) return;
    const message = `A choice of input "${name}" must be ${withArticle(declaration.type)}, not ${showValue(choice)}.`;
    problems.error("SCHEMA_INVALID", `${path}.enum[${i}]`, message);
  });
  if (declaration.default === undefined) return;
  const reason = checkInput(declaration.default, declaration);
  if (reason !== undefined) problems.error("INPUT_DEFAULT_INVALID", `${path}.default`, `The default of input "${name}" ${reason}`);
  else walkTexts(declaration.default, `${path}.default`, { problems, visit: () => undefined });
}

/** A secret is a text. A definition is stored and shown as it is: it must not hold what is secret. */
function checkSecret(name: string, declaration: InputDeclaration, path: string, problems: ProblemList): void {
  for (const key of ["default", "enum"] as const) {
    if (declaration[key] === undefined) continue;
    const message = `The input "${name}" is secret, and a definition is no place for its values. Remove "${key}".`;
    problems.error("SECRET_MISPLACED", `${path}.${key}`, message);
  }
  if (declaration.type === "string") return;
  problems.error("SCHEMA_INVALID", `${path}.type`, `Input "${name}" is secret, so its type must be string.`);
}
