import type { Document, ParsedNode } from "yaml";
import { Composer, CST, Lexer, LineCounter, Parser } from "yaml";
import type { ErrorCode } from "../core/model/errors.ts";
import { MAX_WORKFLOW_DEPTH, MAX_WORKFLOW_TEXT } from "../core/model/limits.ts";

/** Something wrong with the text itself. `offset` counts from 0. */
export interface TextProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly offset: number;
}

/** A text as a tree with positions. Where there are problems there may be no tree. */
export interface YamlText {
  readonly problems: readonly TextProblem[];
  readonly root: ParsedNode | null;
  readonly lines: LineCounter;
}

/** The parser keeps the document itself on its stack, and a value for each level that is just being read. */
const STACK_SLACK = 2;
/** Syntax errors reported at once. Those after the first are often only its echo. */
const MAX_SYNTAX_PROBLEMS = 10;

/** What YAML 1.2 does not allow in a text as it stands, and what the lexer uses for its own marks. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

/**
 * Reads YAML 1.2 from a stranger. Before anything is built, the text is measured and its tokens are counted off against the depth limit:
 * parsers are known to exhaust the process on deep or aliased input. Anchors, aliases, directives, tags outside the core schema and further
 * documents are refused; what the parser would only warn about is an error.
 */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const failed = (...problems: readonly TextProblem[]): YamlText => ({ problems, root: null, lines });
  const control = text.search(CONTROL);
  if (text.length > MAX_WORKFLOW_TEXT) {
    return failed(problem("LIMIT_EXCEEDED", 0, `The YAML text is longer than ${MAX_WORKFLOW_TEXT} characters. Split the workflow.`));
  }
  const tokens = readTokens(text, lines);
  if (!Array.isArray(tokens)) return failed(tokens as TextProblem);
  if (control !== -1) {
    return failed(
      problem(
        "YAML_SYNTAX",
        control,
        `The YAML text holds the control character U+${hex(text, control)}. Remove it, or write it as an escape in double quotes.`,
      ),
    );
  }

  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    strict: true,
    logLevel: "silent",
  });
  const documents = [...composer.compose(tokens as readonly CST.Token[], true, text.length)];
  const [first, second] = documents;
  if (second !== undefined) {
    return failed(problem("YAML_REFUSED", second.range[0], "The YAML text holds more than one document. Keep one workflow in each text."));
  }
  const problems = syntaxProblems(first!);
  return problems.length > 0 ? failed(...problems) : { problems: [], root: first!.contents, lines };
}

/** Lexes and parses step by step, and stops at the first thing that is refused. */
function readTokens(text: string, lines: LineCounter): readonly CST.Token[] | TextProblem {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    const refusal = isScalar ? undefined : refuse(lexeme);
    if (refusal !== undefined) return problem("YAML_REFUSED", parser.offset, refusal);
    isScalar = lexeme === CST.SCALAR;
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_WORKFLOW_DEPTH + STACK_SLACK) {
      return problem("LIMIT_EXCEEDED", parser.offset, `The YAML text is nested deeper than ${MAX_WORKFLOW_DEPTH} levels. Flatten it.`);
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

function refuse(lexeme: string): string | undefined {
  switch (CST.tokenType(lexeme)) {
    case "anchor":
    case "alias":
      return `The YAML text uses an anchor or alias (${lexeme.slice(0, 40)}). Write the value out, or quote it if it is text.`;
    case "directive-line":
      return "The YAML text holds a directive. Remove the line: workflows are YAML 1.2 without tag handles.";
    default:
      return undefined;
  }
}

function syntaxProblems(document: Document.Parsed): readonly TextProblem[] {
  return [...document.errors, ...document.warnings].slice(0, MAX_SYNTAX_PROBLEMS).map((error) => {
    const isRefusal = error.code === "TAG_RESOLVE_FAILED" || error.code === "NON_STRING_KEY";
    return problem(
      isRefusal ? "YAML_REFUSED" : "YAML_SYNTAX",
      error.pos[0],
      `This is no valid YAML: ${error.message}. Check indentation, quotes and brackets here.`,
    );
  });
}

function problem(code: ErrorCode, offset: number, message: string): TextProblem {
  return { code, offset, message };
}

function hex(text: string, at: number): string {
  return text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
}
