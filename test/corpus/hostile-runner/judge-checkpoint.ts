import { createExecutor } from "wavepoint";
import type { Entry, RunHead, Store, Value, Values, Workflow } from "wavepoint";
import { restoreLongTexts } from "../hostile/generate.ts";
import { attemptWorkflow, describeAttempt } from "./attempt.ts";
import { judgeBytes, type ByteChange, type JournalFiles } from "./judge-bytes.ts";
import { judgeRunFile, judgeZeroTails, type Stored } from "./judge-run-file.ts";
import { isRefusalFor } from "./refusal-codes.ts";
import { PASSED, failed, notApplicable, worst } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";
import { useRun, VICTIM } from "./victim.ts";
import { dumpStore } from "./watched-store.ts";

interface Patch {
  readonly path: string;
  readonly value: Value;
}

/** A hostile checkpoint: how a good one is changed. Paths are those of the checkpoints that the corpus was written for. */
interface HostileCheckpoint {
  readonly patch?: readonly Patch[];
  readonly patches?: readonly (readonly Patch[])[];
  readonly raw?: string;
  /** What is done to the stored form. */
  readonly bytes?: readonly ByteChange[];
  /** A compressed record, in the format of gzip. */
  readonly payload_gzip_base64?: string;
  readonly generate?: { readonly nest?: string; readonly depth?: number; readonly keys?: number };
}

type Tamper = (stored: Stored) => void;

/** Source: RFC 1952, section 2.3; the corpus has no optional parts. */
const GZIP_HEADER_BYTES = 10;
/** The answer that makes backtracking engines hang on the patterns of the corpus. */
const HANGING = `${"a".repeat(50_000)}!`;
/** Judges what a changed record of a run does, as far as records have what the corpus changes. */
export async function judgeCheckpoint(
  input: HostileInput,
  text: string,
  {
    openStore,
    openJournals,
    stopwatch,
  }: {
    readonly openStore: () => Promise<Store>;
    readonly openJournals: (() => Promise<JournalFiles>) | undefined;
    readonly stopwatch: () => () => number;
  },
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const checkpoint = restoreLongTexts(JSON.parse(text)) as HostileCheckpoint;
  const patches = checkpoint.patches ?? (checkpoint.patch ? [checkpoint.patch] : []);
  if (input.expect.outcome === "inert-data" && patches.length === 1) {
    const elapsed = stopwatch();
    return { verdict: await judgeInert(patches[0]!, openStore), ms: elapsed() };
  }
  const zeros = checkpoint.bytes?.find(({ op }) => op === "zero-fill-tail");
  if (zeros?.lengths) {
    const judged = await judgeZeroTails(input, zeros.lengths, openStore, stopwatch);
    if (judged.verdict.status !== "passed" || !openJournals) return judged;
  }
  if (checkpoint.bytes) {
    if (!openJournals) return { verdict: notApplicable("it is about the bytes of a journal, which are no files here"), ms: 0 };
    return judgeBytes(input, checkpoint.bytes, openJournals, stopwatch);
  }
  const tampers = checkpoint.patches || checkpoint.patch ? patches.map(tamperingOf) : [tamperingByText(checkpoint)];
  if (tampers.length === 0 || tampers.some((tamper) => tamper === undefined)) {
    return {
      verdict: notApplicable(
        `a journal has nothing like ${
          patches
            .flat()
            .map(({ path }) => path)
            .join(", ") || "what it changes"
        }`,
      ),
      ms: 0,
    };
  }
  let ms = 0;
  const verdicts: Verdict[] = [];
  for (const tamper of tampers) {
    const judged = await judgeTampered(input, tamper!, openStore, stopwatch);
    verdicts.push(judged.verdict);
    ms = Math.max(ms, judged.ms);
  }
  return { verdict: worst(verdicts), ms };
}

async function judgeTampered(
  input: HostileInput,
  tamper: Tamper,
  openStore: () => Promise<Store>,
  stopwatch: () => () => number,
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const { outcome, code } = input.expect;
  const stored = await storeVictim(await openStore());
  tamper(stored);
  const store = await openStore();
  const bystander = await attemptWorkflow(store, () => ({ ...VICTIM, name: "bystander" }));
  await bystander.executor.close();
  await store.putBlob(stored.head.definition, stored.definition);
  await store.commit({ run: stored.head.id, expected: undefined, head: stored.head, entries: stored.entries, durability: "strict" });
  const before = await dumpStore(store);

  const executor = createExecutor({ store, blocks: [{ type: "Echo", execute: () => ({ status: "success", outputs: {} }) }] });
  try {
    const elapsed = stopwatch();
    const response = outcome === "linear" ? HANGING : "x";
    const refusal = await useRun(executor, () => executor.open(stored.head.id), response);
    const ms = elapsed();
    await executor.open(bystander.run!.id);
    const imported = await judgeRunFile(input, stored, { openStore, stopwatch, response });
    if (imported.verdict.status !== "passed" || imported.ms > ms) return imported;
    if (outcome === "linear") return { verdict: PASSED, ms };
    if (refusal === undefined) {
      return { verdict: outcome === "refuse-or-inert" ? PASSED : failed(`${outcome} ${code}`, "the run went on"), ms };
    }
    if (!isRefusalFor(code, refusal)) return { verdict: failed(`${outcome} ${code}`, refusal), ms };
    const after = await dumpStore(store);
    return { verdict: after === before ? PASSED : failed("a refusal that changes no stored byte", "the store changed"), ms };
  } finally {
    await executor.close();
  }
}

