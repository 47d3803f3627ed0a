/**
 * What the engine needs from its platform, injected so that tests control time and randomness. The core itself uses no clock, no randomness and no
 * platform global.
 */
export interface Host {
  /** Milliseconds since the epoch. Fractions are cut off, and instants before the epoch count as 0. */
  now(): number;
  /**
   * Resolves after `ms`; with 0, after other work on the thread. Rejects with the reason of the signal if that aborts first. `idle`: nothing waits for it,
   * so it must not keep the process alive.
   */
  sleep(ms: number, signal?: AbortSignalLike, options?: { readonly idle: boolean }): Promise<void>;
  /** A number from 0 up to, not including, 1. Only delays depend on it. */
  random(): number;
  /** A new id of at least 80 random bits, made of letters and digits, ordered by time of creation. */
  newId(): string;
  newAbortController(): AbortControllerLike;
  newTextEncoder(): TextEncoderLike;
  /** SHA-256 of bytes, or of a text in UTF-8, as 64 hexadecimal digits. */
  hash(content: string | Uint8Array<ArrayBuffer>): Promise<string>;
  /** A stream that packs bytes as raw DEFLATE (RFC 1951), or unpacks them. Absent, or throws, where the platform has none. */
  newDeflate?(way: "pack" | "unpack"): ByteStreamLike;
  /** How many blocks of a wave run at the same time. */
  readonly maxParallel: number;
}

/** The part of `AbortSignal` that the core uses; every platform's signal fits. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * The signal that blocks and grants get: the `AbortSignal` of the platform, so that it fits `fetch` and the like. Without types of a platform, the part of
 * it that the core uses.
 */
export type PlatformSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal extends AbortSignalLike } }
  ? Signal
  : AbortSignalLike;

/** What the engine uses of the platform's `AbortController`. */
export interface AbortControllerLike {
  readonly signal: PlatformSignal;
  abort(reason?: unknown): void;
}

/** The part of `TextEncoder` that the core uses. */
export interface TextEncoderLike {
  encodeInto(text: string, bytes: Uint8Array<ArrayBuffer>): { readonly read: number; readonly written: number };
}

/** The part of `CompressionStream` and `DecompressionStream` that the core uses. */
export interface ByteStreamLike {
  readonly writable: {
    getWriter(): { write(chunk: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void>; abort(reason?: unknown): Promise<void> };
  };
  readonly readable: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> | undefined }>;
      cancel(reason?: unknown): Promise<void>;
    };
  };
}

/** Seals texts with a passphrase, by the cryptography of the platform. */
export interface Sealer {
  /** The text as a file that says in its first line that it is sealed. Throws `STORE_UNAVAILABLE` where the platform has no cryptography. */
  seal(text: string, passphrase: string): Promise<string>;
  /** The text of a sealed file; nothing for a wrong passphrase or a changed byte. Throws `STORE_UNAVAILABLE`. */
  open(file: string, passphrase: string): Promise<string | undefined>;
}
