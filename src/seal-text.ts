import { decodeBase64, encodeBase64 } from "./core/model/base64.ts";
import { WorkflowError } from "./core/model/errors.ts";
import { RUN_FILE_FORMAT, RUN_FILE_VERSION } from "./core/model/journal.ts";
import type { Sealer } from "./core/ports/host.ts";

/** Rounds of PBKDF2 with SHA-256. Source: OWASP Password Storage Cheat Sheet, 2023. */
const ITERATIONS = 600_000;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const CIPHER = "PBKDF2-SHA-256 + AES-256-GCM";
/** The first line of a sealed file. It says nothing that reading takes for granted: the version stands for the algorithms and their numbers. */
const FIRST_LINE = /^\{"format":"[a-z-]+","version":\d+,"sealed":"[^"\\]+","salt":"([A-Za-z0-9+/=]+)","iv":"([A-Za-z0-9+/=]+)"\}\n/;

/** Seals with the platform's cryptography: a key from the passphrase, and the first line bound to the rest. */
export const textSealer: Sealer = {
  async seal(text, passphrase) {
    const salt = cryptography().getRandomValues(new Uint8Array(SALT_BYTES));
    const iv = cryptography().getRandomValues(new Uint8Array(IV_BYTES));
    const first = `${JSON.stringify({
      format: RUN_FILE_FORMAT,
      version: RUN_FILE_VERSION,
      sealed: CIPHER,
      salt: encodeBase64(salt),
      iv: encodeBase64(iv),
    })}\n`;
    const key = await deriveKey(passphrase, salt);
    const sealed = await cryptography().subtle.encrypt(bindTo(first, iv), key, utf8(text));
    return `${first}${encodeBase64(new Uint8Array(sealed))}\n`;
  },
  async open(file, passphrase) {
    const [first = "", saltText = "", ivText = ""] = FIRST_LINE.exec(file.slice(0, 1_024)) ?? [];
    const salt = bytesOf(saltText);
    const iv = bytesOf(ivText);
    const sealed = bytesOf(file.slice(first.length));
    if (salt?.length !== SALT_BYTES || iv?.length !== IV_BYTES || !sealed) return undefined;
    // Base64 has several texts for the same bytes; a file has one.
    if (file.slice(first.length) !== `${encodeBase64(sealed)}\n`) return undefined;
    const key = await deriveKey(passphrase, salt);
    try {
      const text = await cryptography().subtle.decrypt(bindTo(first, iv), key, sealed);
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
    } catch {
      return undefined;
    }
  },
};

function cryptography(): Crypto {
  if (globalThis.crypto?.subtle) return globalThis.crypto;
  throw new WorkflowError(
    "STORE_UNAVAILABLE",
    "This page has no cryptography, so no file can be sealed or opened. Serve it over https, or leave the passphrase out.",
  );
}

async function deriveKey(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const { subtle } = cryptography();
  const secret = await subtle.importKey("raw", utf8(passphrase.normalize("NFC")), "PBKDF2", false, ["deriveKey"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ITERATIONS };
  return subtle.deriveKey(algorithm, secret, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

function bindTo(first: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: utf8(first), tagLength: 128 };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = decodeBase64(text);
  return bytes && new Uint8Array(bytes);
}
