import { describe, expect, test } from "vitest";
import { createExecutor, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost, type FakeHost } from "wavepoint/testing";
import { packText, unpackText } from "../../../../src/core/journal/values/pack-text.ts";
import { bytesOf, giveValue, readValue } from "./give-value.ts";

const host = fakeHost();
const TEXT = JSON.stringify({ list: Array.from({ length: 3_000 }, (_, i) => `entry ${i} ä€🌊\u0000`) });

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `{"packed":"${btoa(binary)}"}`;
}

/** A copy of the store in which the second entry of a run is another text. */
function withEntry(store: Store, text: string): Store {
  return { ...store, read: async (run, range) => (await store.read(run, range)).map((entry, i) => (i === 1 ? text : entry)) };
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "nothing",
    (error: { readonly code?: unknown }) => error.code ?? error,
  );
}

describe("long entries", () => {
  test("are stored packed, and read as they were", async () => {
    const value = { list: Array.from({ length: 2_000 }, (_, i) => `line ${i} ä€🌊`) };
    const given = await giveValue(value);
    const texts = await given.store.read(given.id);
    expect(texts.map((text) => text.startsWith('{"packed":"'))).toEqual([false, true, true]);
    expect(texts[1]!.length * 3).toBeLessThan(JSON.stringify(value).length);
    expect(given.seen).toStrictEqual(value);
    expect(await readValue(given)).toStrictEqual(value);
  });

  test("stay as they are where they are short, or would not become much shorter", async () => {
    const short = await giveValue("x".repeat(10_000));
    const dense = await giveValue(bytesOf(50_000));
    for (const { store, id } of [short, dense]) expect((await store.read(id))[1]).toMatch(/^\{"type":"completed"/);
  });

  test("stay as they are on a platform that cannot pack", async () => {
    const { newDeflate: _none, ...poor } = fakeHost();
    const value = "y".repeat(50_000);
    const given = await giveValue(value, { host: poor as FakeHost });
    expect((await given.store.read(given.id))[1]).toMatch(/^\{"type":"completed"/);
    const refusing: FakeHost = {
      ...fakeHost(),
      newDeflate: () => {
        throw new TypeError("Unsupported format");
      },
    };
    const other = await giveValue(value, { host: refusing });
    expect((await other.store.read(other.id))[1]).toMatch(/^\{"type":"completed"/);
    expect(await readValue(other)).toBe(value);
  });

  test("say so on a platform that cannot unpack them", async () => {
    const given = await giveValue("y".repeat(50_000));
    const { newDeflate: _none, ...poor } = fakeHost({ seed: 2 });
    expect(await codeOf(readValue(given, { host: poor as FakeHost }))).toBe("STORE_UNAVAILABLE");
    expect(await readValue(given)).toBe("y".repeat(50_000));
  });

  test("count in full towards what a run may take", async () => {
    const { result } = await giveValue("z".repeat(50_000), { policy: { maxCheckpointBytes: 40_000 } });
    expect(result).toMatchObject({ error: { code: "CHECKPOINT_TOO_LARGE" } });
  });
});

describe("a text", () => {
  test("that was packed is the same again", async () => {
    const packed = await packText(TEXT, host);
    expect(packed.length).toBeLessThan(TEXT.length / 2);
    expect(await unpackText(packed, host)).toBe(TEXT);
  });

  test("that no UTF-8 can hold, or that is longer than what is unpacked, stays as it is", async () => {
    const lone = `\ud800${"a".repeat(20_000)}`;
    expect(await packText(lone, host)).toBe(lone);
    const long = "a".repeat(10_485_761);
    expect(await packText(long, host)).toBe(long);
  });
});

describe("a forged packed entry is a damaged entry", () => {
  const zeros = (length: number): Promise<string> => deflated(new Uint8Array(length));
  test.each<readonly [what: string, make: () => Promise<string>]>([
    ["one that would be 50 MB", () => zeros(50_000_000)],
    ["one that would be 1 GB, by packing what was packed", async () => deflated(new TextEncoder().encode(await zeros(50_000_000)))],
    ["one that is packed twice", async () => deflated(new TextEncoder().encode(await packText(TEXT, host)))],
    ["one cut in the middle", async () => `${(await packText(TEXT, host)).slice(0, 2_002)}"}`],
    ["one with something behind it", async () => (await packText(TEXT, host)).replace(/=*"\}$/, 'AAAA"}')],
    ["one that is not packed", async () => '{"packed":"AAAA"}'],
    ["one that is no base64", async () => '{"packed":"?"}'],
    ["one without an end", async () => '{"packed":"'],
    ["one of no bytes", async () => '{"packed":""}'],
    ["one that is no UTF-8", () => deflated(Uint8Array.of(0x7b, 0xff, 0x7d))],
    ["one that is no entry", async () => packText(TEXT, host)],
  ])("%s", async (_what, make) => {
    const { store, id } = await giveValue("x");
    const damaged = withEntry(store, await make());
    expect(await codeOf(createExecutor({ store: damaged }).open(id))).toBe("RUN_CORRUPT");
  });

  test("and no more of it is unpacked than an entry may be", async () => {
    let out = 0;
    const counting: FakeHost = {
      ...host,
      newDeflate(way) {
        const { readable, writable } = host.newDeflate!(way);
        const reader = readable.getReader();
        const read: typeof reader.read = async () => {
          const next = await reader.read();
          out += next.value?.length ?? 0;
          return next;
        };
        return { writable, readable: { getReader: () => ({ read, cancel: (reason) => reader.cancel(reason) }) } };
      },
    };
    await expect(unpackText(await zeros(100_000_000), counting)).rejects.toThrow("10485760");
    expect(out).toBeLessThan(16_000_000);
  });

  test("and other runs are not touched", async () => {
    const store = memoryStore();
    const { id } = await giveValue("x", { store });
    const other = await giveValue("y", { store });
    const damaged = withEntry(store, await zeros(50_000_000));
    const honest = { ...damaged, read: (run, range) => (run === id ? damaged : store).read(run, range) } satisfies Store;
    const executor = createExecutor({ store: honest });
    expect(await codeOf(executor.open(id))).toBe("RUN_CORRUPT");
    expect((await (await executor.open(other.id)).settled()).outputs).toEqual({ kept: "y" });
  });
});
