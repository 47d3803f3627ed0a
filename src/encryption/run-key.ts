import { encodeBase64 } from "../core/model/base64.ts";
import type { Keyring } from "./keyring.ts";
import { bytesOfText, drawNonce, NONCE_BYTES, parameters, withNonce, type Place, webCrypto } from "./seal.ts";

/** The key of one run, wrapped with one of the store's. */
export interface WrappedKey {
  readonly generation: number;
  readonly text: string;
}

const AES = { name: "AES-GCM", length: 256 } as const;
const USAGES = ["encrypt", "decrypt"] as const;

/** Draws a key for a run. */
export async function drawRunKey(keyring: Keyring, run: string): Promise<{ readonly wrapped: WrappedKey; readonly key: CryptoKey }> {
  const drawn = await webCrypto().subtle.generateKey(AES, true, USAGES);
  const wrapped = await wrapRunKey(keyring, run, drawn);
  // Only a key that may be read can be wrapped; the one that is kept may not.
  return { wrapped, key: (await unwrapRunKey(keyring, run, wrapped))! };
}

/** The key of a run; nothing where it is not the one that was wrapped for it. */
export async function unwrapRunKey(
  keyring: Keyring,
  run: string,
  { generation, text }: WrappedKey,
  { extractable = false }: { readonly extractable?: boolean } = {},
): Promise<CryptoKey | undefined> {
  const bytes = bytesOfText(text);
  const wrapping = keyring.wrapping(generation);
  if (!bytes || !wrapping) return undefined;
  const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
  const how = parameters(nonce, placeOf(run, generation));
  try {
    return await webCrypto().subtle.unwrapKey("raw", rest, wrapping, how, AES, extractable, USAGES);
  } catch {
    return undefined;
  }
}

/** Wraps the key of a run with the newest key of the store. */
export async function wrapRunKey(keyring: Keyring, run: string, key: CryptoKey): Promise<WrappedKey> {
  const { generation } = keyring;
  const nonce = drawNonce();
  const how = parameters(nonce, placeOf(run, generation));
  const wrapped = await webCrypto().subtle.wrapKey("raw", key, keyring.wrapping(generation)!, how);
  return { generation, text: encodeBase64(withNonce(nonce, wrapped)) };
}

function placeOf(run: string, generation: number): Place {
  return ["run key", run, generation];
}
