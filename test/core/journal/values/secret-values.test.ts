import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type RunEvent, type Serializer, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { isPacked, unpackText } from "../../../../src/core/journal/values/pack-text.ts";
import { CANARY, leaksIn } from "../../secrets/canary.ts";
import { bytesOf } from "./give-value.ts";

class Login {
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }
}

const login: Serializer = {
  name: "login",
  accepts: (value) => value instanceof Login,
  serialize: (value) => ({ token: (value as Login).token }),
  deserialize: (data) => new Login((data as Login).token),
};

const encoder = new TextEncoder();

/** Large bytes with the secret in their middle. */
function largeWith(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(1_200_000);
  bytes.set(encoder.encode(secret), 700_000);
  return bytes;
}

const leaks = defineBlock({
  type: "Leaks",
  execute: async ({ inputs }) => {
    const { TOKEN } = (inputs as { readonly env: { readonly TOKEN: string } }).env;
    const part = encoder.encode(`aaaa${TOKEN}bbbb`).subarray(4, 4 + encoder.encode(TOKEN).length);
    const long = Array.from({ length: 1_000 }, (_, i) => `${i} ${TOKEN}`);
    return success({
      large: largeWith(TOKEN),
      views: [new DataView(largeWith(TOKEN).buffer), part],
      [TOKEN]: new Map([[TOKEN, new Login(`Bearer ${TOKEN}`)]]),
      fn: { [TOKEN]: () => {} },
      long,
    });
  },
});

const FLOW = { name: "leaks", blocks: [{ id: "leak", type: "Leaks", inputs: { env: { TOKEN: "${secrets.TOKEN}" } } }] };

function textOf(content: string | Uint8Array): string {
  return typeof content === "string" ? content : new TextDecoder("latin1").decode(content);
}

/** As JSON, with bytes as text. */
function showAll(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Map) return [...member];
    return ArrayBuffer.isView(member) ? textOf(new Uint8Array(member.buffer as ArrayBuffer)) : member;
  });
}

test("a secret in large bytes, in objects of your own and in names of what was dropped reaches no store and no event", async () => {
  const inner = memoryStore();
  const written: string[] = [];
  const store: Store = {
    ...inner,
    async commit(commit) {
      for (const text of commit.entries) written.push(isPacked(text) ? await unpackText(text, fakeHost()) : text);
      written.push(JSON.stringify(commit.head), JSON.stringify(commit.checkpoints));
      await inner.commit(commit);
    },
    async putBlob(hash, content) {
      written.push(textOf(content));
      await inner.putBlob(hash, content);
    },
  };
  const events: RunEvent[] = [];
  const options = { store, serializers: [login], onUnserializable: "drop", secrets: () => CANARY } as const;
  const secretBlock = { ...leaks, secretInputs: ["env"] };
  const run = await createExecutor({ ...options, blocks: [secretBlock], onEvent: (event) => void events.push(event) }).start(FLOW);
  const result = await run.settled();
  expect(result.status).toBe("success");
  const utf8 = new TextDecoder("latin1").decode(encoder.encode(CANARY));
  for (const text of [...written, showAll(events)]) {
    expect(leaksIn(text)).toEqual([]);
    expect(text).not.toContain(utf8);
  }
  expect(events.filter(({ type }) => type === "dropped")).toHaveLength(1);

  const again = await createExecutor({ ...options, blocks: [secretBlock] }).open(run.id);
  const [step] = await again.steps();
  const kept = step!.outputs as unknown as { readonly large: Uint8Array; readonly [key: string]: unknown };
  expect(kept.large.length).toBe(1_200_000);
  const [map] = Object.values(kept).filter((value): value is Map<string, Login> => value instanceof Map);
  expect([...map!.values()][0]).toBeInstanceOf(Login);
  expect([...map!.values()][0]!.token).toBe("***");
});
