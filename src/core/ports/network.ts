import type { AbortSignalLike } from "./host.ts";

/**
 * HTTP requests a host grants, to the hosts it names. An implementation checks the address of every redirect as it checks the first, drops
 * headers that hold credentials when the origin changes, and counts the bytes it reads. It throws `HOST_FORBIDDEN`, `LIMIT_EXCEEDED` and
 * `HTTP_FAILED`.
 */
export interface Network {
  request(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  /** Absolute, `http:` or `https:`, without user and password. */
  readonly url: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly followRedirects: boolean;
  readonly timeoutMs: number;
  /** Default and most: 10 MB. */
  readonly maxBytes?: number;
  readonly signal: AbortSignalLike;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Uint8Array;
  /** After redirects. */
  readonly url: string;
}
