import { decodeBase64, encodeBase64 } from "../core/model/base64.ts";
import { WorkflowError } from "../core/model/errors.ts";

/** Bytes of a nonce: what AES-GCM takes best, and sixteen characters of base64. */
export const NONCE_BYTES = 12;
/** Characters that tell a sealed text from every other: its nonce. */
export const MARK_LENGTH = 16;
/** Bits of a tag: all that AES-GCM has. */
const TAG_BITS = 128;

/** Where a record stands: its kind first, then what names it. It opens nowhere else. */
export type Place = readonly [kind: string, ...names: readonly unknown[]];

/** A nonce drawn anew. Drawn ones do not meet before 2^32 records with one key. */
export function drawNonce(): Uint8Array<ArrayBuffer> {
  return webCrypto().getRandomValues(new Uint8Array(NONCE_BYTES));
}

/** Seals bytes for a place: the nonce, then what AES-256-GCM gives. */
export async function sealBytes(
  key: CryptoKey,
  plain: Uint8Array<ArrayBuffer>,
  place: Place,
  nonce: Uint8Array<ArrayBuffer> = drawNonce(),
): Promise<Uint8Array<ArrayBuffer>> {
  return withNonce(nonce, await webCrypto().subtle.encrypt(parameters(nonce, place), key, plain));
}

/** The bytes that were sealed for this place; nothing where these are others. */
export async function openBytes(
  key: CryptoKey,
  sealed: Uint8Array<ArrayBuffer>,
  place: Place,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { subtle } = webCrypto();
  const [nonce, rest] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES)];
  try {
    return new Uint8Array(await subtle.decrypt(parameters(nonce, place), key, rest));
  } catch {
    return undefined;
  }
}

/** Seals bytes as a text. */
export async function sealText(
  key: CryptoKey,
  plain: Uint8Array<ArrayBuffer>,
  place: Place,
  nonce?: Uint8Array<ArrayBuffer>,
): Promise<string> {
  return encodeBase64(await sealBytes(key, plain, place, nonce));
}

/** The bytes in a sealed text; nothing where it is none, or another one. */
export async function openText(key: CryptoKey, sealed: unknown, place: Place): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = bytesOfText(sealed);
  return bytes && openBytes(key, bytes, place);
}

/** The bytes of a base64 text as this package writes it; nothing for any other, were it one of the same bytes. */
export function bytesOfText(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  const bytes = typeof text === "string" ? decodeBase64(text) : undefined;
  if (bytes === undefined) return undefined;
  const whole = bytes.length - (bytes.length % 3);
  return text === `${(text as string).slice(0, (whole / 3) * 4)}${encodeBase64(bytes.subarray(whole))}` ? bytes : undefined;
}

/** The mark of a sealed text. */
export function markOf(sealed: string): string {
  return sealed.slice(0, MARK_LENGTH);
}

/** The mark that a text sealed with this nonce will have. */
export function markOfNonce(nonce: Uint8Array): string {
  return encodeBase64(nonce);
}

/** Bytes behind their nonce. */
export function withNonce(nonce: Uint8Array, rest: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(NONCE_BYTES + rest.byteLength);
  bytes.set(nonce);
  bytes.set(new Uint8Array(rest), NONCE_BYTES);
  return bytes;
}

/** The parameters of AES-GCM beside the key. */
export function parameters(nonce: Uint8Array<ArrayBuffer>, place: Place): AesGcmParams {
  return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(JSON.stringify(place)), tagLength: TAG_BITS };
}

/** The platform's cryptography. Throws `STORE_UNAVAILABLE` where it is missing. */
export function webCrypto(): Crypto {
  const crypto = globalThis.crypto as Crypto | undefined;
  // Pages that are not secure have `crypto` without `subtle`.
  if (crypto?.subtle as SubtleCrypto | undefined) return crypto!;
  throw new WorkflowError(
    "STORE_UNAVAILABLE",
    "There is no WebCrypto here, so nothing can be sealed or read: serve the page over https or from localhost.",
  );
}
