import { decodeBase64 } from "../model/base64.ts";
import { WorkflowError } from "../model/errors.ts";
import { isStoreKey, parseCheckpointId } from "../model/ids.ts";
import { isDeeperThan } from "../model/json-depth.ts";
import { MAX_CALLED_RUNS, MAX_RUN_FILE_ENTRIES, MAX_RUN_FILE_LENGTH, MAX_SECRET_LENGTH } from "../model/limits.ts";
import type { RunFork } from "../model/run.ts";
import { isRecord } from "../model/value.ts";
import type { Host } from "../ports/host.ts";
import type { BlobContent, Note } from "../ports/store.ts";
import type { Sealer } from "../ports/sealer.ts";
import { isPacked } from "../journal/journal.ts";
import { MAX_INSTANT } from "../runner/runner.ts";
import { invalidFile, RUN_FILE_FORMAT, RUN_FILE_VERSION, type MovedCheckpoint, type MovedRun, type RunFile } from "./run-file.ts";

/** Characters of the longest line that says what the file is. */
const MAX_HEADER_LENGTH = 1_024;
/** The last line. */
const CHECKSUM = /\n\{"sha256":"([0-9a-f]{64})"\}\n$/;
const MAX_CHECKSUM_LENGTH = 100;
/** Characters of the shortest entry, rounded down. */
const MIN_ENTRY_LENGTH = 20;
/** Levels of the deepest line that is no journal's. */
const MAX_DEPTH = 10;
const DRAFT_KEY = /^draft\.\d{1,9}$/;

export interface ReadingParts {
  readonly host: Host;
  readonly sealer: () => Promise<Sealer>;
  readonly passphrase: string | undefined;
}

/**
 * Reads a run file. What it gives has the form of one; whether its journals can be true is not looked at. Throws `RUN_FILE_INVALID`,
 * `SCHEMA_VERSION_UNSUPPORTED`.
 */
export async function readRunFile(given: string, parts: ReadingParts): Promise<RunFile> {
  const outer = readHeader(given);
  const text = outer["sealed"] === undefined ? given : await openSealed(given, parts);
  const header = text === given ? outer : readHeader(text);
  const body = await checkedBody(text, parts.host);
  const run = keyOf(header["run"], "the run");
  return readLines(run, body);
}

/** The first line. Refuses what is no run file at all, however long it is. */
function readHeader(file: string): { readonly [key: string]: unknown } {
  if (typeof file !== "string" || file.length > MAX_RUN_FILE_LENGTH * 2) throw invalidFile("it is no text, or larger than any run file");
  const end = file.slice(0, MAX_HEADER_LENGTH).indexOf("\n");
  const header = end < 0 ? undefined : parseLine(file.slice(0, end));
  if (!header || header["format"] !== RUN_FILE_FORMAT) throw invalidFile("its first line is not that of a run file");
  const { version } = header;
  if (version === RUN_FILE_VERSION) return header;
  if (!Number.isSafeInteger(version) || (version as number) < 1) throw invalidFile("its first line names no version");
  throw new WorkflowError(
    "SCHEMA_VERSION_UNSUPPORTED",
    `This run file was written in version ${String(version)} of its form; this copy of wavepoint reads version ${RUN_FILE_VERSION}. Update it; nothing was stored.`,
    { details: { found: version as number, supported: RUN_FILE_VERSION } },
  );
}

async function openSealed(file: string, { sealer, passphrase }: ReadingParts): Promise<string> {
  if (!passphrase) {
    throw new WorkflowError(
      "RUN_FILE_INVALID",
      "The file is sealed with a passphrase. Import it with that passphrase; nothing was stored.",
      {
        details: { sealed: true },
      },
    );
  }
  const text = await (await sealer()).open(file, passphrase);
  if (text !== undefined) return text;
  throw new WorkflowError(
    "RUN_FILE_INVALID",
    "The file is sealed with another passphrase, or was changed. Try the passphrase again, or export the run again; nothing was stored.",
    { details: { sealed: true } },
  );
}

/** The lines between the first and the last one, which vouches for them. */
async function checkedBody(text: string, host: Host): Promise<LineReader> {
  if (text.length > MAX_RUN_FILE_LENGTH + MAX_CHECKSUM_LENGTH) throw invalidFile("it is larger than any run file");
  const checksum = CHECKSUM.exec(text.slice(-MAX_CHECKSUM_LENGTH));
  if (!checksum) throw invalidFile("its last line is not that of a run file, so it was cut short");
  const content = text.slice(0, Math.max(0, text.length - MAX_CHECKSUM_LENGTH) + checksum.index);
  if ((await host.hash(content)) !== checksum[1]) throw invalidFile("it was changed since it was written");
  const lines = readerOf(content);
  lines.next();
  return lines;
}

/** Gives one line after another: a file may be nothing but line ends. */
interface LineReader {
  /** How many lines were given. */
  readonly count: number;
  next(): string | undefined;
}

function readerOf(text: string): LineReader {
  let start = 0;
  let count = 0;
  return {
    get count() {
      return count;
    },
    next() {
      if (start > text.length) return undefined;
      const found = text.indexOf("\n", start);
      const end = found < 0 ? text.length : found;
      const line = text.slice(start, end);
      start = end + 1;
      count++;
      return line;
    },
  };
}

