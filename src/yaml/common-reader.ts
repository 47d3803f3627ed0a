import { MAX_WORKFLOW_DEPTH } from "../core/model/limits.ts";
import { plainValue, readBlockScalar, readQuoted } from "./scalars.ts";
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from "./tree.ts";

/** Nesting up to which this reader goes. Close to the limit, counting is left to the one that reports it. */
const MAX_DEPTH = MAX_WORKFLOW_DEPTH - 4;
/** Characters of a key. YAML 1.2.2 allows 1,024 up to the colon, with what stands around it. */
const MAX_KEY = 1_000;

const TAB = 0x09;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const SINGLE_QUOTE = 0x27;
const COMMA = 0x2c;
const DASH = 0x2d;
const COLON = 0x3a;
const GREATER = 0x3e;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const PIPE = 0x7c;
const CLOSE_MAP = 0x7d;

/** What a plain scalar does not start with; a dash may, before anything but a break. */
const INDICATORS: ReadonlySet<number> = new Set(Array.from("\t\n #,[]{}&*!|>'\"%@`?:", (character) => character.charCodeAt(0)));

/** What makes this reader give up. One for all: it never leaves this file, and an error with its stack would cost more than the reading. */
const UNCOMMON = Symbol("uncommon");

/**
 * Reads the YAML that workflows are written in: block and flow collections, scalars of one line, block scalars, comments. Gives the tree,
 * or the offset near which something is written otherwise or wrongly: then the whole text is for a parser of the whole language, which
 * takes about twenty times as long. Linear.
 */
export function readCommon(text: string): { readonly root: YamlNode } | { readonly stoppedAt: number } {
  const reader = new CommonReader(text);
  try {
    return { root: reader.readDocument() };
  } catch (thrown) {
    if (thrown !== UNCOMMON) throw thrown;
    return { stoppedAt: Math.min(reader.at, text.length) };
  }
}

class CommonReader {
  readonly text: string;
  /** Where it reads. */
  at = 0;
  /** Where the line begins. */
  private lineStart = 0;
  /** Column of the first content of the line, from 0; -1 at the end of the text. */
  private column = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  readDocument(): YamlNode {
    this.nextContent();
    if (this.column === -1) throw UNCOMMON;
    let root: YamlNode;
    if (this.isFlowStart()) {
      root = this.readFlow(-1);
      this.endLine();
    } else {
      root = this.readBlock();
    }
    if (this.column !== -1) throw UNCOMMON;
    return root;
  }

  private code(): number {
    return this.text.charCodeAt(this.at);
  }

  private isFlowStart(): boolean {
    const code = this.code();
    return code === OPEN_LIST || code === OPEN_MAP;
  }

  private isDash(): boolean {
    return this.code() === DASH && isBreak(this.text.charCodeAt(this.at + 1));
  }

  private isLineEnd(): boolean {
    const code = this.code();
    return code === NEWLINE || code === HASH || Number.isNaN(code);
  }

  private skipSpaces(): void {
    while (this.code() === SPACE) this.at++;
  }

  private descend(): void {
    if (++this.depth > MAX_DEPTH) throw UNCOMMON;
  }

  /** Moves from the beginning of a line over blank lines and comments to the next content. */
  private nextContent(): void {
    for (;;) {
      this.lineStart = this.at;
      this.skipSpaces();
      const code = this.code();
      if (Number.isNaN(code)) {
        this.column = -1;
        return;
      }
      if (code === NEWLINE) {
        this.at++;
      } else if (code === HASH) {
        this.at = this.endOfLine() + 1;
      } else {
        this.column = this.at - this.lineStart;
        if (this.column === 0 && (this.text.startsWith("---", this.at) || this.text.startsWith("...", this.at))) throw UNCOMMON;
        return;
      }
    }
  }

  /** Moves past the end of a line on which nothing but a comment may follow, to the next content. */
  private endLine(): void {
    const from = this.at;
    this.skipSpaces();
    if (!this.isLineEnd() || (this.code() === HASH && this.at === from)) throw UNCOMMON;
    this.at = this.endOfLine() + 1;
    this.nextContent();
  }

