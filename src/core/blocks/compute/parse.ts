import { expressionError } from "../../expression/lexer.ts";
import type { Comparator } from "../../expression/syntax.ts";
import { forbiddenKey, isForbiddenKey } from "../../expression/walk-path.ts";
import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_LENGTH } from "../../model/limits.ts";
import { adviseName } from "../../model/suggestions.ts";
import type { Value } from "../../model/value.ts";
import { FUNCTIONS } from "./functions.ts";
import { readTokens, type Token } from "./lexer.ts";
import type { ComparedWith, Formula, Key, Operation, Operator } from "./syntax.ts";

/** From weak to strong. */
const [OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER] = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const RANKS: ReadonlyMap<string, number> = new Map<string, number>([
  ["or", OR],
  ["and", AND],
  // Begins "not in".
  ["not", COMPARISON],
  ...["==", "!=", "<", "<=", ">", ">=", "in"].map((comparator) => [comparator, COMPARISON] as const),
  ["+", SUM],
  ["-", SUM],
  ...["*", "/", "%"].map((operator) => [operator, PRODUCT] as const),
  ["**", POWER],
]);
const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const WORDS: ReadonlySet<string> = new Set(["and", "or", "not", "in", ...CONSTANTS.keys()]);
/** The names that a formula may use. */
type KnownNames = Pick<ReadonlyMap<string, unknown>, "has" | "keys">;

/**
 * Parses a formula. From weak to strong: `or`, `and`, `not`, comparisons, which chain, `+ -`, `* / %`, a sign, `**`. `names` are those it may use; without
 * them any. Throws `EXPRESSION_SYNTAX`, `REFERENCE_UNKNOWN`, `REFERENCE_FORBIDDEN` and `LIMIT_EXCEEDED` with the column in the text.
 */
