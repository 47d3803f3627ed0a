import { assertOptions } from "../model/assert-options.ts";
import { WorkflowError } from "../model/errors.ts";
import { isBytes } from "../model/file-value.ts";
import { showPath } from "../model/file-path.ts";
import { MAX_FILE_BYTES, MAX_FILES_BYTES, MAX_RUN_FILES } from "../model/limits.ts";
import type { FilesRead, StepChanges } from "../model/journal.ts";
import { assertFileName, type RunFile, type StoredFile } from "../model/run-file.ts";
import type { Session } from "../journal/journal.ts";
import type { FileAccess, FileData } from "../ports/block.ts";
import { filesFor, filesOf, found, type RunFiles, showFiles, type Unit, unitState } from "../machine/machine.ts";

/** Bytes of a file that may stand in the entry of its step, and of all that do: an entry has a limit, and is read with all others. */
const MAX_INLINE_BYTES = 16_384;
const MAX_INLINE_TOTAL = 262_144;
/** Characters of a media type. */
const MAX_TYPE_LENGTH = 255;
/** After so long what was stored is stored again, since a cleanup may not know yet who needs it. */
const STALE_MS = 3_600_000;

/** What a step has written, until it is recorded. */
export interface OwnFiles {
  readonly files: Map<string, StoredFile>;
  /** Writes that are under way. */
  readonly pending: Set<Promise<unknown>>;
}

/** The part of a step that files take. */
export interface WritingStep {
  readonly session: Session;
  readonly unit: Unit;
  /** What it is given; nothing where no answer can be changed. */
  readonly given: string | undefined;
  /** From 1. */
  readonly iteration: number;
  /** Milliseconds after the start of the run. */
  readonly startedAt: number;
  /** What it leaves in its run beside its outputs; nothing where it does not. */
  changes: StepChanges | undefined;
  /** The files that it wrote, until its end is recorded; nothing where it wrote none. */
  ownFiles: OwnFiles | undefined;
  /** What it found when it read files of the run, where that is new. */
  filesRead: FilesRead | undefined;
}

/** The files of the run, as the block of a step sees them. */
export function accessFiles(step: WritingStep): FileAccess {
  return {
    write(name, data, options = {}) {
      const { pending } = (step.ownFiles ??= { files: new Map(), pending: new Set() });
      const work = writeFile(step, name, data, options);
      pending.add(work);
      const settled = (): void => void pending.delete(work);
      work.then(settled, settled);
      return work;
    },
    async read(name) {
      assertFileName(name);
      const file = step.ownFiles?.files.get(name) ?? seenBy(step, name).get(name);
      if (!file) throw missing(step, name);
      const { type, size } = file;
      return { name, type, size, bytes: await step.session.readFile(file) };
    },
    async list() {
      const files = new Map(seenBy(step, ""));
      for (const [name, file] of ownFiles(step)) files.set(name, { ...file, ...step.unit, iteration: step.iteration - 1 });
      return showFiles(step.session, files);
    },
  };
}

function ownFiles({ ownFiles: own }: WritingStep): ReadonlyMap<string, StoredFile> {
  return own?.files ?? new Map<string, StoredFile>();
}

/** The files that a step sees beside those that it is about to write. It is noted what it looked for: a revision may have changed that. */
function seenBy(step: WritingStep, name: string): RunFiles {
  const files = filesFor(step.session, step.unit);
  const known = unitState(step.session.state, step.unit).read;
  if (step.given !== undefined && !(known && Object.hasOwn(known, name)))
    step.filesRead = { [name]: found(files, name), ...step.filesRead };
  return files;
}

