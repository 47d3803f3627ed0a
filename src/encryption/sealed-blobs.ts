import { assertStoreKey } from "../core/model/ids.ts";
import type { Store } from "../core/ports/store.ts";
import type { Keyring } from "./keyring.ts";
import { decodePlain, encodePlain } from "./plain-bytes.ts";
import { NONCE_BYTES, openBytes, sealBytes, webCrypto } from "./seal.ts";
import { tampered } from "./tampering.ts";

/** The blobs of a store, sealed as bytes and bound to their hashes. */
export function sealedBlobs(store: Store, keyring: Keyring): Pick<Store, "putBlob" | "getBlob"> {
  return {
    async putBlob(hash, content) {
      assertStoreKey(hash, "The hash");
      const plain = encodePlain(content);
      await store.putBlob(hash, await sealBytes(keyring.blobs, plain, ["blob", hash], await nonceOf(keyring, hash, plain)));
    },
    async getBlob(hash) {
      const sealed = await store.getBlob(hash);
      if (sealed === undefined) return undefined;
      const plain = typeof sealed === "string" ? undefined : await openBytes(keyring.blobs, sealed, ["blob", hash]);
      if (!plain) throw tampered(`The blob ${hash}`, { hash });
      return decodePlain(plain);
    },
  };
}

/** The nonce of a blob follows from all that is in it: a store that has it already sees the same bytes, and no nonce ever serves two contents. */
async function nonceOf({ blobNonces }: Keyring, hash: string, plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const name = new TextEncoder().encode(`${hash} `);
  const whole = new Uint8Array(name.length + plain.length);
  whole.set(name);
  whole.set(plain, name.length);
  return new Uint8Array(await webCrypto().subtle.sign("HMAC", blobNonces, whole), 0, NONCE_BYTES);
}
