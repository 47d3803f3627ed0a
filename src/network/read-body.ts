import { WorkflowError } from "../core/model/errors.ts";

/**
 * Reads the body of a response, counting what comes out of its decompression: no header is believed. Throws `LIMIT_EXCEEDED` as soon as
 * there is too much.
 */
export async function readBody(response: Response, maxBytes: number, origin: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      // Only releases the connection: if the rest of a refused body cannot be cancelled, that changes nothing.
      reader.cancel().catch(() => {});
      throw new WorkflowError("LIMIT_EXCEEDED", `The response of ${origin} has more than ${maxBytes} bytes. Ask the service for less.`, {
        details: { limit: maxBytes },
      });
    }
    chunks.push(value);
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

/** The body as text in the charset that the response names, UTF-8 where it names none; nothing where it is no such text. */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([A-Za-z0-9_:.-]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
