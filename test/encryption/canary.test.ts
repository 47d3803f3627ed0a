import { expect, test } from "vitest";
import type { Store } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { CANARIES, formsOf, playCanaries } from "./canary.ts";
import { keyBytes } from "./keys.ts";

/** A store that keeps, beside its data, every text and byte it was ever given. */
function recording(store: Store): { readonly store: Store; passed(): string } {
  const passed: string[] = [];
  const proxy = new Proxy(store, {
    get(target, name: keyof Store) {
      const member = target[name];
      if (typeof member !== "function") return member;
      return (...parts: never[]) => {
        passed.push(JSON.stringify(parts));
        for (const part of parts as unknown[]) if (part instanceof Uint8Array) passed.push(String.fromCharCode(...part));
        return (member as (...given: never[]) => unknown)(...parts);
      };
    },
  });
  return { store: proxy, passed: () => passed.join("\n") };
}

test("what people say stands in the clear in a store without a key", async () => {
  const { store, passed } = recording(memoryStore());
  await playCanaries(store);
  for (const canary of Object.values(CANARIES)) expect(passed()).toContain(canary);
});

test("S9: the store inside sees nothing of what people say, in no form, and who has the key reads all of it", async () => {
  const { store, passed } = recording(memoryStore());
  const seen = await playCanaries(await encryptedStore(store, { key: keyBytes(1) }));
  for (const canary of Object.values(CANARIES)) {
    expect(seen).toContain(canary);
    for (const form of formsOf(canary)) expect(passed()).not.toContain(form);
  }
  expect(passed().length).toBeGreaterThan(5_000);
});

test("a text is found in the forms that are looked for", () => {
  const canary = CANARIES.answer;
  const written = [btoa(`{"a":"${canary}"}`), btoa(`{"ab":"${canary}"}`), btoa(`{"abc":"${canary}"}`), `x${canary}y`];
  for (const text of written) expect(formsOf(canary).some((form) => text.includes(form))).toBe(true);
});
