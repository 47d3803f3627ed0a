import { assertOptions } from "../core/model/assert-options.ts";
import { webCrypto } from "./seal.ts";
import { keyWrong } from "./tampering.ts";

/** `CryptoKey` by a way that the types of Node know too, where no types of a page are loaded. */
export type StoreKey = Parameters<typeof crypto.subtle.encrypt>[1];

/** What opens an encrypted store. */
export type StoreSecret =
  | {
      /** An AES-GCM key of 256 bits that may encrypt and decrypt, or the 32 bytes of one; they are copied. */
      readonly key: StoreKey | Uint8Array;
      readonly passphrase?: never;
    }
  | {
      /** A text that people know; any but the empty one. Different ways to write the same letters are the same (Unicode NFC). */
      readonly passphrase: string;
      readonly key?: never;
    };

/** Throws `KEY_UNKNOWN` for a secret with a key that it does not have. */
export function assertSecret(of: string, secret: StoreSecret): void {
  assertOptions(of, secret, { key: true, passphrase: true });
}

/** How a passphrase becomes a key, kept in the clear. */
export interface Derivation {
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly iterations: number;
}

/** Rounds of PBKDF2 with SHA-256: what OWASP asks for, "Password Storage Cheat Sheet". */
const ITERATIONS = 600_000;
/** A stored number may not hang the process. */
const MAX_ITERATIONS = 10_000_000;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const AES = { name: "AES-GCM", length: 256 } as const;

/** How a passphrase becomes a key in a new store; nothing for a key that is given. */
export function newDerivation(secret: StoreSecret): Derivation | undefined {
  if (secret.passphrase === undefined) return undefined;
  return { salt: webCrypto().getRandomValues(new Uint8Array(SALT_BYTES)), iterations: ITERATIONS };
}

/** Whether stored numbers are ones that this or a later version may have written. */
export function isDerivation({ salt, iterations }: Derivation): boolean {
  return salt.length >= SALT_BYTES && Number.isInteger(iterations) && iterations >= ITERATIONS && iterations <= MAX_ITERATIONS;
}

/** The key that a secret stands for, never extractable unless it was given so. Throws `STORE_KEY_WRONG` for what can be none. */
export async function keyOf(secret: StoreSecret, derivation: Derivation | undefined): Promise<StoreKey> {
  const { subtle } = webCrypto();
  const { key, passphrase } = secret;
  if (typeof passphrase === "string") {
    if (passphrase === "") throw keyWrong("The passphrase is empty.");
    if (derivation === undefined) throw keyWrong("This store is opened by a key, not by a passphrase.");
    const text = new TextEncoder().encode(passphrase.normalize("NFC"));
    const base = await subtle.importKey("raw", text, "PBKDF2", false, ["deriveKey"]);
    return subtle.deriveKey({ name: "PBKDF2", hash: "SHA-256", ...derivation }, base, AES, false, ["encrypt", "decrypt"]);
  }
  if (derivation !== undefined) throw keyWrong("This store is opened by a passphrase, not by a key.");
  if (key instanceof Uint8Array) {
    if (key.length !== KEY_BYTES) throw keyWrong(`A key has ${KEY_BYTES} bytes, not ${key.length}.`);
    return subtle.importKey("raw", new Uint8Array(key), AES, false, ["encrypt", "decrypt"]);
  }
  if (isFit(key)) return key;
  throw keyWrong("The key is no AES-GCM key of 256 bits that may encrypt and decrypt, nor the 32 bytes of one.");
}

function isFit(key: CryptoKey | undefined): key is CryptoKey {
  const { name, length } = (key?.algorithm ?? {}) as Partial<AesKeyAlgorithm>;
  return name === AES.name && length === AES.length && ["encrypt", "decrypt"].every((usage) => key!.usages.includes(usage as KeyUsage));
}
