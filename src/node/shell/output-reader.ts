import type { Readable } from "node:stream";
import { decodeUtf8 } from "../../core/model/utf8.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { OutputStream } from "../../core/ports/shell.ts";

/** Collects the output of a command. */
export interface OutputReader {
  /** Whether more was written than is taken. */
  readonly isFull: boolean;
  /** Everything that a stream gave. Throws `FILE_ENCODING` for a standard output that is no UTF-8; standard error is shown as well as it can be. */
  text(stream: OutputStream): string;
}

/** Reads both streams as they come, up to a number of bytes for both together. */
export function readOutput(
  streams: { readonly [stream in OutputStream]: Readable },
  options: {
    readonly maxBytes: number;
    readonly onText: ((stream: OutputStream, text: string) => void) | undefined;
    readonly onFull: () => void;
  },
): OutputReader {
  const chunks: { readonly [stream in OutputStream]: Buffer[] } = { stdout: [], stderr: [] };
  let left = options.maxBytes;
  const take = (stream: OutputStream): void => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const tell = (text: string): void => {
      if (text !== "") options.onText?.(stream, text);
    };
    streams[stream].on("data", (chunk: Buffer) => {
      if (left < 0) return;
      const kept = chunk.subarray(0, left);
      const isLast = chunk.length > left;
      left -= chunk.length;
      chunks[stream].push(kept);
      tell(decoder.decode(kept, { stream: true }));
      if (isLast) options.onFull();
    });
    streams[stream].on("end", () => tell(decoder.decode()));
    // A pipe whose other end is gone has nothing more to say.
    streams[stream].on("error", () => {});
  };
  take("stdout");
  take("stderr");
  return {
    get isFull() {
      return left < 0;
    },
    text(stream) {
      const bytes = Buffer.concat(chunks[stream]);
      const text = decodeUtf8(bytes);
      if (text === undefined && stream === "stdout" && left >= 0) {
        throw new WorkflowError(
          "FILE_ENCODING",
          "The command wrote bytes to standard output that are no UTF-8 text. Write them to a file, or as text: … | base64.",
        );
      }
      return text ?? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    },
  };
}
