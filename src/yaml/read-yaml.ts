import { CST, Lexer, Parser } from "yaml";
import type { ErrorCode } from "../core/model/errors.ts";
import { MAX_WORKFLOW_DEPTH, MAX_WORKFLOW_TEXT } from "../core/model/limits.ts";
import { isClosed } from "./scalars.ts";
import { readCommon } from "./common-reader.ts";
import { compose } from "./compose.ts";
import type { ReportMistake } from "./gap.ts";
import { adviseSyntax, type Mistake } from "./syntax-advice.ts";
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
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/;
/** The tags of the core schema. YAML 1.2.2, chapter 10. */
const CORE_TAG = /^!(?:(?:!|<tag:yaml\.org,2002:)(?:str|int|float|bool|null|map|seq)>?)?$/;

/**
 * Reads YAML 1.2 from a stranger. What workflows are commonly written in is read in one go; all else goes to a parser of the whole
 * language, whose tokens are counted off before anything is built: parsers are known to exhaust the process on deep or aliased input.
 * Anchors, aliases, directives, tags outside the core schema and further documents are refused; what the library would only warn about is
 * an error.
 */
export function readYaml(text: string): YamlText {
  if (text.length > MAX_WORKFLOW_TEXT) {
    return failed(problem("LIMIT_EXCEEDED", 0, `The YAML text is longer than ${MAX_WORKFLOW_TEXT} characters. Split the workflow.`));
  }
  const control = text.search(CONTROL);
  const common = control === -1 ? readCommon(text) : { stoppedAt: control };
  if ("root" in common) return { problems: [], root: common.root };

  const outline = readOutline(text, common.stoppedAt);
  if ("code" in outline) return failed(outline);
  if (control !== -1) {
    return failed(
      problem(
        "YAML_SYNTAX",
        control,
        `The YAML text holds the control character U+${hex(text, control)}. Remove it, or write it as an escape in double quotes.`,
      ),
    );
  }
  const { root, problems } = readDocument(outline, text);
  return problems.length > 0 ? failed(...onePerLine(text, problems)) : { problems, root };
}

function failed(...problems: readonly TextProblem[]): YamlText {
  return { problems, root: null };
}

/** In the order of the text, and the first of each line: what else stands there is only its echo. */
function onePerLine(text: string, problems: readonly TextProblem[]): readonly TextProblem[] {
  const sorted = problems.toSorted((a, b) => a.offset - b.offset);
  return sorted.filter(({ offset }, i) => i === 0 || text.slice(sorted[i - 1]!.offset, offset).includes("\n"));
}

/** The tokens of a text, up to the first that belongs to no document. */
interface Outline {
  readonly tokens: readonly CST.Token[];
  readonly stray?: CST.ErrorToken | CST.DocumentEnd;
}

/**
 * Lexes and parses step by step, and stops at the first thing that is refused. Where there are too many tokens, `uncommon` is what made
 * the reading long. At a stray token the parser has left the document and takes all that follows for stray, too: that is not looked at.
 */
function readOutline(text: string, uncommon: number): Outline | TextProblem {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let hasDocument = false;
  let isScalar = false;
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const refusal = isScalar ? undefined : refuse(lexeme, parser.offset);
    if (refusal !== undefined) return refusal;
    isScalar = lexeme === CST.SCALAR;
    for (const token of parser.next(lexeme)) {
      if (token.type === "error" || (token.type === "doc-end" && !hasDocument)) return { tokens, stray: token };
      hasDocument ||= token.type === "document";
      tokens.push(token);
    }
    const [open] = parser.stack;
    if (hasDocument && open?.type === "document") return furtherDocument(open.offset);
    if (++count > MAX_TOKENS) {
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
  return { tokens };
}

function refuse(lexeme: string, offset: number): TextProblem | undefined {
  switch (CST.tokenType(lexeme)) {
    case "anchor":
    case "alias":
      return problem(
        "YAML_REFUSED",
        offset,
        `The YAML text uses an anchor or alias (${lexeme.slice(0, 40)}). Write the value out, or quote it if it is text.`,
      );
    case "directive-line":
      return problem(
        "YAML_REFUSED",
        offset,
        "The YAML text holds a directive. Remove the line: workflows are YAML 1.2 without tag handles.",
      );
    case "tag":
      if (CORE_TAG.test(lexeme)) return undefined;
      return problem(
        "YAML_REFUSED",
        offset,
        `The YAML text uses the tag ${lexeme.slice(0, 40)}, which is not of the core schema. Remove it, and write the value as a text in quotes, a number, a list or a mapping.`,
      );
    case "single-quoted-scalar":
    case "double-quoted-scalar":
      if (isClosed(lexeme)) return undefined;
      return problem(
        "YAML_SYNTAX",
        offset,
        "The YAML text opens a quotation mark here that is never closed. Close it where its text ends.",
      );
    default:
      return undefined;
  }
}

/** Builds the one document of a text, and gathers what is wrong with it, up to the eleventh mistake. */
function readDocument({ tokens, stray }: Outline, text: string): YamlText {
  const problems: TextProblem[] = [];
  const enough = Symbol("enough");
  const report: ReportMistake = (code, offset, ofKey = false) => {
    if (problems.length === MAX_SYNTAX_PROBLEMS) throw enough;
    problems.push(syntaxProblem(text, { code, offset: skipSpaces(text, offset), ofKey }));
  };
  let root: YamlNode | null = null;
  try {
    root = compose(tokens, report);
    if (stray) report("UNEXPECTED_TOKEN", stray.offset);
  } catch (thrown) {
    if (thrown !== enough) throw thrown;
  }
  return { problems, root };
}

/** An error within the spaces of a line is reported at the text behind them. */
function skipSpaces(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " ") at++;
  return at;
}

function furtherDocument(offset: number): TextProblem {
  return problem("YAML_REFUSED", offset, "The YAML text holds more than one document. Keep one workflow in each text.");
}

function syntaxProblem(text: string, mistake: Mistake): TextProblem {
  const advice = adviseSyntax(text, mistake);
  return mistake.code === "TAG_RESOLVE_FAILED" || mistake.code === "NON_STRING_KEY"
    ? problem("YAML_REFUSED", mistake.offset, `Workflows may not use all of YAML. ${advice}`)
    : problem("YAML_SYNTAX", mistake.offset, `This is not valid YAML. ${advice}`);
}

function problem(code: ErrorCode, offset: number, message: string): TextProblem {
  return { code, offset, message };
}

function hex(text: string, at: number): string {
  return text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
}
