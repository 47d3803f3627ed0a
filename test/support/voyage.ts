import {
  createExecutor,
  defineBlock,
  failure,
  success,
  type Answer,
  type Block,
  type CheckpointPolicy,
  type Executor,
  type FileValue,
  type Host,
  type Pause,
  type Run,
  type Store,
  type Workflow,
} from "wavepoint";
import { storyOf } from "./story-of.ts";

/** Bytes of a value that is kept beside the journal, and of one that is not. */
const LARGE_BYTES = 1_100_000;
const SMALL_BYTES = 300;
const FILE_BYTES = 5_000;

/** What is secret: an input, and what a block gave under a secret key. */
export const PIN = "pin-of-four-digits";
const TOKEN = "session-of-the-harbour";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const call = (id: string, workflow: string, inputs: { readonly [name: string]: string }, more: Partial<Block>): Block => ({
  id,
  type: "ExecuteWorkflow",
  inputs: { workflow, inputs },
  ...more,
});

const KEY: Workflow = {
  name: "key",
  inputs: { side: { type: "string" } },
  blocks: [{ id: "cut", type: "Pack", inputs: { of: "a key ${inputs.side}" } }, ask("number", { dependsOn: ["cut"] })],
  outputs: { number: "${blocks.number.input_value}", access_token: "${blocks.cut.access_token}" },
};
const ROOM: Workflow = {
  name: "room",
  inputs: { side: { type: "string" }, place: { type: "string" } },
  blocks: [call("key", "key", { side: "${inputs.side}" }, {}), ask("bed", { dependsOn: ["key"] })],
  outputs: { is: "${inputs.place} ${inputs.side}: ${blocks.key.number} ${blocks.bed.input_value}" },
};
const NIGHT: Workflow = {
  name: "night",
  inputs: { turn: { type: "integer" } },
  blocks: [ask("dream")],
  outputs: { dream: "${inputs.turn}. ${blocks.dream.input_value}" },
};

/**
 * A workflow that has all that a move could lose: files and values beside the journal, secrets, called runs in lists, in loops and in each other,
 * channels, added blocks, effects, named checkpoints, signals, and values to search by.
 */
const VOYAGE: Workflow = {
  name: "voyage",
  label: "${inputs.who} to ${blocks.where.place}",
  search: { who: "${inputs.who}", place: "${blocks.where.place}" },
  inputs: { who: { type: "string" }, is_large: { type: "boolean", default: false }, pin: { type: "string", secret: true } },
  channels: { said: { reduce: "append" }, turns: { reduce: "sum" } },
  blocks: [
    { id: "pack", type: "Pack", inputs: { of: "${inputs.who}", large: "${inputs.is_large}", pin: "${inputs.pin}" } },
    {
      id: "where",
      type: "Form",
      dependsOn: ["pack"],
      inputs: { prompt: "Where to?", fields: [{ name: "place" }, { name: "ticket", type: "file" }] as never },
    },
    { id: "pay", type: "Pay", dependsOn: ["where"], effect: "once", inputs: { what: "a bed", token: "${blocks.pack.access_token}" } },
    call("rooms", "room", { side: "${each.value}", place: "${blocks.where.place}" }, { dependsOn: ["where"], forEach: ["north", "south"] }),
    call(
      "nights",
      "night",
      { turn: "${channels.turns}" },
      {
        dependsOn: ["rooms"],
        repeatWhile: "${blocks.nights.metadata.iterations} < 2",
        writes: { turns: 1, said: "${blocks.nights.dream}" },
      },
    ),
    { id: "grow", type: "Grow", dependsOn: ["rooms"], inputs: {} },
    { id: "wind", type: "Wait", dependsOn: ["rooms"], inputs: { event: "wind" } },
    ask("sail", { dependsOn: ["nights", "wind", "grow"] }),
    { id: "go", type: "Go", dependsOn: ["sail"], inputs: { how: "${blocks.sail.input_value}", bag: "${blocks.pack.bag}" } },
  ],
  outputs: {
    place: "${blocks.where.place}",
    ticket: "${blocks.where.ticket}",
    rooms: "${blocks.rooms.results}",
    said: "${channels.said}",
    wind: "${blocks.wind.value}",
    went: "${blocks.go.went}",
    log: '${blocks.go.files["log.bin"]}',
  },
};

/** Bytes that follow from a text. */
function bytesOf(text: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + text.charCodeAt(i % text.length) + (i >> 8)) % 251;
  return bytes;
}

/** A file that a person attaches. */
export function ticketOf(place: string, size: number): FileValue {
  return { name: `${place}.pdf`, type: "application/pdf", size, bytes: bytesOf(place, size) };
}

/** What happened outside of the runs. */
export interface Outside {
  /** How often each idempotency key came. */
  readonly paid: Map<string, number>;
  /** Called by a block that is to die before anything else is stored. */
  die(): void;
}

