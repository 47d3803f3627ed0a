import type { PlatformSignal } from "./host.ts";

/**
 * HTTP requests that a host grants, to the hosts that it names. An implementation checks the address of every redirect like the first one, drops headers
 * that may hold credentials when the origin changes, and counts the bytes that it reads. It throws `HOST_FORBIDDEN`, `LIMIT_EXCEEDED`,
 * `BLOCK_TIMEOUT`, `HTTP_FAILED`, `BLOCK_INPUT_INVALID` for a header that cannot be sent, and the signal's reason.
 */
export interface Network {
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** What a block asks a service. */
export interface HttpRequest {
  /** Absolute, `http:` or `https:`, without user and password. */
  readonly url: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly followRedirects: boolean;
  /** For the whole request, redirects and the body included. */
  readonly timeoutMs: number;
  /** The most bytes of the answer. Default, and the largest value: 10 MB. */
  readonly maxBytes?: number;
  readonly signal: PlatformSignal;
}

/** What a service answered. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array;
  /** The body as text in the charset that it declares, else UTF-8; absent where it is not such a text. */
  readonly text?: string;
  /** After redirects. */
  readonly url: string;
}
