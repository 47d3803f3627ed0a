import { defineBlock, failure, success } from "wavepoint";
import type { Block, BlockContext, BlockType, Value, Workflow } from "wavepoint";
import type { WorkerOptions } from "./witness.ts";

/** Bytes of the larger file of a round: stores keep it beside the journal. */
const FILE_BYTES = 40_000;

/** The channels of a long run whose rounds have every feature. */
export const CHANNELS: NonNullable<Workflow["channels"]> = { said: { reduce: "append" }, turns: { reduce: "sum" } };

/** How many executions a round with every feature has where nothing is executed twice, beside those of any round, and how many of them at the same time at most. */
export const FEATURE_EXECUTIONS = 20;
export const FEATURE_WIDTH = 8;

/** The event for which a round waits. */
const eventOf = (round: number): string => `go-${round}`;

/**
 * What stands beside the other blocks of a round, once its question is answered: a loop, branches that meet, a failure that is mended, blocks that are added, files,
 * resources, results that are made once, a wait for a signal, and a called workflow that fails and undoes what it did.
 */
export function featureBlocks(round: number, delayMs: number): readonly Block[] {
  const block = (id: string, type: string, load: string, more: Partial<Block> = {}): Block => ({
    id: `${id}-${round}`,
    type,
    inputs: { load, delay_ms: delayMs },
    dependsOn: [`ask-${round}`],
    ...more,
  });
  const after = (...ids: readonly string[]): Partial<Block> => ({ dependsOn: ids.map((id) => `${id}-${round}`) });
  return [
    block("loop", "Work", "turn ${channels.turns}", {
      repeatWhile: `\${blocks.loop-${round}.metadata.iterations} < 3`,
      writes: { said: `loop-${round}`, turns: 1 },
    }),
    block("way", "Work", "on", { next: [{ to: `left-${round}`, when: `\${blocks.way-${round}.load} == "back"` }, `right-${round}`] }),
    block("left", "Work", "left", after("way")),
    block("right", "Work", "right", { ...after("way"), writes: { said: `right-${round}` } }),
    block("meet", "Work", "met", { ...after("left", "right"), join: "any" }),
    block("breaks", "Breaks", "broken", { onFailure: `mends-${round}` }),
    block("mends", "Work", "${failure.message}", after("breaks")),
    block("grow", "Grow", "grown"),
    block("file", "WritesFiles", `file ${round}`),
    block("check", "ReadsFiles", `file ${round}`, after("file")),
    block("room", "Guest", "night ${each.value}", { forEach: ["one", "two"], maxParallel: 2 }),
    block("look", "Looks", "seen"),
    { id: `wait-${round}`, type: "Wait", inputs: { event: eventOf(round) }, dependsOn: [`ask-${round}`] },
    { id: `saga-${round}`, type: "ExecuteWorkflow", inputs: { workflow: "saga" }, ...after("look"), continueOnError: true },
  ];
}

/** The workflow that fails, after it did what it then undoes. */
export function sagaWorkflow(delayMs: number): Workflow {
  const block = (id: string, more: Partial<Block>): Block => ({ id, type: "Work", inputs: { load: id, delay_ms: delayMs }, ...more });
  const undo = (id: string): Block => block(`un${id}`, { inputs: { load: `no \${blocks.${id}.load}`, delay_ms: delayMs } });
  return {
    name: "saga",
    blocks: [
      block("book", { compensate: "unbook" }),
      block("pay", { compensate: "unpay", dependsOn: ["book"] }),
      block("full", { type: "Breaks", dependsOn: ["pay"] }),
      undo("book"),
      undo("pay"),
    ],
  };
}

type Context = BlockContext<{ readonly [name: string]: unknown }>;
/** Tells that a block begins, lets it take its time, and tells that it ends. Gives what its output proves. */
type Perform = (context: Context, deed?: () => Promise<unknown>) => Promise<string>;

/** The block types of such rounds. What they do outside of the run they tell the witness. */
export function featureTypes({ by, tell }: WorkerOptions, perform: Perform): readonly BlockType[] {
  const breaks = defineBlock({
    type: "Breaks",
    async execute(context) {
      const proof = await perform(context);
      return failure(String(context.inputs["load"]), { proof });
    },
  });
  const grow = defineBlock({
    type: "Grow",
    async execute(context) {
      const { block, inputs, add } = context;
      const proof = await perform(context);
      const added = inputs as { readonly [name: string]: Value };
      add({ id: `more-of-${block}`, type: "Work", inputs: added, writes: { said: block } });
      return success({ proof });
    },
  });
  const writesFiles = defineBlock({
    type: "WritesFiles",
    async execute(context) {
      const { block, inputs, files } = context;
      const text = String(inputs["load"]);
      const proof = await perform(context, async () => {
        await files.write(`${block}.txt`, new TextEncoder().encode(text), { type: "text/plain" });
        await files.write(`${block}.bin`, bytesOf(text), { type: "application/octet-stream" });
      });
      return success({ proof });
    },
  });
  const readsFiles = defineBlock({
    type: "ReadsFiles",
    async execute(context) {
      const { inputs, files } = context;
      const wanted = bytesOf(String(inputs["load"]));
      let isWhole = true;
      const proof = await perform(context, async () => {
        for (const { name } of await files.list()) {
          const { bytes } = await files.read(name);
          if (name.endsWith(".bin")) isWhole &&= bytes.length === wanted.length && bytes.every((byte, index) => byte === wanted[index]);
        }
      });
      return success({ proof, isWhole });
    },
  });
  const guest = defineBlock({
    type: "Guest",
    resources: {
      room: {
        async open({ idempotencyKey, host, run }) {
          await tell({ type: "opened", run, resource: idempotencyKey, by });
          await host.sleep(1);
          return { live: idempotencyKey, reference: { id: idempotencyKey, run } };
        },
        async reconnect({ id }: { readonly id: string }) {
          return id;
        },
        async close({ id, run }: { readonly id: string; readonly run: string }) {
          await tell({ type: "closed", run, resource: id, by });
        },
      },
    },
    async execute(context) {
      const { run, resource } = context;
      const proof = await perform(context, async () => tell({ type: "got", run, resource: await resource("room"), by }));
      return success({ proof });
    },
  });
  const looks = defineBlock({
    type: "Looks",
    async execute(context) {
      const { run, once, host, signal } = context;
      const proof = await perform(context, async () => {
        for (const name of ["first", "second"]) {
          let used = "";
          await once(name, async (key) => {
            used = key;
            await tell({ type: "made", run, key, by });
            await host.sleep(1, signal);
          });
          if (used !== "") await tell({ type: "kept", run, key: used, by });
        }
      });
      return success({ proof });
    },
  });
  return [breaks, grow, writesFiles, readsFiles, guest, looks];
}

/** Bytes that follow from a text. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from({ length: FILE_BYTES }, (_, i) => (i * 7 + text.charCodeAt(i % text.length)) % 251);
}