  private endOfLine(): number {
    const end = this.text.indexOf("\n", this.at);
    return end === -1 ? this.text.length : end;
  }

  /** Reads a list or a mapping that begins here. */
  private readBlock(): YamlNode {
    if (this.isDash()) return this.readBlockList();
    const key = this.readScalar(false);
    this.skipSpaces();
    return this.readBlockMap(key);
  }

  private readBlockList(): YamlList {
    this.descend();
    const start = this.at;
    const column = start - this.lineStart;
    const items: YamlNode[] = [];
    do {
      this.at++;
      items.push(this.readItem(column));
    } while (this.column === column && this.isDash());
    if (this.column > column) throw UNCOMMON;
    this.depth--;
    return { kind: "list", start, items };
  }

  /** Reads what stands behind a dash, and the lines that belong to it. */
  private readItem(column: number): YamlNode {
    const from = this.at;
    this.skipSpaces();
    const place = this.at;
    if (this.isLineEnd()) {
      if (this.code() === HASH && place === from) throw UNCOMMON;
      this.at = this.endOfLine() + 1;
      this.nextContent();
      return this.column > column ? this.readBlock() : emptyScalar(place);
    }
    if (this.isDash()) return this.readBlockList();
    if (this.isFlowStart() || this.isBlockScalar()) return this.readInline(column);
    const scalar = this.readScalar(false);
    this.skipSpaces();
    if (this.code() === COLON) return this.readBlockMap(scalar);
    this.at = scalar.end;
    this.endLine();
    return toNode(scalar);
  }

  /** Reads a mapping whose first key has been read, up to its colon. */
  private readBlockMap(first: ReadScalar): YamlMap {
    this.descend();
    const column = first.start - this.lineStart;
    const entries: YamlEntry[] = [];
    let key = first;
    for (;;) {
      if (this.code() !== COLON || !isBreak(this.text.charCodeAt(this.at + 1)) || this.at - key.start > MAX_KEY) throw UNCOMMON;
      this.at++;
      entries.push({ key: key.text, keyStart: key.start, value: this.readMember(column) });
      if (this.column !== column) break;
      key = this.readScalar(false);
      this.skipSpaces();
    }
    if (this.column > column) throw UNCOMMON;
    this.depth--;
    return { kind: "map", start: first.start, entries };
  }

  /** Reads what stands behind the colon of a key, and the lines that belong to it. */
  private readMember(column: number): YamlNode {
    this.skipSpaces();
    if (!this.isLineEnd()) return this.readInline(column);
    const place = this.at;
    this.at = this.endOfLine() + 1;
    this.nextContent();
    if (this.column > column) return this.readBlock();
    return this.column === column && this.isDash() ? this.readBlockList() : emptyScalar(place);
  }

  /** Reads a value that begins on this line, in a collection of the given column. */
  private readInline(column: number): YamlNode {
    if (this.isFlowStart()) {
      const node = this.readFlow(column);
      this.endLine();
      return node;
    }
    if (this.isBlockScalar()) {
      const block = readBlockScalar(this.text, this.at, column);
      if (block === undefined) throw UNCOMMON;
      const start = this.at;
      this.at = block.end;
      this.nextContent();
      return { kind: "scalar", start, inner: -1, value: block.value, source: block.value };
    }
    const scalar = this.readScalar(false);
    this.endLine();
    return toNode(scalar);
  }

  private isBlockScalar(): boolean {
    const code = this.code();
    return code === PIPE || code === GREATER;
  }

