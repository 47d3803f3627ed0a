import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of the text's UTF-8 bytes, as hexadecimal digits. In a file of its own, so that a bundler keeps nothing else of the library. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
