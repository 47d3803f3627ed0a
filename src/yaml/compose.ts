import { CST } from "yaml";
import { endOf, type Gap, isBlock, readEnd, readGap, type ReportMistake, SPACE } from "./gap.ts";
import { plainValue } from "./scalars.ts";
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from "./tree.ts";

/**
 * Builds the tree of a document from the tokens of the library's parser, which accepts much that YAML does not: all that is wrong with
 * their order, columns and spaces is found here. The library's own composer does that too, but everything that writes YAML hangs on it,
 * and is more than twice as long as the parser. Anchors, aliases, directives, further documents and tags outside the core schema were
 * refused before.
 */
export function compose(tokens: readonly CST.Token[], report: ReportMistake): YamlNode | null {
  return new Composer(report).compose(tokens);
}

/** Characters of a key up to its colon. YAML 1.2.2, 8.2.2. */
const MAX_KEY = 1_024;
const TAG = /^!(?:!(\w+)|<tag:yaml\.org,2002:(\w+)>)?$/;
const INTEGER = /^(?:0[ox].*|[-+]?\d+)$/;

/** A node, and where it ends, with the comments and spaces that belong to it. */
interface Composed<Node extends YamlNode = YamlNode> {
  readonly node: Node;
  readonly end: number;
}

type FlowItem = CST.FlowCollection["items"][number];

class Composer {
  readonly #report: ReportMistake;
  #root: CST.Token | undefined;

  constructor(report: ReportMistake) {
    this.#report = report;
  }

  compose(tokens: readonly CST.Token[]): YamlNode | null {
    let root: YamlNode | null = null;
    for (const token of tokens) {
      if (token.type === "document") root = this.#document(token);
      else if (token.type === "doc-end") readEnd(token.end, 0, this.#report);
      else if (!SPACE.has(token.type)) this.#report("UNEXPECTED_TOKEN", token.offset);
    }
    return root;
  }

  #document({ offset, start, value, end }: CST.Document): YamlNode {
    const gap = readGap(start, { sign: "doc-start", next: value ?? end?.[0], at: offset, column: 0, startsLine: true }, this.#report);
    if (gap.sign && isBlock(value) && !gap.hasBreak) this.#report("MISSING_CHAR", gap.end);
    this.#root = value;
    const { node } = this.#node(value, start, gap);
    readEnd(end, 0, this.#report, true);
    return node;
  }

  /** A node, or the place of one: `before` are the tokens of its gap. */
  #node(token: CST.Token | null | undefined, before: readonly CST.SourceToken[], gap: Gap): Composed {
    switch (token?.type) {
      case undefined:
        return this.#nothing(before, gap);
      case "scalar":
      case "single-quoted-scalar":
      case "double-quoted-scalar":
      case "block-scalar":
        return this.#scalar(token, gap.tag);
      case "block-map":
        this.#collectionTag(gap, "map");
        return this.#blockMap(token);
      case "block-seq":
        if (gap.tag && !gap.hasBreakAfterTag) this.#report("MISSING_CHAR", gap.tag.offset);
        this.#collectionTag(gap, "seq");
        return this.#blockList(token);
      case "flow-collection":
        this.#collectionTag(gap, token.start.source === "{" ? "map" : "seq");
        return this.#flow(token);
      default:
        this.#report("UNEXPECTED_TOKEN", token!.offset);
        return this.#nothing([], { ...gap, end: token!.offset });
    }
  }

  /** A key is a text, even where it looks like a number. */
  #key(token: CST.Token | null | undefined, before: readonly CST.SourceToken[], gap: Gap): Composed & { readonly text: string } {
    const isText = !token || "source" in token;
    const { node, end } = this.#node(token, before, isText ? { ...gap, tag: undefined } : gap);
    if (!isText || (token && gap.tag && tagName(gap.tag) !== "str")) this.#report("NON_STRING_KEY", (gap.tag ?? token!).offset);
    return { node, end, text: node.kind === "scalar" ? node.source : "" };
  }

