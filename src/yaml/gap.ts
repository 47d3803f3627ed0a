import type { CST, ErrorCode as LibraryCode } from "yaml";

/** Called with each mistake, by the code that the library has for it. `ofKey`: it is about a whole key. */
export type ReportMistake = (code: LibraryCode, offset: number, ofKey?: boolean) => void;

/** What stands between the lines of a text. */
export const SPACE: ReadonlySet<string> = new Set(["space", "comment", "newline", "byte-order-mark"]);

/** What stands before a part of a document: white space and comments, a tag, and the sign that belongs there. */
export interface Gap {
  readonly sign: CST.SourceToken | undefined;
  readonly comma: CST.SourceToken | undefined;
  readonly tag: CST.SourceToken | undefined;
  /** Whether a line ends in it; and whether one does behind the tag. */
  readonly hasBreak: boolean;
  readonly hasBreakAfterTag: boolean;
  readonly hasComment: boolean;
  /** Where a tag begins, or else what follows. */
  readonly start: number;
  readonly end: number;
}

/** Where a gap is. */
export interface GapPlace {
  readonly sign: CST.TokenType;
  readonly next: CST.Token | null | undefined;
  /** Where it is if nothing stands in it. */
  readonly at: number;
  /** The column of the collection around it. */
  readonly column: number;
  readonly inFlow?: boolean;
  readonly startsLine?: boolean;
}

/** Reads what stands between two parts, and reports what may not stand there. */
export function readGap(
  tokens: readonly CST.SourceToken[],
  { sign: expected, next, at, column, inFlow = false, startsLine = false }: GapPlace,
  report: ReportMistake,
): Gap {
  let [sign, comma, tag]: (CST.SourceToken | undefined)[] = [];
  let [hasBreak, hasBreakAfterTag, hasComment] = [false, false, false];
  let start: number | undefined;
  let isLineStart = startsLine;
  // Whether white space stands before: a comment may begin then.
  let isApart = startsLine;
  for (const [i, token] of tokens.entries()) {
    const following = tokens[i + 1];
    switch (token.type) {
      case "space":
        isApart = true;
        // Of a flow collection only the first line is indented.
        if (inFlow || !token.source.includes("\t") || (expected === "doc-start" && next?.type === "flow-collection")) continue;
        if (following ? isLineStart && !isLineRest(following) : isBlock(next) || (isLineStart && token.indent <= column))
          report("TAB_AS_INDENT", token.offset);
        continue;
      case "newline":
        isLineStart = isApart = hasBreak = true;
        hasBreakAfterTag ||= tag !== undefined;
        continue;
      case "comment":
        if (!isApart) report("MISSING_CHAR", token.offset);
        hasComment = true;
        isLineStart = false;
        continue;
      case "tag":
        if (tag) report("MULTIPLE_TAGS", token.offset);
        tag = token;
        start ??= token.offset;
        separate(following ?? next, report);
        break;
      case expected:
        if (tag) report("BAD_PROP_ORDER", token.offset);
        if (sign) report("UNEXPECTED_TOKEN", token.offset);
        sign = token;
        isLineStart = expected === "seq-item-ind" || expected === "explicit-key-ind";
        isApart = false;
        continue;
      case "comma":
        if (comma || !inFlow) report("UNEXPECTED_TOKEN", token.offset);
        comma = token;
        break;
      default:
        report("UNEXPECTED_TOKEN", token.offset);
    }
    isLineStart = isApart = false;
  }
  const last = tokens.at(-1);
  const end = last ? endOf(last) : at;
  return { sign, comma, tag, hasBreak, hasBreakAfterTag, hasComment, start: start ?? end, end };
}

/** White space follows a tag, or nothing, or a comma. */
function separate(next: CST.Token | null | undefined, report: ReportMistake): void {
  if (!next || next.type === "space" || next.type === "newline" || next.type === "comma") return;
  if (next.type !== "scalar" || next.source !== "") report("MISSING_CHAR", next.offset);
}

/** Where the tokens end that follow a node. */
export function readEnd(tokens: readonly CST.SourceToken[] | undefined, at: number, report: ReportMistake, startsLine = false): number {
  let end = at;
  let isApart = startsLine;
  for (const { type, offset, source } of tokens ?? []) {
    if (type === "space" || type === "newline") isApart = true;
    else if (type !== "comment") report("UNEXPECTED_TOKEN", offset);
    else if (!isApart) report("MISSING_CHAR", offset);
    end += source.length;
  }
  return end;
}

export function endOf({ offset, source }: CST.SourceToken): number {
  return offset + source.length;
}

/** Whether nothing but a comment is left of a line. */
function isLineRest({ type }: CST.SourceToken): boolean {
  return type === "comment" || type === "newline";
}

export function isBlock(token: CST.Token | null | undefined): boolean {
  return token?.type === "block-map" || token?.type === "block-seq";
}
