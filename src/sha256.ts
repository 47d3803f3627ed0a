import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** SHA-256 of bytes, as hexadecimal digits. In a file of its own, so that a bundler keeps nothing else of the library. */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(digest(bytes));
}
