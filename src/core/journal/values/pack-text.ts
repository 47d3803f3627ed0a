import { decodeBase64, encodeBase64 } from "../../model/base64.ts";
import { WorkflowError } from "../../model/errors.ts";
import { decodeUtf8, encodeUtf8 } from "../../model/utf8.ts";
import type { ByteStreamLike, Host } from "../../ports/host.ts";

/** Bytes that may come out of a packed text (10 MB); longer ones are not packed. Source: this project's promises, "Limits". */
const MAX_UNPACKED_BYTES = 10_485_760;
/** A packed text that is longer than this part of the plain one is not worth unpacking. */
const WORTHWHILE = 0.75;
/** Bytes that are unpacked at a time, at most a thousandfold: between two pieces it is counted what came out. */
const UNPACKED_PIECE = 4_096;
/** Bytes that are packed at a time: each piece is a trip to another thread and back. */
const PACKED_PIECE = 262_144;
const BEGIN = '{"packed":"';
const END = '"}';

/** Whether a stored text was written by {@link packText}. */
export function isPacked(text: string): boolean {
  return text.startsWith(BEGIN);
}

/** A text in the form in which it is stored: packed, where the platform can and where that makes it much shorter. */
export async function packText(text: string, host: Host): Promise<string> {
  const bytes = encodeUtf8(text) as Uint8Array<ArrayBuffer> | undefined;
  const stream = bytes && bytes.length <= MAX_UNPACKED_BYTES && tryDeflate(host, "pack");
  if (!stream) return text;
  const packed = await pass(bytes, stream, { limit: bytes.length, piece: PACKED_PIECE });
  const written = packed && BEGIN + encodeBase64(packed) + END;
  return written && written.length <= text.length * WORTHWHILE ? written : text;
}

/**
 * The text that was packed. What comes out is counted, and it ends where that is too much. Throws `STORE_UNAVAILABLE` where the platform cannot
 * unpack, and anything for what was never packed.
 */
export async function unpackText(written: string, host: Host): Promise<string> {
  const packed = written.endsWith(END) ? decodeBase64(written.slice(BEGIN.length, -END.length)) : undefined;
  if (!packed) throw new TypeError("A packed text is base64.");
  const stream = tryDeflate(host, "unpack");
  if (!stream) {
    throw new WorkflowError(
      "STORE_UNAVAILABLE",
      "A stored record is compressed, and this platform cannot unpack it: it has no DecompressionStream. Open the run on another one; it was left as it is.",
    );
  }
  const bytes = await pass(packed, stream, { limit: MAX_UNPACKED_BYTES, piece: UNPACKED_PIECE });
  const text = bytes && decodeUtf8(bytes);
  if (text === undefined) throw new TypeError(`A packed text gives more than ${MAX_UNPACKED_BYTES} bytes, or no text.`);
  return text;
}

function tryDeflate(host: Host, way: "pack" | "unpack"): ByteStreamLike | undefined {
  try {
    return host.newDeflate?.(way);
  } catch {
    return undefined;
  }
}

/** What comes out of a stream; nothing where that is more than `limit` bytes. Rejects with what the stream rejects with. */
async function pass(
  bytes: Uint8Array<ArrayBuffer>,
  stream: ByteStreamLike,
  { limit, piece }: { readonly limit: number; readonly piece: number },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.readable.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const feeding = feed(bytes, stream, piece);
  // What is wrong with the bytes is said by both ends.
  feeding.catch(() => {});
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value!.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(next.value!);
  }
  await feeding;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

async function feed(bytes: Uint8Array<ArrayBuffer>, { writable }: ByteStreamLike, piece: number): Promise<void> {
  const writer = writable.getWriter();
  for (let at = 0; at < bytes.length; at += piece) await writer.write(bytes.subarray(at, at + piece));
  await writer.close();
}
