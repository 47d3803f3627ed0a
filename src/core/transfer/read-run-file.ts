import { decodeBase64 } from "../model/base64.ts";
import { CHECKPOINT_KINDS } from "../model/checkpoint.ts";
import { WorkflowError } from "../model/errors.ts";
import { isStoreKey, parseCheckpointId } from "../model/ids.ts";
import { isDeeperThan } from "../model/json-depth.ts";
import { checkJson } from "../model/check-json.ts";
import { MAX_CALLED_RUNS, MAX_RUN_FILE_ENTRIES, MAX_RUN_FILE_LENGTH, MAX_SECRET_LENGTH } from "../model/limits.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { isRecord } from "../model/value.ts";
import type { Host, Sealer } from "../ports/host.ts";
import type { BlobContent } from "../ports/store.ts";
import { isPacked } from "../journal/journal.ts";
import { MAX_INSTANT } from "../runner/runner.ts";
import { RUN_FILE_FORMAT, RUN_FILE_VERSION } from "../model/journal.ts";
import { invalidFile, type MovedRun, type RunFile } from "./run-file.ts";

/** Characters of the longest line that says what the file is. */
const MAX_HEADER_LENGTH = 1_024;
/** The last line. */
const CHECKSUM = /\n\{"sha256":"([0-9a-f]{64})"\}\n$/;
const MAX_CHECKSUM_LENGTH = 100;
/** Characters of the shortest entry, rounded down. */
const MIN_ENTRY_LENGTH = 20;
/** Levels of the deepest line that is no journal's. */
const MAX_DEPTH = 10;

/** The grammars that texts of a file follow, by the names that the schemas below have for them. */
const GRAMMARS: { readonly [pattern: string]: (text: string) => boolean } = {
  id: isStoreKey,
  checkpoint: (text) => parseCheckpointId(text) !== undefined,
  draft: (text) => /^draft\.\d{1,9}$/.test(text),
};

const ID: JsonSchema = { type: "string", pattern: "id" };
const COUNT: JsonSchema = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const INSTANT: JsonSchema = { ...COUNT, maximum: MAX_INSTANT };
const TEXT: JsonSchema = { type: "string" };

function record(properties: { readonly [name: string]: JsonSchema }, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

/** The lines that are no entries, by the member that tells them apart. */
const LINES: { readonly [member: string]: JsonSchema } = {
  definition: record({ definition: ID, text: TEXT }),
  blob: record({ blob: ID, text: TEXT, base64: TEXT }, ["text", "base64"]),
  run: record(
    {
      run: ID,
      createdAt: INSTANT,
      fork: record({ run: ID, checkpoint: { type: "string", pattern: "checkpoint" } }),
      base: { ...COUNT, minimum: 1 },
      entries: { ...COUNT, minimum: 1 },
      checkpoints: {
        type: "array",
        items: record({ kind: { enum: CHECKPOINT_KINDS }, number: COUNT, createdAt: INSTANT, entries: COUNT }),
      },
      blobs: { type: "array", items: ID },
      drafts: { type: "array", items: record({ key: { type: "string", pattern: "draft" }, text: TEXT }) },
      secrets: { type: "object", additionalProperties: { type: ["string", "number"], maxLength: MAX_SECRET_LENGTH } },
    },
    ["fork", "base"],
  ),
};

type DefinitionLine = { readonly definition: string; readonly text: string };
type BlobLine = { readonly blob: string; readonly text?: string; readonly base64?: string };
type RunLine = Omit<MovedRun, "id" | "texts" | "secrets"> & {
  readonly run: string;
  readonly entries: number;
  readonly secrets: { readonly [name: string]: string | number };
};

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
  return readLines(header["run"], await checkedBody(text, parts.host));
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

/** The lines before the last one, which vouches for them. */
async function checkedBody(text: string, host: Host): Promise<string> {
  if (text.length > MAX_RUN_FILE_LENGTH + MAX_CHECKSUM_LENGTH) throw invalidFile("it is larger than any run file");
  const checksum = CHECKSUM.exec(text.slice(-MAX_CHECKSUM_LENGTH));
  if (!checksum) throw invalidFile("its last line is not that of a run file, so it was cut short");
  const content = text.slice(0, Math.max(0, text.length - MAX_CHECKSUM_LENGTH) + checksum.index);
  if ((await host.hash(content)) !== checksum[1]) throw invalidFile("it was changed since it was written");
  return content;
}

/** One line after another: a file may be nothing but line ends. */
function* linesOf(text: string): Generator<string, void> {
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    yield text.slice(start, end);
    start = end + 1;
  }
}

function readLines(run: unknown, content: string): RunFile {
  const definitions = new Map<string, string>();
  const blobs = new Map<string, BlobContent>();
  const runs = new Map<string, MovedRun>();
  let entries = 0;
  const lines = linesOf(content);
  lines.next();
  for (const text of lines) {
    const line = parseLine(text);
    const member = Object.keys(LINES).find((name) => line && Object.hasOwn(line, name));
    if (member === undefined) throw invalidFile("a line is neither a definition nor a blob nor a run");
    const [problem] = checkJson(LINES[member]!, line, { matches: (pattern, value) => GRAMMARS[pattern]!(value) });
    if (problem) throw invalidFile(`in the line of a ${member}, ${problem.path} ${problem.message}`);
    if (member === "definition") {
      const { definition, text: written } = line as DefinitionLine;
      definitions.set(definition, written);
    } else if (member === "blob") blobs.set((line as BlobLine).blob, contentOf(line as BlobLine));
    else {
      const { run: id, entries: count, secrets, ...about } = line as RunLine;
      entries += count;
      if (entries > MAX_RUN_FILE_ENTRIES) throw invalidFile(`it holds more than ${MAX_RUN_FILE_ENTRIES} entries`);
      if (runs.has(id)) throw invalidFile(`run ${id} stands in it twice`);
      if (runs.size > MAX_CALLED_RUNS) throw invalidFile(`it holds more than ${MAX_CALLED_RUNS} runs`);
      runs.set(id, { id, ...about, texts: takeEntries(lines, count), secrets: new Map(Object.entries(secrets)) });
    }
  }
  const [first] = runs.keys();
  if (first === undefined || first !== run) throw invalidFile("the first run in it is not the one that it is of");
  return { run: first, definitions, blobs, runs: [...runs.values()] };
}

function takeEntries(lines: Generator<string, void>, count: number): readonly string[] {
  const texts: string[] = [];
  while (texts.length < count) {
    const { value: text } = lines.next();
    // What costs more to read than it takes in the file: texts that are packed, and nothing at all, many times.
    if (text === undefined || text.length < MIN_ENTRY_LENGTH || isPacked(text))
      throw invalidFile(`entry ${texts.length} of a run is none of a journal`);
    texts.push(text);
  }
  return texts;
}

/** A line that is no journal's; nothing where it is no JSON object. */
function parseLine(line: string): { readonly [key: string]: unknown } | undefined {
  if (isDeeperThan(line, MAX_DEPTH)) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function contentOf({ text, base64 }: BlobLine): BlobContent {
  const content = base64 === undefined ? text : decodeBase64(base64);
  if (content !== undefined) return content;
  throw invalidFile("a blob is no base64");
}
