import { webCrypto } from "./seal.ts";

/** Bytes of each secret. */
const SECRET_BYTES = 32;
const AES = { name: "AES-GCM", length: 256 } as const;

/**
 * The secrets of a store, drawn when it was made and sealed with its key: one for what belongs to no run, and one for each key the store
 * has had, with which the keys of runs are wrapped. Those of earlier keys stay: a tab that does not know the new one yet may still write.
 */
export interface Keyring {
  /** Counts the keys the store has had, from 1. Runs are wrapped for the newest. */
  readonly generation: number;
  /** Wraps the keys of runs, by generation. */
  wrapping(generation: number): CryptoKey | undefined;
  readonly blobs: CryptoKey;
  /** Gives each blob its nonce, so that the same content is the same bytes. */
  readonly blobNonces: CryptoKey;
  readonly rows: CryptoKey;
  readonly cache: CryptoKey;
  /** Gives each key of the cache a name that tells nothing of it. */
  readonly cacheKeys: CryptoKey;
}

/** The secrets of a new store. */
export function drawSecrets(): Uint8Array<ArrayBuffer> {
  return webCrypto().getRandomValues(new Uint8Array(2 * SECRET_BYTES));
}

/** The secrets with one more for the next key. */
export function withNextSecret(secrets: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(secrets.length + SECRET_BYTES);
  webCrypto().getRandomValues(next.subarray(secrets.length));
  next.set(secrets);
  return next;
}

/** How many keys the store has had. */
export function generationOf(secrets: Uint8Array): number {
  return secrets.length / SECRET_BYTES - 1;
}

/** The keys that secrets stand for; the secrets themselves are wiped. */
export async function makeKeyring(secrets: Uint8Array<ArrayBuffer>): Promise<Keyring> {
  const { subtle } = webCrypto();
  const common = await subtle.importKey("raw", secrets.subarray(0, SECRET_BYTES), "HKDF", false, ["deriveKey"]);
  const derive = (purpose: string, form: AesKeyGenParams | HmacImportParams, usages: KeyUsage[]): Promise<CryptoKey> =>
    subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(`wavepoint ${purpose}`) },
      common,
      form,
      false,
      usages,
    );
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 } as const;
  const wrapping: CryptoKey[] = [];
  for (let at = SECRET_BYTES; at < secrets.length; at += SECRET_BYTES) {
    const secret = secrets.subarray(at, at + SECRET_BYTES);
    wrapping.push(await subtle.importKey("raw", secret, AES, false, ["wrapKey", "unwrapKey"]));
  }
  const keyring = {
    generation: wrapping.length,
    wrapping: (generation: number) => wrapping[generation - 1],
    blobs: await derive("blobs", AES, ["encrypt", "decrypt"]),
    blobNonces: await derive("nonces of blobs", hmac, ["sign"]),
    rows: await derive("rows", hmac, ["sign"]),
    cache: await derive("cache", AES, ["encrypt", "decrypt"]),
    cacheKeys: await derive("keys of the cache", hmac, ["sign"]),
  };
  secrets.fill(0);
  return keyring;
}
