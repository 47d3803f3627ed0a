import {
  createExecutor,
  defineBlock,
  success,
  type Block,
  type CheckpointPolicy,
  type Executor,
  type FileValue,
  type Pause,
  type Run,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { encryptedStore, rotateKey } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, type FakeHost, faultyStore } from "wavepoint/testing";
import type { Chance } from "../support/seeded.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const INNER: Workflow = {
  name: "inner",
  inputs: { n: { type: "string" } },
  blocks: [ask("one"), ask("two", { dependsOn: ["one"] }), ask("side")],
  outputs: { o: "${inputs.n}:${blocks.one.input_value}${blocks.two.input_value}${blocks.side.input_value}" },
};

/** The workflow of all random runs, with a block that later definitions rename, and questions that only they have. */
function outer(told: string, more: readonly Block[] = []): Workflow {
  const call = { type: "ExecuteWorkflow" } as const;
  return {
    name: "outer",
    blocks: [
      ask("a"),
      { id: "papers", type: "Form", inputs: { prompt: "Papers?", fields: [{ name: "scan", type: "file" }, { name: "kind" }] as never } },
      ask("b", { dependsOn: ["a"] }),
      { id: told, type: "EchoBlock", dependsOn: ["b"], inputs: { message: "${blocks.a.input_value}-${blocks.b.input_value}" } },
      { id: "pay", type: "Pay", dependsOn: ["b"], effect: "once", inputs: { what: "${blocks.b.input_value}" } },
      { id: "each", ...call, dependsOn: [told], forEach: ["x", "y"], inputs: { workflow: "inner", inputs: { n: "${each.value}" } } },
      { id: "call", ...call, dependsOn: ["each"], inputs: { workflow: "inner", inputs: { n: "${blocks.b.input_value}" } } },
      ask("z", { dependsOn: ["call", "papers", "pay"] }),
      ...more,
    ],
    outputs: {
      told: `\${blocks.${told}.echoed}`,
      papers: "${blocks.papers.scan}",
      paid: "${blocks.pay.receipt}",
      each: "${blocks.each.results}",
      call: "${blocks.call.o}",
      z: "${blocks.z.input_value}",
      ...(more.length > 0 ? { late: "${blocks.late.input_value}" } : {}),
    },
  };
}

/** The definition that runs begin with, and the one to which they can move. */
const DEFINITIONS: readonly Workflow[] = [outer("told"), outer("said", [ask("late", { dependsOn: ["call"] })])];

const POLICIES: readonly CheckpointPolicy[] = [
  {},
  { retention: "latest" },
  { retention: "windowed", window: 1 },
  { retention: "windowed", window: 3, durability: "sync" },
  { retention: "latest", durability: "exit" },
];

/** One of the stores between which runs move. */
export interface Place {
  readonly policy: CheckpointPolicy;
  store(): Store;
  /** Changes the key where there is one; may die in the middle of it, and is then begun again. */
  rotate(): Promise<void>;
}

async function place(chance: Chance, inside: Store): Promise<Place> {
  const policy = { ...POLICIES[chance.between(0, POLICIES.length - 1)]!, autoCleanup: false };
  if (chance.between(0, 2) > 0) return { policy, store: () => inside, rotate: async () => {} };
  let key = 1;
  const secret = () => ({ key: new Uint8Array(32).fill(key) });
  let store = await encryptedStore(inside, secret());
  return {
    policy,
    store: () => store,
    async rotate() {
      const from = secret();
      key += 1;
      const dying = faultyStore(inside, failAt(chance.between(1, 12), { times: "forever" }));
      await rotateKey(dying, { from, to: secret() }).catch(() => {});
      await rotateKey(inside, { from, to: secret() });
      store = await encryptedStore(inside, secret());
    },
  };
}

/** The world of one random run. */
export interface World {
  readonly host: FakeHost;
  readonly places: readonly Place[];
  /** How often each step with an effect was executed. */
  readonly effects: ReadonlyMap<string, number>;
  executor(store: Store, definition: number, policy?: CheckpointPolicy): Executor;
}

/** A world with a place in each of these stores. Default: three in memory, where no time passes, so that the clock jumps from one sleep to the next. */
export async function makeWorld(chance: Chance, stores?: readonly Store[]): Promise<World> {
  const host = fakeHost({ autoAdvance: stores === undefined, seed: chance.between(1, 2 ** 30) });
  const places: Place[] = [];
  for (const store of stores ?? [memoryStore(), memoryStore(), memoryStore()]) places.push(await place(chance, store));
  const effects = new Map<string, number>();
  const pay = defineBlock({
    type: "Pay",
    execute({ inputs, idempotencyKey }) {
      effects.set(idempotencyKey, (effects.get(idempotencyKey) ?? 0) + 1);
      return success({ receipt: receiptFor((inputs as { readonly what: string }).what) });
    },
  });
  return {
    host,
    places,
    effects,
    executor: (store, definition, policy = {}) =>
      createExecutor({
        store,
        host,
        policy,
        blocks: [pay],
        workflows: [INNER, DEFINITIONS[definition]!],
        migrate: ({ to }) => ({ blocks: to.blocks.some(({ id }) => id === "said") ? { told: "said" } : { said: "told", late: null } }),
      }),
  };
}

const receiptFor = (what: string): string => `paid ${what}`;

/** The file that a short text names. */
function scan(text: string): FileValue {
  const bytes = new TextEncoder().encode(text.repeat(9));
  return { name: `${text}.txt`, type: "text/plain", size: bytes.length, bytes };
}

/** An answer that a question takes. */
export async function answerFor(run: Run, { type, schema }: Pick<Pause, "type" | "schema">, text: string): Promise<Value> {
  if (type === "Form") return { scan: scan(text), kind: text } as never;
  const outcomes = schema.properties?.["outcome"]?.oneOf?.map((choice) => choice.const);
  if (outcomes === undefined) return text;
  // What is done is done again with another input: the outputs are then those of a run that was answered so from the start.
  if (outcomes.includes("keep")) return { outcome: "again" };
  const { b } = (await run.state()).values;
  return { outcome: "done", outputs: { receipt: receiptFor(b!["input_value"] as string) } };
}

/** What a run gives, without what depends on the clock. */
export function comparable(outputs: unknown): string {
  const plain = (_: string, value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);
  return JSON.stringify(outputs, plain).replace(/"execution_time(?:_ms)?":[\d.]+/g, "");
}
