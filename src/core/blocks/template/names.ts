import { WorkflowError } from "../../model/errors.ts";
import { adviseName } from "../../model/suggestions.ts";
import { jinja } from "./jinja.ts";

/** The filters of Jinja that are there. */
const FILTERS: readonly string[] =
  "abs capitalize default dictsort first float indent int items join last length list lower map rejectattr replace reverse safe selectattr sort string title tojson trim unique upper".split(
    " ",
  );

/** The tests of Jinja that are there, none of which takes an argument. */
const TESTS: readonly string[] =
  "boolean callable defined even false integer iterable lower mapping none number odd sequence string true undefined upper".split(" ");

/** The statements of Jinja that are there, with what stands inside of them and ends them. */
const STATEMENTS: readonly string[] =
  "if elif else endif for endfor set endset macro endmacro call endcall filter endfilter break continue".split(" ");

/** Functions that Jinja has and this has not. */
const MISSING_FUNCTIONS: ReadonlySet<string> = new Set("lipsum dict cycler joiner".split(" "));

interface Token {
  readonly type: string;
  readonly value: string;
}

/** Stands in a template in place of a reference. A name with it in it may be any name. */
export const REFERENCE = "wavepoint_reference";

/** Throws `TEMPLATE_INVALID` for the first filter, test, statement or function of a template that is not there. What else is wrong is not looked for. */
export function refuseMissingNames(template: string): void {
  const tokens = jinja.tokenize(template) as readonly Token[];
  tokens.forEach(({ type, value }, i) => {
    if (type !== "Identifier" || value.includes(REFERENCE)) return;
    const assertKnown = (kind: string, known: readonly string[]): void => {
      if (!known.includes(value)) throw missing(kind, value, { known, line: lineOf(tokens, i, template) });
    };
    const before = tokens[i - 1];
    const isNegated = before?.value === "not" && tokens[i - 2]?.value === "is";
    if (before?.type === "OpenStatement") assertKnown("statement", STATEMENTS);
    else if (before?.type === "Pipe") assertKnown("filter", FILTERS);
    else if (isNegated || (before?.type === "Identifier" && before.value === "is")) {
      if (value !== "not") assertKnown("test", TESTS);
    } else if (MISSING_FUNCTIONS.has(value) && tokens[i + 1]?.type === "OpenParen" && before?.type !== "Dot") {
      assertKnown("function", ["range", "namespace"]);
    }
  });
}

/** Tokens do not say where they stand. Those of texts in quotes are without their escapes, so they are not looked for. */
function lineOf(tokens: readonly Token[], index: number, template: string): number {
  let end = 0;
  for (const { type, value } of tokens.slice(0, index + 1)) {
    const start = type === "StringLiteral" ? -1 : template.indexOf(value, end);
    if (start >= 0) end = start + value.length;
  }
  return template.slice(0, end).split("\n").length;
}

function missing(kind: string, name: string, { known, line }: { readonly known: readonly string[]; readonly line: number }): WorkflowError {
  const advice = adviseName(name, known);
  return new WorkflowError(
    "TEMPLATE_INVALID",
    `The template uses the ${kind} "${name}" (line ${line}), which is not there.${advice.sentence} Make the value before it reaches the template.`,
    { details: { ...advice.details } },
  );
}