function readLines(run: string, lines: LineReader): RunFile {
  const definitions = new Map<string, string>();
  const blobs = new Map<string, BlobContent>();
  const runs = new Map<string, MovedRun>();
  let entries = 0;
  for (let text = lines.next(); text !== undefined; text = lines.next()) {
    const line = parseLine(text);
    if (line?.["definition"] !== undefined)
      definitions.set(keyOf(line["definition"], "a definition"), textOf(line["text"], "a definition"));
    else if (line?.["blob"] !== undefined) blobs.set(keyOf(line["blob"], "a blob"), contentOf(line));
    else if (line?.["run"] !== undefined) {
      const count = countOf(line["entries"], "the entries of a run");
      entries += count;
      if (entries > MAX_RUN_FILE_ENTRIES) throw invalidFile(`it holds more than ${MAX_RUN_FILE_ENTRIES} entries`);
      const moved = readRun(line, takeEntries(lines, count));
      if (runs.has(moved.id)) throw invalidFile(`run ${moved.id} stands in it twice`);
      if (runs.size > MAX_CALLED_RUNS) throw invalidFile(`it holds more than ${MAX_CALLED_RUNS} runs`);
      runs.set(moved.id, moved);
    } else throw invalidFile(`line ${lines.count} is neither a definition nor a blob nor a run`);
  }
  if (runs.keys().next().value !== run) throw invalidFile(`the first run in it is not ${run}`);
  return { run, definitions, blobs, runs: [...runs.values()] };
}

function takeEntries(lines: LineReader, count: number): readonly string[] {
  const texts: string[] = [];
  while (texts.length < count) {
    const text = lines.next();
    // What costs more to read than it takes in the file: texts that are packed, and nothing at all, many times.
    if (text === undefined || text.length < MIN_ENTRY_LENGTH || isPacked(text))
      throw invalidFile(`line ${lines.count} is no entry of a journal`);
    texts.push(text);
  }
  if (count === 0) throw invalidFile("a run in it has no journal");
  return texts;
}

function readRun(line: { readonly [key: string]: unknown }, texts: readonly string[]): MovedRun {
  const { base, fork } = line;
  return {
    id: keyOf(line["run"], "a run"),
    createdAt: instantOf(line["createdAt"]),
    ...(fork === undefined ? {} : { fork: forkOf(fork) }),
    ...(base === undefined ? {} : { base: countOf(base, "a base") || 1 }),
    texts,
    checkpoints: listOf(line["checkpoints"], "checkpoints").map(checkpointOf),
    blobs: listOf(line["blobs"], "blobs").map((hash) => keyOf(hash, "a blob")),
    drafts: listOf(line["drafts"], "drafts").map(draftOf),
    secrets: new Map(listOf(line["secrets"], "secrets").map(secretOf)),
  };
}

/** A line that is no journal's; nothing where it is no JSON object. */
function parseLine(line: string): { readonly [key: string]: unknown } | undefined {
  if (isDeeperThan(line, MAX_DEPTH)) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    // Without a prototype a missing member is always `undefined`, even one called `constructor`.
    return isRecord(parsed) ? Object.assign(Object.create(null) as object, parsed) : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(value: unknown, what: string): string {
  if (isStoreKey(value)) return value;
  throw invalidFile(`${what} has an id that is none`);
}

function textOf(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  throw invalidFile(`${what} is no text`);
}

function countOf(value: unknown, what: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw invalidFile(`${what} are not counted`);
}

function instantOf(value: unknown): number {
  const instant = countOf(value, "instants");
  if (instant <= MAX_INSTANT) return instant;
  throw invalidFile("an instant lies beyond all time");
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalidFile(`the ${what} of a run are no list`);
}

function pairOf(value: unknown, what: string): readonly [string, string] {
  const [name, text] = listOf(value, what);
  return [textOf(name, what), textOf(text, what)];
}

function contentOf(line: { readonly [key: string]: unknown }): BlobContent {
  if (line["base64"] === undefined) return textOf(line["text"], "a blob");
  const bytes = decodeBase64(textOf(line["base64"], "a blob"));
  if (bytes) return bytes;
  throw invalidFile("a blob is no base64");
}

function checkpointOf(value: unknown): MovedCheckpoint {
  const [kind, number, createdAt, entries] = listOf(value, "checkpoints");
  if (kind !== "wave" && kind !== "pause") throw invalidFile("a checkpoint is neither of a wave nor of a pause");
  return {
    kind,
    number: countOf(number, "checkpoints"),
    createdAt: instantOf(createdAt),
    entries: countOf(entries, "the entries of a checkpoint"),
  };
}

function forkOf(value: unknown): RunFork {
  if (!isRecord(value) || !parseCheckpointId(value["checkpoint"])) throw invalidFile("a run was forked from no checkpoint");
  return { run: keyOf(value["run"], "a run"), checkpoint: value["checkpoint"] as string };
}

function draftOf(value: unknown): Note {
  const [key, text] = pairOf(value, "drafts");
  if (!DRAFT_KEY.test(key)) throw invalidFile("a draft belongs to no pause");
  return { key, text };
}

function secretOf(value: unknown): readonly [string, string] {
  const [name, secret] = pairOf(value, "secrets");
  if (secret.length > MAX_SECRET_LENGTH) throw invalidFile("a secret is longer than any");
  return [name, secret];
}
