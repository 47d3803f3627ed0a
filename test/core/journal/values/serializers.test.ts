import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Executor, type RunEvent, type Serializer, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { bytesOf, giveValue, inShort, readValue } from "./give-value.ts";

class Money {
  readonly cents: bigint;
  readonly currency: string;

  constructor(cents: bigint, currency: string) {
    this.cents = cents;
    this.currency = currency;
  }
}

/** Holds its neighbours, and they hold it. */
class Person {
  readonly name: string;
  readonly friends: Person[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get [Symbol.toStringTag](): string {
    return "Person";
  }
}

class Basket {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

const money: Serializer = {
  name: "money",
  accepts: (value) => value instanceof Money,
  serialize: (value) => [(value as Money).cents, (value as Money).currency],
  deserialize: (data) => new Money(...(data as [bigint, string])),
};

const basket: Serializer = {
  name: "basket",
  accepts: (value) => value instanceof Basket,
  serialize: (value) => ({ items: (value as Basket).items }),
  deserialize: (data) => new Basket((data as { readonly items: readonly unknown[] }).items),
};

const pair: Serializer = {
  name: "pair",
  accepts: (value) => value instanceof Person,
  serialize: (value) => [(value as Person).name, ...(value as Person).friends.map(({ name }) => name)],
  deserialize(data) {
    const [first, second] = (data as string[]).map((name) => new Person(name)) as [Person, Person];
    first.friends.push(second);
    second.friends.push(first);
    return first;
  },
};

const serializers = [money, basket, pair];

async function thrown(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "nothing",
    (error: unknown) => error,
  );
}

describe("objects of your own", () => {
  test.each<readonly [what: string, value: unknown]>([
    ["alone", new Money(5n, "EUR")],
    ["anywhere in data", { a: [new Map([["k", new Money(1n, "CHF")]])], b: new Set([new Money(2n, "CHF")]) }],
    ["as keys", new Map([[new Money(1n, "CHF"), 1]])],
    ["in one another", new Basket([new Money(1n, "EUR"), new Basket([new Date(3)]), undefined])],
    ["the same one in two places", [1, 2].map(() => new Money(7n, "EUR"))],
  ])("%s", async (_what, value) => {
    const given = await giveValue(value, { serializers });
    expect(given.seen).toStrictEqual(value);
    expect(await readValue(given, { serializers })).toStrictEqual(value);
  });

  test("may hold circles once they are made", async () => {
    const ada = new Person("Ada");
    ada.friends.push(new Person("Grace"));
    const given = await giveValue([ada], { serializers });
    for (const [read] of [given.seen, await readValue(given, { serializers })] as [Person][]) {
      expect(read).toBeInstanceOf(Person);
      expect(read.friends[0]!.friends[0]).toBe(read);
    }
  });

  test("may hold large bytes", async () => {
    const value = new Basket([bytesOf(1_048_576), bytesOf(1_048_576)]);
    const given = await giveValue(value, { serializers });
    expect((await given.store.head(given.id))!.blobs).toHaveLength(1);
    const read = (await readValue(given, { serializers })) as Basket;
    expect(read).toBeInstanceOf(Basket);
    expect(inShort(read.items)).toEqual(inShort(value.items));
  });

  test("are made anew for the blocks of the first process too", async () => {
    const value = new Money(1n, "EUR");
    expect((await giveValue(value, { serializers })).seen).not.toBe(value);
  });

  test("of two serializers that take one the first has it", async () => {
    const other: Serializer = { ...money, name: "other", deserialize: () => "other" };
    expect((await giveValue(new Money(1n, "EUR"), { serializers: [other, money] })).seen).toBe("other");
  });

  test("may be answers, metadata, inputs and what is carried over", async () => {
    const store = memoryStore();
    const seen: unknown[] = [];
    const asks = defineBlock({
      type: "Asks",
      async execute({ inputs, iteration, carried, nextIteration }) {
        seen.push(inputs, carried);
        if (iteration === 1) return nextIteration(new Money(1n, "A"));
        return pause({ prompt: "?", schema: {}, metadata: { price: new Money(2n, "B") } });
      },
      async resume({ response, pause: { metadata } }) {
        seen.push(response, metadata);
        return success({ response, metadata });
      },
    });
    const flow = {
      name: "asks",
      inputs: { order: { type: "object" as const, required: true } },
      blocks: [{ id: "ask", type: "Asks", inputs: { order: "${inputs.order}" } }],
    };
    const open = (): Executor => createExecutor({ store, blocks: [asks], serializers });
    const order = { total: new Money(9n, "I") };
    const run = await open().start(flow, { order: order as never });
    await run.settled();
    const again = await open().open(run.id);
    const { id } = again.getSnapshot().pauses[0]!;
    expect(await again.answer(id, new Money(3n, "C") as never)).toMatchObject({ status: "success" });
    expect(seen).toStrictEqual([{ order }, undefined, { order }, new Money(1n, "A"), new Money(3n, "C"), { price: new Money(2n, "B") }]);
    const last = await open().open(run.id);
    expect((await last.steps()).at(-1)!.outputs).toStrictEqual({ response: new Money(3n, "C"), metadata: { price: new Money(2n, "B") } });
    expect(await last.answer(id, new Money(3n, "C") as never)).toMatchObject({ status: "success" });
    expect(await last.answer(id, new Money(4n, "C") as never)).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED" } });
  });
});

describe("a serializer", () => {
  test("that is not there when a run is read is named, and the run is left as it is", async () => {
    const given = await giveValue({ price: new Money(1n, "EUR") }, { serializers });
    const before = await given.store.read(given.id);
    const error = await thrown(createExecutor({ store: given.store, serializers: [basket] }).open(given.id));
    expect(error).toMatchObject({ code: "SERIALIZER_MISSING", details: { serializer: "money" } });
    expect(await given.store.read(given.id)).toEqual(before);
    expect(await readValue(given, { serializers })).toStrictEqual({ price: new Money(1n, "EUR") });
  });

  test.each<readonly [what: string, serializer: Serializer]>([
    ["throws", { ...money, serialize: () => JSON.parse("{") }],
    ["gives what cannot be stored", { ...money, serialize: () => ({ fn: () => {} }) }],
    ["gives the object itself", { ...money, serialize: (value) => value }],
    [
      "gives the object inside another",
      { ...basket, accepts: (value) => value instanceof Money || value instanceof Basket, serialize: (value) => new Basket([value]) },
    ],
  ])("that %s fails the block, with the path", async (_what, serializer) => {
    const { result } = await giveValue({ price: new Money(1n, "EUR") }, { serializers: [serializer] });
    const { error } = result as { readonly error: { readonly code: string; readonly path?: string } };
    expect(["VALUE_UNSERIALIZABLE", "LIMIT_EXCEEDED"]).toContain(error.code);
  });

  test("that cannot make an object again makes the run unreadable, not wrong", async () => {
    const given = await giveValue({ price: new Money(1n, "EUR") }, { serializers });
    const failing: Serializer = { ...money, deserialize: () => JSON.parse("{") };
    expect(await thrown(readValue(given, { serializers: [failing] }))).toMatchObject({ code: "RUN_CORRUPT", details: { entry: 1 } });
  });

  test("is asked about objects only that nothing else can store", async () => {
    const asked: object[] = [];
    const nosy: Serializer = { ...money, accepts: (value) => asked.push(value) < 0 };
    await giveValue([{}, [], new Date(), new Map(), new Set(), new Uint8Array(), "text", 1n, () => {}], { serializers: [nosy] });
    expect(asked).toEqual([]);
    await giveValue([new Money(1n, "EUR")], { serializers: [nosy] });
    expect(asked).toEqual([new Money(1n, "EUR")]);
  });

  test("shares its name with no other", () => {
    const make = (): Executor => createExecutor({ store: memoryStore(), serializers: [money, { ...basket, name: "money" }] });
    expect(make).toThrow(expect.objectContaining({ code: "ID_DUPLICATE" }));
  });

  test("is never found by data alone: names of members of objects are names of no serializer", async () => {
    const { store, id } = await giveValue("x", { serializers });
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      const text = JSON.stringify([["SerializedObject", 1], [2, 3], name, "x"]);
      const entry = (given: string): string => JSON.stringify({ ...(JSON.parse(given) as object), outputs: { "~": text } });
      const read: Store["read"] = async (run, range) => (await store.read(run, range)).map((given, i) => (i === 1 ? entry(given) : given));
      const error = await thrown(createExecutor({ store: { ...store, read }, serializers }).open(id));
      expect(error).toMatchObject({ code: "SERIALIZER_MISSING", details: { serializer: name } });
    }
  });
});