  #collectionTag({ tag }: Gap, kind: string): void {
    if (tag && tag.source !== "!" && tagName(tag) !== kind) this.#report("TAG_RESOLVE_FAILED", tag.offset);
  }

  #scalar(token: CST.FlowScalar | CST.BlockScalar, tag: CST.SourceToken | undefined): Composed<YamlScalar> {
    const { value: source, range } = CST.resolveAsScalar(token, true, (offset, code) => this.#report(code, offset))!;
    const [start, end, fullEnd] = range;
    const value = this.#valueOf(source, token.type === "scalar", tag);
    // What is longer than its value by nothing, or by two quotation marks, stands there as it is.
    const surplus = end - start - source.length;
    const inner = typeof value === "string" && (surplus === 0 || surplus === 2) ? start + surplus / 2 : -1;
    return { node: { kind: "scalar", start, inner, value, source }, end: fullEnd };
  }

  /** What a scalar means. YAML 1.2.2, "Core Schema". */
  #valueOf(source: string, isPlain: boolean, tag: CST.SourceToken | undefined): YamlScalar["value"] {
    if (!tag && !isPlain) return source;
    const value = source === "" ? null : plainValue(source);
    const name = tag?.source === "!" ? "str" : tag && tagName(tag);
    if (!tag || name === nameOf(value, source)) return value;
    if (name !== "str") this.#report("TAG_RESOLVE_FAILED", tag.offset);
    return source;
  }

  /** The place of a value that is not there: behind the last sign before it. */
  #nothing(before: readonly CST.SourceToken[], { tag, hasComment, end }: Gap): Composed<YamlScalar> {
    let last = before.findLastIndex(({ type }) => !SPACE.has(type));
    let start = last === -1 ? (before[0]?.offset ?? end) : endOf(before[last]!);
    while (last !== -1 && before[++last]?.type === "space") start = endOf(before[last]!);
    const value = this.#valueOf("", true, tag);
    return { node: { kind: "scalar", start, inner: value === "" ? start : -1, value, source: "" }, end: hasComment ? end : start };
  }

  #blockMap({ offset, indent: column, items }: CST.BlockMap): Composed<YamlMap> {
    const entries: YamlEntry[] = [];
    let at = offset;
    let commentEnd: number | undefined;
    for (const { start, key, sep, value } of items) {
      const before = readGap(start, { sign: "explicit-key-ind", next: key ?? sep?.[0], at, column, startsLine: true }, this.#report);
      const isImplicit = !before.sign;
      if (isImplicit) {
        if (key?.type === "block-seq") this.#report("BLOCK_AS_IMPLICIT_KEY", at);
        else if (key && "indent" in key && key.indent !== column) this.#report("BAD_INDENT", at);
        if (!before.tag && !sep) {
          commentEnd = before.end;
          continue;
        }
        if (before.hasBreakAfterTag || hasLineBreak(key)) this.#report("MULTILINE_IMPLICIT_KEY", (key ?? start.at(-1)!).offset);
      } else if (before.sign.indent !== column) this.#report("BAD_INDENT", at);

      const { node, end, text } = this.#key(key, start, before);
      const startsLine = !key || key.type === "block-scalar";
      const between = readGap(sep ?? [], { sign: "map-value-ind", next: value, at: end, column, startsLine }, this.#report);
      at = between.end;
      let composed: Composed | undefined;
      if (between.sign) {
        if (isImplicit && value?.type === "block-map" && !between.hasBreak) this.#report("BLOCK_AS_IMPLICIT_KEY", at);
        if (isImplicit && between.sign.offset - before.start > MAX_KEY) this.#report("KEY_OVER_1024_CHARS", node.start);
        composed = this.#node(value, sep ?? [], between);
        at = composed.end;
      } else if (isImplicit) this.#report("MISSING_CHAR", node.start, true);
      entries.push({ key: text, keyStart: node.start, value: composed?.node });
    }
    if (commentEnd && commentEnd < at) this.#report("IMPOSSIBLE", commentEnd);
    return { node: { kind: "map", start: offset, entries }, end: commentEnd ?? at };
  }

  #blockList({ offset, indent: column, items }: CST.BlockSequence): Composed<YamlList> {
    const nodes: YamlNode[] = [];
    let at = offset;
    let commentEnd: number | undefined;
    for (const { start, value } of items) {
      const gap = readGap(start, { sign: "seq-item-ind", next: value, at, column, startsLine: true }, this.#report);
      if (!gap.sign && !gap.tag && !value) {
        commentEnd = gap.end;
        continue;
      }
      if (!gap.sign && value?.type === "block-seq") this.#report("BAD_INDENT", gap.end);
      else if (!gap.sign) this.#report("MISSING_CHAR", at);
      const { node, end } = this.#node(value, start, gap);
      at = end;
      nodes.push(node);
    }
    return { node: { kind: "list", start: offset, items: nodes }, end: commentEnd ?? at };
  }

  #flow(token: CST.FlowCollection): Composed<YamlMap | YamlList> {
    const { offset, indent: column, start: open, items, end: closing } = token;
    const isMap = open.source === "{";
    const entries: YamlEntry[] = [];
    const nodes: YamlNode[] = [];
    let at = endOf(open);
    for (const [i, item] of items.entries()) {
      const { start, key, sep, value } = item;
      const before = readGap(start, { sign: "explicit-key-ind", next: key ?? sep?.[0], at, column, inFlow: true }, this.#report);
      const isEmpty = !before.sign && !before.tag && !sep && !value;
      // Behind the last comma there may be nothing.
      if (i === 0 && before.comma) this.#report("UNEXPECTED_TOKEN", before.comma.offset);
      else if (isEmpty && i < items.length - 1) this.#report("UNEXPECTED_TOKEN", before.start);
      if (isEmpty) {
        at = before.end;
        continue;
      }
      if (!isMap && !before.sign && hasLineBreak(key)) this.#report("MULTILINE_IMPLICIT_KEY", key!.offset);
      if (i > 0 && !before.comma) this.#report("MISSING_CHAR", before.start);
      if (!isMap && !sep && !before.sign) {
        const { node, end } = this.#node(value, [], before);
        nodes.push(node);
        at = end;
        if (isBlock(value)) this.#report("BLOCK_IN_FLOW", node.start);
        continue;
      }

      const { entry, end } = this.#flowEntry(item, before, token);
      at = end;
      if (isMap) entries.push(entry);
      else nodes.push({ kind: "map", start: entry.keyStart, entries: [entry] });
    }

    const [close, ...rest] = closing;
    const isClosed = close?.source === (isMap ? "}" : "]");
    if (!isClosed) this.#report(token === this.#root ? "MISSING_CHAR" : "BAD_INDENT", at);
    const end = isClosed ? endOf(close) : at;
    const node: YamlMap | YamlList = isMap ? { kind: "map", start: offset, entries } : { kind: "list", start: offset, items: nodes };
    return { node, end: readEnd(isClosed || !close || close.source.length === 1 ? rest : closing, end, this.#report) };
  }

  /** A key with its value in braces, or in brackets, where it is a map of its own. `before` stands before the key. */
  #flowEntry(
    { start, key, sep, value }: FlowItem,
    before: Gap,
    { indent: column, start: open }: CST.FlowCollection,
  ): { readonly entry: YamlEntry; readonly end: number } {
    const keyed = this.#key(key, start, before);
    if (isBlock(key)) this.#report("BLOCK_IN_FLOW", keyed.node.start);
    const between = readGap(sep ?? [], { sign: "map-value-ind", next: value, at: keyed.end, column, inFlow: true }, this.#report);
    if (between.sign && open.source !== "{" && !before.sign) {
      const newline = sep!.find(({ type, offset }) => type === "newline" && offset < between.sign!.offset);
      if (newline) this.#report("MULTILINE_IMPLICIT_KEY", newline.offset);
      if (between.sign.offset - before.start > MAX_KEY) this.#report("KEY_OVER_1024_CHARS", between.sign.offset);
    } else if (!between.sign && value) {
      const isColon = "source" in value && value.source.startsWith(":");
      this.#report("MISSING_CHAR", isColon ? value.offset : between.start);
    }
    const member = value || between.sign ? this.#node(value, sep ?? [], between) : undefined;
    if (member && isBlock(value)) this.#report("BLOCK_IN_FLOW", member.node.start);
    return { entry: { key: keyed.text, keyStart: keyed.node.start, value: member?.node }, end: member?.end ?? between.end };
  }
}

function tagName({ source }: CST.SourceToken): string | undefined {
  const match = TAG.exec(source);
  return match?.[1] ?? match?.[2];
}

/** The name of the tag that a plain scalar has without one. */
function nameOf(value: YamlScalar["value"], source: string): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  return INTEGER.test(source) ? "int" : "float";
}

/** Whether a key goes over a line break. */
function hasLineBreak(token: CST.Token | null | undefined): boolean {
  const ends = (tokens: readonly CST.SourceToken[] | undefined): boolean => tokens?.some(({ type }) => type === "newline") ?? false;
  switch (token?.type) {
    case undefined:
      return false;
    case "scalar":
    case "single-quoted-scalar":
    case "double-quoted-scalar":
      return token.source.includes("\n") || ends(token.end);
    case "flow-collection":
      return token.items.some(({ start, key, sep, value }) => ends(start) || ends(sep) || hasLineBreak(key) || hasLineBreak(value));
    default:
      return true;
  }
}
