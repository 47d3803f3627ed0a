import type { Template } from "../../expression/syntax.ts";
import { errorData, isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { isQuick } from "../../model/find-text.ts";
import { MAX_VALUE_LENGTH } from "../../model/limits.ts";
import type { Values } from "../../model/value.ts";
import { type JinjaFunction, type JinjaInterpreter, type JinjaNode, type JinjaValue, jinja } from "./jinja.ts";
import { giveReplace, likeValue, mendFilter, mendTest } from "./jinja-filters.ts";
import { templateSizes, withoutBytes } from "./size.ts";
import { REFERENCE, refuseMissingNames } from "./names.ts";

/** Characters of one template (64 kB). */
export const MAX_TEMPLATE_LENGTH = 65_536;
/** Blank characters in a row; the engine looks for a tag after each of them, which takes time in the square of the run. */
const MAX_BLANKS = 1_000;
/** Items that `range` gives. */
const MAX_RANGE = 100_000;
/** Work of one rendering. One unit is one evaluated part, or its equal in scanned text; a million take about a fifth of a second. */
const MAX_WORK = 1_000_000;
/** Nesting of parts while they are evaluated, calls of macros included. */
const MAX_DEPTH = 400;
/** Work of one pass through a loop, and of looking for a name that is not there. */
const ITERATION_WORK = 32;
const UNDEFINED_WORK = 50;
/** Characters that one filter may write at most, by the product of what it is given. */
const MAX_PRODUCT = 4 * MAX_VALUE_LENGTH;
/** Sorting looks at each item about this often. */
const COMPARISONS = 32;

/** Filters whose arguments multiply with what they are applied to. */
const MULTIPLYING: ReadonlySet<string> = new Set(["join", "indent", "tojson", "map", "sort"]);
/** Parts that make something new, which takes longer than looking at it. */
const MAKING: ReadonlySet<string> = new Set(["FilterExpression", "CallExpression", "FilterStatement"]);
/** Their results only put texts together that were paid for before. */
const STATEMENTS: ReadonlySet<string> = new Set(["Program", "If", "For", "Set", "Macro", "CallStatement"]);

/** What is known about the part around the one that is evaluated. */
interface Frame {
  /** The part whose value matters to the frame: what a filter, a member or a loop is applied to. */
  readonly subject: JinjaNode | undefined;
  readonly node: JinjaNode;
  value?: JinjaValue;
}

/**
 * Renders a Jinja template with own properties of the variables only. Deterministic: there is no clock and no chance in a template. Throws
 * `TEMPLATE_INVALID` for mistakes, `LIMIT_EXCEEDED` for templates that would take too long or print too much. With `strict`, a name that is
 * not defined is a mistake, unless it stands before `is defined` or `default`; without, it prints nothing.
 */
export function renderTemplate(template: string, variables: Values, options: { readonly strict?: boolean } = {}): string {
  refuseLarge(template);
  try {
    refuseMissingNames(template);
    const globals = new jinja.Environment();
    for (const [name, value] of Object.entries(GLOBALS)) globals.set(name, value);
    const scope = new jinja.Environment(globals);
    scope.variables.delete("namespace");
    for (const [name, value] of Object.entries(variables)) scope.set(name, withoutBytes(value));
    const interpreter = new jinja.Interpreter(scope);
    bound(interpreter, template.length, options.strict ?? false);
    const rendered = String(interpreter.run(jinja.parse(jinja.tokenize(template))).value);
    if (rendered.length > MAX_VALUE_LENGTH) throw tooMuch(`prints more than ${MAX_VALUE_LENGTH} characters`);
    return rendered;
  } catch (thrown) {
    if (isWorkflowError(thrown)) throw thrown;
    const reason = thrown instanceof RangeError ? "it is nested too deeply" : errorData(thrown, "TEMPLATE_INVALID").message.slice(0, 300);
    throw new WorkflowError("TEMPLATE_INVALID", `The template cannot be rendered: ${reason}. Correct the template or its variables.`, {
      cause: thrown,
    });
  }
}

const GLOBALS = { true: true, false: false, none: null, True: true, False: false, None: null, range };

/** Throws `TEMPLATE_INVALID` for a filter, test, statement or function that is not there. What references will give counts as text. */
export function checkTemplate(parts: Template["parts"]): void {
  const template = parts.map((part) => (typeof part === "string" ? part : REFERENCE)).join("");
  if (template.length <= MAX_TEMPLATE_LENGTH) refuseMissingNames(template);
}

/** Puts limits and strictness into an interpreter, around the one method that everything goes through. */
function bound(interpreter: JinjaInterpreter, templateLength: number, strict: boolean): void {
  const evaluate = interpreter.evaluate.bind(interpreter);
  const evaluateBlock = interpreter.evaluateBlock.bind(interpreter);
  const sizeOf = templateSizes();
  let work = 0;
  let depth = 0;
  let frame: Frame | undefined;

  const spend = (units: number): void => {
    work += units;
    if (work > MAX_WORK) throw tooMuch("takes too many steps");
  };

  const guardProduct = (filter: string, operand: JinjaValue, argument: JinjaValue): void => {
    const { length, depth: levels } = sizeOf(operand);
    const { value } = argument;
    const count = Array.isArray(operand.value) && filter !== "tojson" ? operand.value.length : length;
    const factor = typeof value === "number" ? value * (filter === "tojson" ? levels : 1) : sizeOf(argument).length - 2;
    if (count * factor * (filter === "sort" ? COMPARISONS : 1) > MAX_PRODUCT) throw tooMuch(`prints too much by the filter "${filter}"`);
  };

  const guardSearch = (text: JinjaValue, wanted: JinjaValue): void => {
    if (typeof text.value !== "string" || typeof wanted.value !== "string") return;
    if (!isQuick(text.value.length, wanted.value.length)) throw tooMuch("looks for a long text in a long text");
  };

  const boundMethod = (method: JinjaValue, owner: JinjaValue): JinjaValue => {
    const value: JinjaFunction = (args, scope) => {
      if (args[0]) guardSearch(owner, args[0]);
      spend(1 + sizeOf(owner).length / 16);
      return (method.value as JinjaFunction)(args, scope);
    };
    return likeValue(method, { value });
  };

  const enter = (node: JinjaNode): void => {
    if (++depth > MAX_DEPTH) throw tooMuch(`is nested more than ${MAX_DEPTH} levels deep`);
    // The engine walks through all of a macro's body each time the macro is defined.
    if (node.type === "Macro" || node.type === "CallStatement") spend(templateLength / 64);
    refuseUnbounded(node);
  };

  const leave = (own: Frame, around: Frame | undefined, result: JinjaValue): JinjaValue => {
    const { node } = own;
    if (result.type === "UndefinedValue") {
      spend(UNDEFINED_WORK);
      if (strict && isNamed(node) && !(around && tolerates(around, node))) throw undefinedName(node);
    }
    const method = result.type === "FunctionValue" && own.value && node.type === "MemberExpression";
    const given = method ? boundMethod(result, own.value!) : result;
    const isSubject = around?.subject === node;
    if (isSubject && (around.node.type === "MemberExpression" || filterName(around.node) === "replace")) giveReplace(given);
    if (isSubject) around.value = given;
    else if (around?.value && isSearch(around.node)) guardSearch(given, around.value);
    else if (around?.value && multiplies(around.node, node)) guardProduct(filterName(around.node), around.value, given);
    if (isSubject && around.node.type === "For") spend(ITERATION_WORK * lengthOf(given));
    const isFree = STATEMENTS.has(node.type) || (isSubject && around.node.type === "MemberExpression" && !isSlice(around.node));
    spend(isFree ? 1 : 1 + sizeOf(given).length / (MAKING.has(node.type) ? 4 : 16));
    return given;
  };

  // Each pass through a loop has its own scope, so variables do not leak into the next pass.
  interpreter.evaluateBlock = (body, scope) =>
    evaluateBlock(body, frame?.node.type === "For" && frame.node.body === body ? new jinja.Environment(scope) : scope);

  interpreter.evaluate = (node, scope) => {
    if (!node) return evaluate(node, scope);
    const around = frame;
    const own: Frame = { node, subject: subjectOf(node) };
    try {
      enter(node);
      frame = own;
      // The engine answers `[] | first` with nothing at all; the value of an absent node is its "undefined".
      const result = (evaluate(node, scope) as JinjaValue | undefined) ?? evaluate(undefined, scope);
      return leave(own, around, mend(own, result));
    } finally {
      frame = around;
      depth--;
    }
  };
}

/** The result as Jinja has it, where the engine differs. */
function mend({ node, value }: Frame, result: JinjaValue): JinjaValue {
  if (node.type === "FilterExpression") return mendFilter(filterName(node), value, result);
  return node.type === "TestExpression" ? mendTest(String(node.test?.value), node.negate ?? false, value, result) : result;
}

function subjectOf(node: JinjaNode): JinjaNode | undefined {
  if (node.type === "FilterExpression" || node.type === "TestExpression") return node.operand;
  if (node.type === "MemberExpression") return node.object;
  if (isSearch(node)) return node.left;
  if (node.type === "For") return node.iterable?.type === "SelectExpression" ? node.iterable.lhs : node.iterable;
  return undefined;
}

/** `in` and `not in`, whose left side is looked for in the right one. */
function isSearch({ type, operator }: JinjaNode): boolean {
  return type === "BinaryExpression" && (operator?.value === "in" || operator?.value === "not in");
}

function filterName(node: JinjaNode): string {
  return String((node.filter?.callee ?? node.filter)?.value);
}

/** Whether the argument belongs to a filter whose result grows with it. */
function multiplies(node: JinjaNode, argument: JinjaNode): boolean {
  if (node.type !== "FilterExpression" || !MULTIPLYING.has(filterName(node))) return false;
  return (node.filter?.args ?? []).some((one) => one === argument || one.value === argument);
}

/** Refuses the two forms in which a filter's arguments cannot be measured before it runs. */
function refuseUnbounded(node: JinjaNode): void {
  if (!node.filter?.args?.length || !(MULTIPLYING.has(filterName(node)) || filterName(node) === "replace")) return;
  if (
    node.type === "FilterStatement" ||
    node.filter.args.some(({ type }) => type === "SpreadExpression" || type === "KeywordSpreadExpression")
  ) {
    throw new WorkflowError(
      "TEMPLATE_INVALID",
      `The filter "${filterName(node)}" takes arguments only in the form {{ value | ${filterName(node)}(…) }}, each written out.`,
    );
  }
}

function isSlice(node: JinjaNode): boolean {
  return node.property?.type === "SliceExpression";
}

function isNamed(node: JinjaNode): boolean {
  return node.type === "Identifier" || node.type === "MemberExpression";
}

/** `is defined` and `default` are there to be asked about names that are not defined. */
function tolerates({ node, subject }: Frame, operand: JinjaNode): boolean {
  if (subject !== operand) return false;
  if (node.type === "TestExpression") return node.test?.value === "defined" || node.test?.value === "undefined";
  return node.type === "FilterExpression" && filterName(node) === "default";
}

function undefinedName(node: JinjaNode): WorkflowError {
  const named = node.type === "Identifier" ? node.value : node.computed ? undefined : node.property?.value;
  const name = named === undefined ? "A member the template asks for" : `"${String(named)}"`;
  return new WorkflowError(
    "TEMPLATE_INVALID",
    `${name} is not defined. Give it in variables, use the filter default("…"), or leave strict out.`,
  );
}

function lengthOf({ value }: JinjaValue): number {
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : 0;
}

function range(start: unknown, stop?: unknown, step: unknown = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  if (!isInteger(from) || !isInteger(to) || !isInteger(step) || step === 0)
    throw new TypeError("range takes whole numbers, and a step other than 0");
  const length = Math.max(0, Math.ceil((to - from) / step));
  if (length > MAX_RANGE) throw tooMuch(`asks for a range of ${length} items, of ${MAX_RANGE} allowed`);
  return Array.from({ length }, (_, index) => from + index * step);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function refuseLarge(template: string): void {
  if (template.length > MAX_TEMPLATE_LENGTH) throw tooMuch(`has ${template.length} characters, of ${MAX_TEMPLATE_LENGTH} allowed`);
  let blanks = 0;
  for (const character of template) {
    blanks = character.trim() === "" ? blanks + 1 : 0;
    if (blanks > MAX_BLANKS) throw tooMuch(`has more than ${MAX_BLANKS} blank characters in a row`);
  }
}

function tooMuch(how: string): WorkflowError {
  return new WorkflowError("LIMIT_EXCEEDED", `The template ${how}. Make it smaller, or split the work among blocks.`);
}