/** Values that look like a serialiser's own marks stay what they are, in memory and from the store. */
async function judgeInert(patch: readonly Patch[], openStore: () => Promise<Store>): Promise<Verdict> {
  const store = await openStore();
  const workflow: Workflow = {
    name: "inert",
    blocks: patch.map(({ value }, i) => ({ id: `b${i}`, type: "Echo", inputs: { message: value } })),
  };
  const attempt = await attemptWorkflow(store, () => workflow);
  await attempt.executor.close();
  if (attempt.result?.status !== "success") return failed("completion", describeAttempt(attempt));
  const reader = createExecutor({ store });
  const steps = await (await reader.open(attempt.run!.id)).steps();
  await reader.close();
  const lost = patch.find(({ value }, i) => {
    const kept = steps.find(({ block }) => block === `b${i}`)?.outputs?.["message"];
    return JSON.stringify(kept) !== JSON.stringify(value);
  });
  return lost === undefined ? PASSED : failed(JSON.stringify(lost.value), JSON.stringify(steps));
}

/** A run of the victim that waits for its answer. */
async function storeVictim(store: Store): Promise<Stored> {
  const attempt = await attemptWorkflow(store, () => VICTIM);
  await attempt.executor.close();
  const head: RunHead = { ...(await store.head(attempt.run!.id))!, revision: 1, epoch: 1 };
  return { head, entries: [...(await store.read(head.id))], definition: String(await store.getBlob(head.definition)) };
}

/** What a patch means for a journal; nothing where a journal has no such thing. */
function tamperingOf(patch: readonly Patch[]): Tamper | undefined {
  const [{ path, value }] = patch as readonly [Patch, ...Patch[]];
  if (path === "/schema_version") return (stored) => change(stored, "started", (entry) => ({ ...entry, version: value }) as Entry);
  if (path === "/completed_blocks/-") return (stored) => insert(stored, completed(String(value)));
  if (path === "/completed_blocks" && Array.isArray(value)) {
    return (stored) => {
      stored.entries.splice(1);
      for (const block of value) insert(stored, completed(String(block)));
    };
  }
  // The place in the plan follows from the journal; what a journal has numbers for are pauses.
  if (path === "/current_wave_index") return (stored) => insert(stored, { type: "answered", pause: value as number, response: "x", at: 1 });
  if (path === "/child_checkpoint_id") {
    return (stored) => {
      const parent = { run: stored.head.id, block: "ask" };
      stored.head = { ...stored.head, parent };
      change(stored, "started", (entry) => ({ ...entry, parent }) as Entry);
      change(stored, "paused", (entry) => ({ ...entry, child: 0, path: ["ask"], asks: "GetInput" }) as Entry);
    };
  }
  if (path === "/pause_metadata/validation_pattern") {
    return (stored) =>
      change(stored, "paused", (entry) => {
        const pattern = String(value);
        return { ...entry, schema: { type: "string", pattern }, metadata: { kind: "text", pattern } } as Entry;
      });
  }
  if (path.startsWith("/block_definitions/")) {
    return (stored) => {
      const workflow = JSON.parse(stored.definition) as { blocks: Record<string, unknown>[] };
      for (const part of patch) workflow.blocks[0]![part.path.split("/").at(-1)!] = part.value;
      stored.definition = JSON.stringify(workflow);
    };
  }
  return undefined;
}

/** Tampering that no parsed value can express. */
function tamperingByText({ raw, generate, payload_gzip_base64: gzip }: HostileCheckpoint): Tamper | undefined {
  if (gzip !== undefined) {
    // Without the header of gzip it begins like the packed entries of a store.
    const packed = JSON.stringify({ packed: btoa(atob(gzip).slice(GZIP_HEADER_BYTES)) });
    return (stored) => {
      stored.entries = stored.entries.map((text) => ((JSON.parse(text) as Entry).type === "completed" ? packed : text));
    };
  }
  const outputs =
    raw !== undefined
      ? raw
      : generate?.nest === "array"
        ? `{"deep":${"[".repeat(generate.depth!)}${"]".repeat(generate.depth!)}}`
        : generate?.keys !== undefined
          ? `{"wide":{${Array.from({ length: generate.keys }, (_, i) => `"k${i}":0`).join(",")}}}`
          : undefined;
  if (outputs === undefined) return undefined;
  return (stored) => {
    stored.entries = stored.entries.map((text) =>
      (JSON.parse(text) as Entry).type === "completed" ? `{"type":"completed","block":"first","at":1,"outputs":${outputs}}` : text,
    );
  };
}

function completed(block: string): Entry {
  return { type: "completed", block, at: 1, outputs: {} satisfies Values };
}

function insert(stored: Stored, entry: Entry): void {
  stored.entries.push(JSON.stringify(entry));
  stored.head = { ...stored.head, entries: stored.entries.length };
}

function change(stored: Stored, type: Entry["type"], edit: (entry: Entry) => Entry): void {
  stored.entries = stored.entries.map((text) => {
    const entry = JSON.parse(text) as Entry;
    return entry.type === type ? JSON.stringify(edit(entry)) : text;
  });
}
