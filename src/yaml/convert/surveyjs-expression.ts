import type { Value } from "../../core/model/value.ts";
import type { Comparison, Condition } from "./condition.ts";

/** Parentheses and negations in one another. */
const MAX_DEPTH = 50;

/** The operators between two operands, by all of their spellings. */
const OPERATORS: ReadonlyMap<string, Comparison["is"] | "contains" | "notcontains" | "anyof" | "allof" | "noneof"> = new Map([
  ...spellings("==", "=", "==", "equal"),
  ...spellings("!=", "<>", "!=", "notequal"),
  ...spellings("<", "<", "less"),
  ...spellings("<=", "<=", "lessorequal"),
  ...spellings(">", ">", "greater"),
  ...spellings(">=", ">=", "greaterorequal"),
  ...spellings("contains", "contains", "contain", "*="),
  ...spellings("notcontains", "notcontains", "notcontain"),
  ...spellings("anyof", "anyof"),
  ...spellings("allof", "allof"),
  ...spellings("noneof", "noneof"),
]);

function spellings<Is extends string>(is: Is, ...texts: readonly string[]): readonly (readonly [string, Is])[] {
  return texts.map((text) => [text, is] as const);
}

/** Turned round: `3 < {a}` is `{a} > 3`. */
const MIRRORED: { readonly [is: string]: Comparison["is"] } = { "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

const TOKEN =
  /\s*(?:(\{[^{}]*\})|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?![\w.]))|(<>|<=|>=|==|!=|\*=|&&|\|\||[=<>()[\],!])|([A-Za-z_]\w*))/y;

type Token =
  | { readonly kind: "question"; readonly name: string }
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "word"; readonly text: string };

type Operand = { readonly question: string } | { readonly value: Value };

/**
 * Reads a condition of SurveyJS. Functions, arithmetic and comparisons of two questions are not read: then it gives nothing. Source: SurveyJS Form Library,
 * "Design Survey Conditional Logic", operators of expressions.
 */
export function readSurveyExpression(text: string, nameOf: (question: string) => string): Condition | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const reader = new Reader(tokens, nameOf);
  const condition = reader.or(0);
  return condition !== undefined && reader.isAtEnd() ? condition : undefined;
}

function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text);
    if (!found) return undefined;
    const [, question, quoted, number, sign, word] = found;
    if (question !== undefined) tokens.push({ kind: "question", name: question.slice(1, -1).trim() });
    else if (quoted !== undefined) tokens.push({ kind: "value", value: quoted.slice(1, -1).replace(/\\(.)/g, "$1") });
    else if (number !== undefined) tokens.push({ kind: "value", value: Number(number) });
    else if (word === "true" || word === "false") tokens.push({ kind: "value", value: word === "true" });
    else tokens.push({ kind: "word", text: sign ?? word!.toLowerCase() });
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #nameOf: (question: string) => string;
  #at = 0;

  constructor(tokens: readonly Token[], nameOf: (question: string) => string) {
    this.#tokens = tokens;
    this.#nameOf = nameOf;
  }

  isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  or(depth: number): Condition | undefined {
    return this.#list(["or", "||"], () => this.#and(depth), "any");
  }

  #and(depth: number): Condition | undefined {
    return this.#list(["and", "&&"], () => this.#unary(depth), "all");
  }

  #list(words: readonly string[], readPart: () => Condition | undefined, kind: "any" | "all"): Condition | undefined {
    const parts: Condition[] = [];
    do {
      const part = readPart();
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#take(...words));
    if (parts.length === 1) return parts[0];
    return kind === "any" ? { any: parts } : { all: parts };
  }

  #unary(depth: number): Condition | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (this.#take("!", "negate", "not")) {
      const part = this.#unary(depth + 1);
      return part && { not: part };
    }
    if (this.#take("(")) {
      const part = this.or(depth + 1);
      return this.#take(")") ? part : undefined;
    }
    return this.#comparison();
  }

  #comparison(): Condition | undefined {
    const left = this.#operand();
    if (left === undefined) return undefined;
    if ("question" in left) {
      if (this.#take("notempty")) return { answered: left.question };
      if (this.#take("empty")) return { not: { answered: left.question } };
    }
    const token = this.#tokens[this.#at];
    const is = token?.kind === "word" ? OPERATORS.get(token.text) : undefined;
    // A question by itself asks whether it is true.
    if (is === undefined) return "question" in left ? { question: left.question, is: "==", value: true } : undefined;
    this.#at++;
    const right = this.#operand();
    if (right === undefined) return undefined;
    if ("question" in left) return "value" in right ? compare(left.question, is, right.value) : undefined;
    return "question" in right && is in MIRRORED ? compare(right.question, MIRRORED[is]!, left.value) : undefined;
  }

  #operand(): Operand | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined) return undefined;
    if (token.kind === "question") {
      this.#at++;
      return { question: this.#nameOf(token.name) };
    }
    if (token.kind === "value") {
      this.#at++;
      return { value: token.value };
    }
    if (!this.#take("[")) return undefined;
    const items: Value[] = [];
    while (!this.#take("]")) {
      const item = this.#tokens[this.#at];
      if (item?.kind !== "value") return undefined;
      items.push(item.value);
      this.#at++;
      this.#take(",");
    }
    return { value: items };
  }

  #take(...words: readonly string[]): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "word" || !words.includes(token.text)) return false;
    this.#at++;
    return true;
  }
}

function compare(question: string, is: string, value: Value): Condition {
  const values = Array.isArray(value) ? (value as readonly Value[]) : [value];
  const chosen = values.map((one): Condition => ({ chosen: one, of: question }));
  switch (is) {
    case "contains":
    case "allof":
      return chosen.length === 1 ? chosen[0]! : { all: chosen };
    case "anyof":
      return chosen.length === 1 ? chosen[0]! : { any: chosen };
    case "notcontains":
    case "noneof":
      return { not: { any: chosen } };
    default:
      return { question, is: is as Comparison["is"], value };
  }
}