  /** Reads a scalar of one line; `at` is behind it then. */
  private readScalar(inFlow: boolean): ReadScalar {
    const code = this.code();
    const start = this.at;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const quoted = readQuoted(this.text, start);
      if (quoted === undefined) throw UNCOMMON;
      this.at = quoted.end;
      return { start, end: quoted.end, text: quoted.value, inner: quoted.isVerbatim ? start + 1 : -1, isPlain: false };
    }
    if (Number.isNaN(code) || INDICATORS.has(code)) throw UNCOMMON;
    if (code === DASH && isPlainEnd(this.text.charCodeAt(start + 1), inFlow)) throw UNCOMMON;
    this.at = findPlainEnd(this.text, start, inFlow);
    return { start, end: this.at, text: this.text.slice(start, this.at), inner: start, isPlain: true };
  }

  /** Reads a flow collection inside a block collection of the given column. */
  private readFlow(column: number): YamlNode {
    this.descend();
    const node = this.code() === OPEN_LIST ? this.readFlowList(column) : this.readFlowMap(column);
    this.depth--;
    return node;
  }

  private readFlowList(column: number): YamlList {
    const start = this.at++;
    const items: YamlNode[] = [];
    this.skipFlowSpace(column);
    while (this.code() !== CLOSE_LIST) {
      items.push(this.readFlowNode(column));
      this.endFlowItem(column, CLOSE_LIST);
    }
    this.at++;
    return { kind: "list", start, items };
  }

  private readFlowMap(column: number): YamlMap {
    const start = this.at++;
    const entries: YamlEntry[] = [];
    this.skipFlowSpace(column);
    while (this.code() !== CLOSE_MAP) {
      const key = this.readScalar(true);
      this.skipSpaces();
      let value: YamlNode | undefined;
      if (this.code() === COLON) {
        if (this.at - key.start > MAX_KEY) throw UNCOMMON;
        this.at++;
        this.skipSpaces();
        const place = this.at;
        this.skipFlowSpace(column);
        const code = this.code();
        value = code === COMMA || code === CLOSE_MAP ? emptyScalar(place) : this.readFlowNode(column);
      }
      entries.push({ key: key.text, keyStart: key.start, value });
      this.endFlowItem(column, CLOSE_MAP);
    }
    this.at++;
    return { kind: "map", start, entries };
  }

  private readFlowNode(column: number): YamlNode {
    return this.isFlowStart() ? this.readFlow(column) : toNode(this.readScalar(true));
  }

  private endFlowItem(column: number, close: number): void {
    this.skipFlowSpace(column);
    const code = this.code();
    if (code === COMMA) {
      this.at++;
      this.skipFlowSpace(column);
    } else if (code !== close) {
      throw UNCOMMON;
    }
  }

  /** Moves over spaces and over line breaks, behind which a line must be indented deeper than the column. */
  private skipFlowSpace(column: number): void {
    this.skipSpaces();
    if (this.code() !== NEWLINE) return;
    while (this.code() === NEWLINE) {
      this.lineStart = ++this.at;
      this.skipSpaces();
    }
    if (this.at - this.lineStart <= Math.max(column, 0)) throw UNCOMMON;
  }
}

interface ReadScalar {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly inner: number;
  readonly isPlain: boolean;
}

function toNode({ start, text, inner, isPlain }: ReadScalar): YamlScalar {
  const value = isPlain ? plainValue(text) : text;
  return { kind: "scalar", start, inner: typeof value === "string" ? inner : -1, value, source: text };
}

function emptyScalar(start: number): YamlScalar {
  return { kind: "scalar", start, inner: -1, value: null, source: "" };
}

function isBreak(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === TAB || Number.isNaN(code);
}

function isFlowIndicator(code: number): boolean {
  return code === COMMA || code === OPEN_LIST || code === CLOSE_LIST || code === OPEN_MAP || code === CLOSE_MAP;
}

function isPlainEnd(code: number, inFlow: boolean): boolean {
  return isBreak(code) || (inFlow && isFlowIndicator(code));
}

/** The end of a plain scalar on its line, without the spaces behind it. */
function findPlainEnd(text: string, start: number, inFlow: boolean): number {
  let end = start;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE || Number.isNaN(code) || code === TAB) return end;
    if (code === SPACE) {
      if (text.charCodeAt(at + 1) === HASH) return end;
    } else {
      if (code === COLON && isPlainEnd(text.charCodeAt(at + 1), inFlow)) return end;
      if (inFlow && isFlowIndicator(code)) return end;
      end = at + 1;
    }
  }
}
