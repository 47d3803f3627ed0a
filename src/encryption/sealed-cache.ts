import { assertStoreKey } from "../core/model/ids.ts";
import type { ResultCache } from "../core/ports/store.ts";
import type { Keyring } from "./keyring.ts";
import { decodePlain, encodePlain } from "./plain-bytes.ts";
import { openText, sealText, webCrypto } from "./seal.ts";

/** The cache of a store, sealed, and bound to keys that tell nothing of what blocks were given. What was changed is not there. */
export function sealedCache(cache: ResultCache, { cache: sealing, cacheKeys }: Keyring): ResultCache {
  async function nameOf(key: string): Promise<string> {
    assertStoreKey(key, "The key of the cache");
    const name = new Uint8Array(await webCrypto().subtle.sign("HMAC", cacheKeys, new TextEncoder().encode(key)));
    return [...name].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return {
    async get(key) {
      const name = await nameOf(key);
      const plain = await openText(sealing, await cache.get(name), ["cache", name]);
      return plain && (decodePlain(plain) as string);
    },
    async put(key, text, until) {
      const name = await nameOf(key);
      await cache.put(name, await sealText(sealing, encodePlain(text), ["cache", name]), until);
    },
    sweep: (before, most) => cache.sweep(before, most),
  };
}