/** An executor that knows the voyage: the same in a page and in Node. */
export function voyageExecutor(
  store: Store,
  { host, outside, policy = {} }: { readonly host?: Host; readonly outside: Outside; readonly policy?: CheckpointPolicy },
): Executor {
  const pack = defineBlock({
    type: "Pack",
    secretInputs: ["pin"],
    async execute({ inputs, files, block, checkpoint }) {
      const { of, pin, large = false } = inputs as { readonly of: string; readonly large?: boolean; readonly pin?: string };
      await files.write(`${block}.txt`, new TextEncoder().encode(of), { type: "text/plain" });
      await files.write(`${block}.bin`, bytesOf(of, FILE_BYTES), { type: "application/octet-stream" });
      checkpoint({ name: `packed ${of}` });
      const isRight = pin === undefined || pin === PIN;
      return success({
        bag: bytesOf(`bag of ${of}`, large ? LARGE_BYTES : SMALL_BYTES),
        small: bytesOf(of, 40),
        access_token: TOKEN,
        isRight,
      });
    },
  });
  const pay = defineBlock({
    type: "Pay",
    execute({ inputs, idempotencyKey }) {
      outside.paid.set(idempotencyKey, (outside.paid.get(idempotencyKey) ?? 0) + 1);
      return success({ isKnown: (inputs as { readonly token: string }).token === TOKEN });
    },
  });
  const grow = defineBlock({
    type: "Grow",
    execute({ block, add }) {
      add({ id: `more-${block}`, type: "EchoBlock", inputs: { message: "grown" }, writes: { said: "grown" } });
      return success({});
    },
  });
  const go = defineBlock({
    type: "Go",
    async execute({ inputs, files, mayHaveRun, attempt }) {
      const { how, bag } = inputs as { readonly how: string; readonly bag: Uint8Array };
      if (how === "fail") return failure("The ship sank.", { after: "a mile" });
      await files.write("log.bin", bytesOf(how, FILE_BYTES), { type: "application/octet-stream" });
      if (how === "die" && !mayHaveRun) outside.die();
      return success({ went: how, sum: sumOf(bag), attempt });
    },
  });
  return createExecutor({
    store,
    blocks: [pack, pay, grow, go],
    workflows: [VOYAGE, ROOM, KEY, NIGHT],
    policy: { autoCleanup: false, ...policy },
    secrets: (name) => (name === "pin" ? PIN : undefined),
    ...(host ? { host } : {}),
  });
}

function sumOf(bytes: Uint8Array): number {
  let sum = 7;
  for (let i = 0; i < bytes.length; i++) sum = (sum * 31 + bytes[i]! + i) % 1_000_003;
  return sum;
}

/** The open question at a path. */
export async function openAt(run: Run, path: string): Promise<Pause> {
  await run.settled();
  const { pauses } = run.getSnapshot();
  const found = pauses.find((pause) => pause.path.join("/") === path);
  if (!found) throw new Error(`Nothing is asked at ${path}, but at ${pauses.map((pause) => pause.path.join("/")).join(", ")}.`);
  return found;
}

/** Answers the open question at a path. */
export async function answerAt(run: Run, path: string, answer: Answer): Promise<void> {
  const result = await run.answer((await openAt(run, path)).id, answer);
  if (result.error && result.error.code === "RESPONSE_INVALID") throw new Error(JSON.stringify(result.error));
}

/** What moves leave in heads, and what each store counts for itself. */
const OF_MOVES = new Set(["revision", "epoch", "entries", "base", "ownership", "changedAt", "updatedAt", "sealed"]);

/** Members that each execution or move counts anew. */
const NOT_COMPARED = new Set(["at", "ms", "startedAt", "execution_time_ms", "execution_time", "entries", "durationMs"]);

/** The marker of a value that is secret: which id it has depends on which of the blocks of a wave is first. */
const MARKER = /\*\*\* [0-9a-z]{20,}/g;

/** Data with bytes as a text that differs where they do: comparing millions of numbers one by one takes its time. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (name, part: unknown) => {
    if (part instanceof Uint8Array) return `${part.length} bytes: ${sumOf(part)}`;
    return NOT_COMPARED.has(name) ? undefined : part;
  });
  const markers = new Map<string, string>();
  const numbered = text.replaceAll(MARKER, (marker) => {
    if (!markers.has(marker)) markers.set(marker, `*** ${markers.size}`);
    return markers.get(marker)!;
  });
  return JSON.parse(numbered);
}

/** A base tells the state of many entries by their places, and so counts the moves among them. What it says is compared as answers, state and outputs. */
function withoutPlaces(entry: unknown): unknown {
  return (entry as { readonly type: string }).type === "base" ? { type: "base" } : entry;
}

/** All that a store says of its runs that have not left it, but for what depends on their moves. */
export async function accountOf(store: Store, executor: Executor, where: { readonly [name: string]: string }): Promise<unknown> {
  const heads = (await executor.runs.list({ limit: 500 })).items.filter(({ transferredTo }) => transferredTo === undefined);
  const ids = heads.map(({ id }) => id).toSorted();
  const found = (await executor.runs.list({ where, limit: 500 })).items.filter(({ transferredTo }) => transferredTo === undefined);
  const runs: { [id: string]: unknown } = {};
  for (const id of ids) {
    const run = await executor.open(id);
    const head = heads.find((one) => one.id === id)!;
    const files = [];
    for (const { name } of await run.files()) files.push(await run.readFile(name));
    const { pauses, outputs, status } = run.getSnapshot();
    const checkpoints = (await executor.checkpoints.list({ run: id, limit: 500 })).items;
    runs[id] = plain({
      head: Object.fromEntries(Object.entries(head).filter(([name]) => !OF_MOVES.has(name))),
      story: (await storyOf(store, id)).map(withoutPlaces),
      status,
      outputs,
      drafts: pauses.map((pause) => [pause.id, pause.draft]),
      answers: await run.answers(),
      state: await run.state(),
      files,
      checkpoints,
    });
  }
  return { found: found.map(({ id }) => id).toSorted(), runs };
}