async function writeFile(step: WritingStep, name: string, data: FileData, options: { readonly type?: string }): Promise<RunFile> {
  assertFileName(name);
  assertOptions("files.write", options, { type: true });
  const blob = blobOf(name, data);
  const type = options.type ?? blob?.type ?? "";
  if (typeof type !== "string" || type.length > MAX_TYPE_LENGTH || /\p{Cc}/u.test(type)) {
    throw new WorkflowError("FILE_REFUSED", `The type of the file ${showPath(name)} is no media type. Give one like "image/png".`);
  }
  assertSize(name, blob?.size ?? (data as Uint8Array).length);
  // The block may change them while this waits.
  const bytes = new Uint8Array(blob ? await blob.arrayBuffer() : (data as Uint8Array));
  assertSize(name, bytes.length);
  const { session } = step;
  const inline = [...ownFiles(step).values()].reduce((sum, file) => sum + (file.bytes === undefined ? 0 : file.size), bytes.length);
  const isInline = bytes.length <= MAX_INLINE_BYTES && inline <= MAX_INLINE_TOTAL;
  const file = await session.keepFile({ name, type, bytes, isInline });
  assertRoom(step, file);
  step.ownFiles?.files.set(name, file);
  return showFiles(session, new Map([[name, { ...file, ...step.unit, iteration: step.iteration - 1 }]]))[0]!;
}

/** The data of a file where it is a `Blob`; nothing where it is bytes. Throws `FILE_REFUSED` for all else. */
function blobOf(name: string, data: unknown): Exclude<FileData, Uint8Array> | undefined {
  if (ArrayBuffer.isView(data) && isBytes(data)) return undefined;
  if (typeof data === "object" && data !== null && "arrayBuffer" in data && "size" in data) return data as Exclude<FileData, Uint8Array>;
  throw new WorkflowError(
    "FILE_REFUSED",
    `What is to be written to the file ${showPath(name)} is neither a Uint8Array nor a Blob. Encode a text first: new TextEncoder().encode(text).`,
  );
}

function assertSize(name: string, size: number): void {
  if (size <= MAX_FILE_BYTES) return;
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `The file ${showPath(name)} has ${size} bytes; ${MAX_FILE_BYTES} are allowed. Keep it elsewhere and give its address.`,
    { details: { size, limit: MAX_FILE_BYTES } },
  );
}

/** Throws `LIMIT_EXCEEDED` where a run would have too many files, or too large ones, and says so to those who listen once it has four fifths of that. */
function assertRoom(step: WritingStep, added: StoredFile): void {
  const { session } = step;
  const before = new Map<string, StoredFile>([...filesOf(session), ...ownFiles(step)]);
  const after = new Map(before).set(added.name, added);
  const limits = [
    { limit: "files", what: "files", allowed: MAX_RUN_FILES, measure: (files: typeof before) => files.size },
    {
      limit: "fileBytes",
      what: "bytes in its files",
      allowed: MAX_FILES_BYTES,
      measure: (files: typeof before) => [...files.values()].reduce((sum, { size }) => sum + size, 0),
    },
  ] as const;
  for (const { limit, what, allowed, measure } of limits) {
    const used = measure(after);
    if (used > allowed) {
      throw new WorkflowError(
        "LIMIT_EXCEEDED",
        `This run would have ${used} ${what}; ${allowed} are allowed. Write fewer, or write over others.`,
        {
          details: { used, limit: allowed },
        },
      );
    }
    session.warn(measure(before), { limit, used, allowed });
  }
}

/** Waits until all that a step wrote is stored: what it wrote is part of its changes then. Rejects with what a write that it did not wait for threw. */
export async function settleFiles(step: WritingStep): Promise<void> {
  const { ownFiles, session, startedAt } = step;
  if (!ownFiles) return;
  while (ownFiles.pending.size > 0) await Promise.all(ownFiles.pending);
  const files = [...ownFiles.files.values()];
  if (session.now() - startedAt > STALE_MS) for (const file of files) if (file.bytes === undefined) await session.keepAgain(file);
  step.ownFiles = undefined;
  if (files.length > 0) step.changes = { ...step.changes, files };
}

function missing(step: WritingStep, name: string): WorkflowError {
  const names = [...ownFiles(step).keys(), ...filesFor(step.session, step.unit).keys()];
  const told = names.length === 0 ? "It has none yet." : `It has: ${names.slice(0, 10).map(showPath).join(", ")}.`;
  return new WorkflowError(
    "FILE_MISSING",
    `There is no file ${showPath(name)} in this run. ${told} What a block writes is there for the blocks of later waves.`,
  );
}
