import { WorkflowError } from "../model/errors.ts";
import { draftKey, parseCheckpointId } from "../model/ids.ts";
import type { RunHead } from "../model/run.ts";
import type { BlobContent, Note } from "../ports/store.ts";
import { blobsOfDraft, type ExportOptions, type OpenRun, type Services } from "../run/run.ts";
import { checkpointRows, readTexts } from "../journal/journal.ts";
import type { MovedRun, RunFile } from "./run-file.ts";

/**
 * Reads all there is about held runs for a file. Callers stand before what they called: an answer that comes meanwhile reaches the called run
 * first, and its caller can do without. Throws `RUN_CORRUPT` and what secrets throw.
 */
export async function packRuns(services: Services, family: readonly OpenRun[], options: ExportOptions): Promise<RunFile> {
  const runs: MovedRun[] = [];
  const definitions = new Map<string, string>();
  const blobs = new Map<string, BlobContent>();
  for (const run of family) {
    const moved = await packRun(services, run, options);
    const { started, definition, formerly } = run.session.state;
    for (const hash of [started.definition, ...formerly, definition]) definitions.set(hash, String(await blobOf(services, run, hash)));
    const needed: string[] = [];
    for (const hash of moved.blobs) {
      const content = definitions.has(hash) ? undefined : (blobs.get(hash) ?? (await blobOf(services, run, hash)));
      // A fork also names the definition to which the run it comes from had moved, which is nothing to it: values refer to bytes.
      if (typeof content === "string") continue;
      if (content) blobs.set(hash, content);
      needed.push(hash);
    }
    runs.push({ ...moved, blobs: needed });
  }
  return { run: family[0]!.id, definitions, blobs, runs };
}

async function packRun(services: Services, run: OpenRun, { drafts = false, secrets = false }: ExportOptions): Promise<MovedRun> {
  const [head, texts] = await readJournal(services, run);
  const kept = drafts ? await readNotes(services, head) : [];
  return {
    id: run.id,
    createdAt: head.createdAt,
    ...(head.fork ? { fork: head.fork } : {}),
    ...(head.base ? { base: head.base } : {}),
    texts,
    checkpoints: await readCheckpoints(services, run.id),
    blobs: [...new Set([...(head.blobs ?? []), ...kept.flatMap(({ text }) => blobsOfDraft(text))])],
    drafts: kept,
    secrets: secrets ? await (await services.loadGuard()).secretsOf(run.session) : new Map<string, string>(),
  };
}

/**
 * The drafts of the open questions of a run: a page that was left at the moment of an answer may have kept another one. Whose files are gone is
 * left behind: nothing true depends on a draft.
 */
async function readNotes({ store }: Services, { id: run, pauses }: RunHead): Promise<readonly Note[]> {
  const open = new Set(pauses.map(({ id }) => draftKey(parseCheckpointId(id)!.number)));
  const kept: Note[] = [];
  for (const note of await store.notes(run, "draft.")) {
    if (!open.has(note.key)) continue;
    const contents = await Promise.all(blobsOfDraft(note.text).map((hash) => store.getBlob(hash)));
    if (contents.every((content) => content !== undefined)) kept.push(note);
  }
  return kept;
}

/** The head and the journal of one moment: another tab may answer, or a cleaner replace its beginning. */
async function readJournal(services: Services, { id }: OpenRun): Promise<readonly [RunHead, readonly string[]]> {
  for (;;) {
    const head = await services.store.head(id);
    if (!head) throw new WorkflowError("RUN_NOT_FOUND", `Run ${id} was deleted while it was exported.`, { details: { run: id } });
    const texts = await readTexts(services, id, { to: head.entries });
    if ((await services.store.head(id))?.revision !== head.revision) continue;
    if (texts.length === head.entries - (head.base ? head.base - 1 : 0)) return [head, texts];
    throw new WorkflowError("RUN_CORRUPT", `The journal of run ${id} is not whole. The run was left as it is.`, { details: { run: id } });
  }
}

async function readCheckpoints(services: Services, run: string): Promise<MovedRun["checkpoints"]> {
  const rows: MovedRun["checkpoints"][number][] = [];
  for await (const { kind, number, createdAt, entries } of checkpointRows(services, { run }))
    rows.push({ kind, number, createdAt, entries });
  return rows;
}

async function blobOf({ store }: Services, run: OpenRun, hash: string): Promise<BlobContent> {
  const content = await store.getBlob(hash);
  if (content !== undefined) return content;
  throw new WorkflowError(
    "RUN_CORRUPT",
    `Run ${run.id} refers to the blob ${hash}, which the store no longer has. The run was left as it is.`,
    {
      details: { run: run.id, blob: hash },
    },
  );
}
