import { Composer, CST, Lexer, Parser } from "yaml";
import type { ErrorCode } from "../core/model/errors.ts";
import { MAX_WORKFLOW_DEPTH, MAX_WORKFLOW_TEXT } from "../core/model/limits.ts";
import { readCommon } from "./read-common.ts";
import { toTree } from "./to-tree.ts";
import type { YamlNode } from "./tree.ts";

/** Something wrong with the text itself. `offset` counts from 0; `path` where the text could be read as far as that. */
export interface TextProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly offset: number;
  readonly path?: string;
}

/** A text as a tree with positions. Where there are problems there may be no tree. */
export interface YamlText {
  readonly problems: readonly TextProblem[];
  readonly root: YamlNode | null;
}

/** The parser keeps the document itself on its stack, and a value for each level that is just being read. */
const STACK_SLACK = 2;
/**
 * Tokens of one text that the parser of the whole language reads, spaces and commas among them: some 2,000 blocks of one line each.
 * Reading a token costs two microseconds or more, so this, and not the length of the text, bounds the time. What is commonly written never
 * comes here.
 */
const MAX_TOKENS = 70_000;
/** Syntax errors reported at once. Those after the first are often only its echo. */
const MAX_SYNTAX_PROBLEMS = 10;

/** What YAML 1.2 does not allow in a text as it stands, and what the lexer uses for its own marks. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

/**
 * Reads YAML 1.2 from a stranger. What workflows are commonly written in is read in one go; all else goes to a parser of the whole
 * language, whose tokens are counted off before anything is built: parsers are known to exhaust the process on deep or aliased input.
 * Anchors, aliases, directives, tags outside the core schema and further documents are refused; what the parser would only warn about is
 * an error.
 */
export function readYaml(text: string): YamlText {
  if (text.length > MAX_WORKFLOW_TEXT) {
    return failed(problem("LIMIT_EXCEEDED", 0, `The YAML text is longer than ${MAX_WORKFLOW_TEXT} characters. Split the workflow.`));
  }
  const control = text.search(CONTROL);
  const common = control === -1 ? readCommon(text) : { stoppedAt: control };
  if ("root" in common) return { problems: [], root: common.root };

  const tokens = readTokens(text, common.stoppedAt);
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
  const found: TextProblem[] = [];
  const root = compose(tokens as readonly CST.Token[], text, found);
  return found.length > 0 ? failed(...found) : { problems: [], root };
}

function failed(...problems: readonly TextProblem[]): YamlText {
  return { problems, root: null };
}

/** Builds the one document of a text. Stops at a second one, and at the eleventh error: each costs a stack trace. */
function compose(tokens: readonly CST.Token[], text: string, found: TextProblem[]): YamlNode | null {
  const enough = Symbol("enough");
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    strict: true,
    logLevel: "silent",
  });
  // The composer reports errors and warnings through this member, and keeps on collecting whatever comes.
  Object.assign(composer, {
    onError: (source: number | readonly number[] | { readonly offset: number }, code: string, message: string) => {
      // The composer takes some of what is thrown here for a mistake in the text, and reports that.
      if (found.length === MAX_SYNTAX_PROBLEMS) throw enough;
      const offset = typeof source === "number" ? source : "offset" in source ? source.offset : source[0]!;
      found.push(syntaxProblem(offset, code, message));
    },
  });
  let root: YamlNode | null = null;
  let documents = 0;
  try {
    for (const document of composer.compose(tokens, true, text.length)) {
      if (++documents === 1) root = toTree(document.contents);
      else {
        found.push(furtherDocument(document.range[0]));
        break;
      }
    }
  } catch (thrown) {
    if (thrown !== enough) throw thrown;
  }
  return root;
}

/**
 * Lexes and parses step by step, and stops at the first thing that is refused. Where there are too many tokens, `uncommon` is what made
 * the reading long.
 */
function readTokens(text: string, uncommon: number): readonly CST.Token[] | TextProblem {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let isScalar = false;
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const refusal = isScalar ? undefined : refuse(lexeme);
    if (refusal !== undefined) return problem("YAML_REFUSED", parser.offset, refusal);
    isScalar = lexeme === CST.SCALAR;
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++count > MAX_TOKENS) {
      const second = [...tokens, ...parser.stack].filter(({ type }) => type === "document")[1]?.offset;
      if (second !== undefined && text.startsWith("---", second)) return furtherDocument(second);
      return problem(
        "LIMIT_EXCEEDED",
        uncommon,
        `A YAML text of more than ${MAX_TOKENS} tokens is read only where it is simple, which it is not here. Look for a mistake or a rare spelling, or split the workflow.`,
      );
    }
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

function furtherDocument(offset: number): TextProblem {
  return problem("YAML_REFUSED", offset, "The YAML text holds more than one document. Keep one workflow in each text.");
}

function syntaxProblem(offset: number, code: string, message: string): TextProblem {
  const isRefusal = code === "TAG_RESOLVE_FAILED" || code === "NON_STRING_KEY";
  const reason = code === "NON_STRING_KEY" ? "A key must be text" : message;
  return problem(
    isRefusal ? "YAML_REFUSED" : "YAML_SYNTAX",
    offset,
    `This is no valid YAML: ${reason}. Check indentation, quotes and brackets here.`,
  );
}

function problem(code: ErrorCode, offset: number, message: string): TextProblem {
  return { code, offset, message };
}

function hex(text: string, at: number): string {
  return text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
}