describe('onUnserializable: "drop"', () => {
  async function dropFrom(value: unknown): Promise<{ readonly seen: unknown; readonly events: readonly RunEvent[] }> {
    const events: RunEvent[] = [];
    const given = await giveValue(value, {
      serializers,
      onUnserializable: "drop",
      onEvent: (event) => void (event.type === "dropped" && events.push(event)),
    });
    if (given.result.status !== "success") return { seen: given.result.error, events };
    expect(await readValue(given, { serializers })).toStrictEqual(given.seen);
    return { seen: given.seen, events };
  }

  test("leaves out what cannot be stored, keeps all else, and says where it was", async () => {
    const circle: { name: string; self?: unknown } = { name: "c" };
    circle.self = circle;
    const value = {
      fn: () => {},
      list: [1, Symbol("s"), 3],
      map: new Map<unknown, unknown>([
        ["a", new URL("https://example.com")],
        ["b", 2],
      ]),
      set: new Set([1, () => {}]),
      circle,
      price: new Money(1n, "EUR"),
    };
    const { seen, events } = await dropFrom(value);
    expect(seen).toStrictEqual({
      list: [1, null, 3],
      map: new Map([["b", 2]]),
      set: new Set([1]),
      circle: { name: "c" },
      price: new Money(1n, "EUR"),
    });
    const paths = ["value.fn", "value.list[1]", "value.map[0]", "value.set[1]", "value.circle.self"];
    expect(events).toMatchObject([{ type: "dropped", what: 'The output of block "give"', paths }]);
  });

  test("leaves out a member that is nothing else, and names no more than twenty places", async () => {
    expect(await dropFrom(Array.from({ length: 50 }, () => () => {}))).toMatchObject({
      seen: Array.from({ length: 50 }, () => null),
      events: [{ paths: Array.from({ length: 20 }, (_, i) => `value[${i}]`) }],
    });
  });

  test("says nothing where nothing was dropped", async () => {
    expect(await dropFrom({ when: new Date(0) })).toStrictEqual({ seen: { when: new Date(0) }, events: [] });
  });

  test("still refuses what is too large or too deep", async () => {
    const { seen } = await dropFrom([() => {}, Array.from({ length: 5_000 }).reduce((value) => [value], 1 as unknown)]);
    expect(seen).toMatchObject({ code: "LIMIT_EXCEEDED" });
  });
});