export function parseFormula(text: string, names: KnownNames | undefined): Formula {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    const message = `A formula is longer than ${MAX_EXPRESSION_LENGTH} characters. Divide it: a formula may use those before it.`;
    throw expressionError("LIMIT_EXCEEDED", MAX_EXPRESSION_LENGTH, message);
  }
  return new Parser(text, names).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  readonly #names: KnownNames | undefined;
  /** The parameters of the lambdas around this place. */
  readonly #parameters: string[] = [];
  #depth = 0;

  constructor(text: string, names: KnownNames | undefined) {
    this.#tokens = readTokens(text);
    this.#names = names;
  }

  parse(): Formula {
    const formula = this.#formula(OR);
    const rest = this.#peek();
    if (rest.kind !== "end") throw unexpected(rest);
    return formula;
  }

  /** Takes a formula up to the next operator that binds weaker than `least`. */
  #formula(least: number): Formula {
    let left = this.#prefixed(least);
    for (let rank = this.#rank(); rank >= least; rank = this.#rank()) left = this.#operation(rank, left);
    return left;
  }

  /** How strongly the operator binds that is next; nothing binds with 0. */
  #rank(): number {
    const { kind, text } = this.#peek();
    return kind === "symbol" || kind === "name" ? (RANKS.get(text) ?? 0) : 0;
  }

  #prefixed(least: number): Formula {
    if (least <= NOT && this.#takes("name", "not")) return { kind: "not", operand: this.#deeper(NOT) };
    const { column } = this.#peek();
    return this.#takes("symbol", "-") ? { kind: "negative", operand: this.#deeper(SIGN), column } : this.#path();
  }

  #operation(rank: number, first: Formula): Formula {
    switch (rank) {
      case OR:
      case AND:
        return this.#joined(rank === OR ? "or" : "and", rank, first);
      case COMPARISON:
        return this.#comparison(first);
      case POWER: {
        const { column } = this.#take();
        return { kind: "power", base: first, exponent: this.#deeper(SIGN), column };
      }
      default:
        return this.#arithmetic(rank, first);
    }
  }

  #joined(kind: "and" | "or", rank: number, first: Formula): Formula {
    const operands = [first];
    while (this.#takes("name", kind)) operands.push(this.#formula(rank + 1));
    return { kind, operands };
  }

  #comparison(first: Formula): Formula {
    const rest: ComparedWith[] = [];
    while (this.#rank() === COMPARISON) {
      const { text, column } = this.#take();
      if (text === "not") this.#expect("name", "in");
      const comparator = text === "not" ? "not in" : (text as Comparator);
      rest.push({ comparator, operand: this.#formula(COMPARISON + 1), column });
    }
    return { kind: "comparison", first, rest };
  }

  #arithmetic(rank: number, first: Formula): Formula {
    const rest: Operation[] = [];
    while (this.#rank() === rank) {
      const { text, column } = this.#take();
      rest.push({ operator: text as Operator, operand: this.#formula(rank + 1), column });
    }
    return { kind: "arithmetic", first, rest };
  }

  #path(): Formula {
    const root = this.#operand();
    const keys: Key[] = [];
    for (;;) {
      const { column } = this.#peek();
      if (this.#takes("symbol", ".")) keys.push({ key: this.#key(), column });
      else if (this.#takes("symbol", "[")) {
        keys.push({ key: this.#deeper(OR), column });
        this.#expect("symbol", "]");
      } else return keys.length === 0 ? root : { kind: "path", root, keys };
    }
  }

  #operand(): Formula {
    const token = this.#take();
    if (token.kind === "number") return { kind: "literal", value: readNumber(token) };
    if (token.kind === "text") return { kind: "literal", value: token.text };
    if (token.kind === "name") return this.#named(token);
    if (token.kind === "symbol" && token.text === "(") {
      const inner = this.#deeper(OR);
      this.#expect("symbol", ")");
      return inner;
    }
    if (token.kind === "symbol" && token.text === "[") return { kind: "list", items: this.#listed("]", () => this.#deeper(OR)) };
    if (token.kind === "symbol" && token.text === "{") return { kind: "object", members: this.#listed("}", () => this.#member()) };
    throw unexpected(token);
  }

  #named(token: Token): Formula {
    const { text: name, column } = token;
    if (CONSTANTS.has(name)) return { kind: "literal", value: CONSTANTS.get(name)! };
    if (WORDS.has(name)) throw unexpected(token);
    if (this.#takes("symbol", "(")) return this.#call(name, column);
    if (this.#names && !this.#names.has(name) && !this.#parameters.includes(name))
      throw unknownName(name, [...this.#names.keys(), ...this.#parameters], column);
    return { kind: "name", name, column };
  }

  #call(name: string, column: number): Formula {
    const called = FUNCTIONS.get(name);
    if (!called) throw unknownFunction(name, column);
    const places: number[] = [];
    const args = this.#listed(")", () => {
      places.push(this.#peek().column);
      return this.#argument();
    });
    const { takes, least, form } = called;
    if (args.length < least || args.length > takes.length) {
      const wanted = least === takes.length ? String(least) : `${least} or ${takes.length}`;
      throw wrong("EXPRESSION_SYNTAX", column, `${name}() takes ${wanted} arguments, not ${args.length}: ${form}.`);
    }
    for (const [i, arg] of args.entries()) {
      if ((arg.kind === "lambda") === (takes[i] === "lambda")) continue;
      const message =
        takes[i] === "lambda" ? `A function such as x => x.name is wanted here: ${form}.` : `A value is wanted here: ${form}.`;
      throw wrong("EXPRESSION_SYNTAX", places[i]!, message);
    }
    return { kind: "call", called, args, column };
  }

  /** `x => …`, or a value. */
  #argument(): Formula {
    const start = this.#at;
    const { kind, text: parameter, column } = this.#take();
    if (kind !== "name" || WORDS.has(parameter) || !this.#takes("symbol", "=>")) {
      this.#at = start;
      return this.#deeper(OR);
    }
    this.#parameters.push(parameter);
    const body = this.#deeper(OR);
    this.#parameters.pop();
    return { kind: "lambda", parameter, body, column };
  }

  #member(): readonly [key: string, value: Formula] {
    const token = this.#peek();
    const key = token.kind === "text" ? this.#take().text : this.#key();
    if (isForbiddenKey(key)) throw forbiddenKey(key, token.column);
    this.#expect("symbol", ":");
    return [key, this.#deeper(OR)];
  }

  #key(): string {
    const token = this.#take();
    if (token.kind !== "name") throw unexpected(token, 'A name is missing here. Write other keys as ["key"].');
    if (isForbiddenKey(token.text)) throw forbiddenKey(token.text, token.column);
    return token.text;
  }

  #listed<T>(end: string, part: () => T): readonly T[] {
    const parts: T[] = [];
    while (!this.#takes("symbol", end)) {
      parts.push(part());
      if (this.#takes("symbol", ",")) continue;
      this.#expect("symbol", end);
      break;
    }
    return parts;
  }

  #deeper(least: number): Formula {
    if (this.#depth === MAX_EXPRESSION_DEPTH) {
      const message = `A formula is nested deeper than ${MAX_EXPRESSION_DEPTH} levels. Divide it: a formula may use those before it.`;
      throw expressionError("LIMIT_EXCEEDED", this.#peek().column - 1, message);
    }
    this.#depth++;
    const formula = this.#formula(least);
    this.#depth--;
    return formula;
  }

  #takes(kind: Token["kind"], text: string): boolean {
    const token = this.#peek();
    if (token.kind !== kind || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #expect(kind: Token["kind"], text: string): void {
    if (!this.#takes(kind, text)) throw unexpected(this.#peek(), `Expected "${text}".`);
  }

  #take(): Token {
    return this.#tokens[this.#at++]!;
  }

  #peek(): Token {
    return this.#tokens[this.#at]!;
  }
}

function readNumber(token: Token): number {
  const value = Number(token.text);
  if (/^0\d/.test(token.text)) throw unexpected(token, "A number does not start with 0.");
  if (!Number.isFinite(value) || (!/[.eE]/.test(token.text) && !Number.isSafeInteger(value)))
    throw unexpected(token, "This number cannot be held exactly.");
  return value;
}

function unknownName(name: string, known: readonly string[], column: number): Error {
  const isFunction = FUNCTIONS.has(name) ? ` It is a function: ${FUNCTIONS.get(name)!.form}.` : adviseName(name, known).sentence;
  return wrong("REFERENCE_UNKNOWN", column, `There is no variable "${name}", and no formula before this one has that name.${isFunction}`);
}

function unknownFunction(name: string, column: number): Error {
  return wrong("EXPRESSION_SYNTAX", column, `There is no function "${name}".${adviseName(name, FUNCTIONS.keys()).sentence}`);
}

function unexpected({ kind, text, column }: Token, hint = "Something else is wanted here."): Error {
  if (kind === "end") return wrong("EXPRESSION_SYNTAX", column, `The formula ends too early. ${hint}`);
  return wrong("EXPRESSION_SYNTAX", column, `Unexpected ${JSON.stringify(text.slice(0, 60))} at position ${column}. ${hint}`);
}

function wrong(code: "EXPRESSION_SYNTAX" | "REFERENCE_UNKNOWN", column: number, message: string): Error {
  return expressionError(code, column - 1, message);
}
