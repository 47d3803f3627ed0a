import { decodeBase64, encodeBase64 } from "../core/model/base64.ts";
import { WorkflowError } from "../core/model/errors.ts";
import type { HttpRequest, Network } from "../core/ports/network.ts";

/** Secrets by the origin of the receiver, such as `https://crm.example`: `whsec_…`, or several of them while one takes the place of another. */
export interface WebhookSecrets {
  readonly [origin: string]: string | readonly string[];
}

/** How secrets of this scheme begin; base64 of 24 to 64 bytes follows. */
const PREFIX = "whsec_";
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const SECOND_MS = 1_000;

/**
 * Signs what is sent to receivers of webhooks, by the scheme of Standard Webhooks (symmetric, `v1`): headers `webhook-id`, which is the idempotency key of
 * the step and the same at each try, `webhook-timestamp` and `webhook-signature`. Requests to other origins, and those that change nothing, go as they are.
 * Throws `REQUEST_INVALID` for an origin or a secret that is none.
 */
export function signWebhooks(network: Network, secrets: WebhookSecrets): Network {
  const keys = new Map(Object.entries(secrets).map(([origin, given]) => [readOrigin(origin), [given].flat().map(readSecret)]));
  return {
    async request(request) {
      const forOrigin = URL.canParse(request.url) ? keys.get(new URL(request.url).origin) : undefined;
      return network.request(forOrigin ? await sign(request, forOrigin) : request);
    },
  };
}

async function sign(request: HttpRequest, secrets: readonly Uint8Array<ArrayBuffer>[]): Promise<HttpRequest> {
  const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const id = headers.get("idempotency-key");
  if (id === undefined) return request;
  const timestamp = String(Math.floor(Date.now() / SECOND_MS));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${request.body ?? ""}`);
  const signatures = await Promise.all(secrets.map((secret) => signatureOf(secret, content)));
  headers.set("webhook-id", id).set("webhook-timestamp", timestamp).set("webhook-signature", signatures.join(" "));
  return { ...request, headers: Object.fromEntries(headers) };
}

async function signatureOf(secret: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${encodeBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)))}`;
}

function readOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new WorkflowError(
    "REQUEST_INVALID",
    `"${origin}" is no origin of a receiver. Write scheme, name and port alone: https://crm.example.`,
  );
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(PREFIX) ? decodeBase64(secret.slice(PREFIX.length)) : undefined;
  if (bytes && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES) return bytes;
  throw new WorkflowError(
    "REQUEST_INVALID",
    `A secret of webhooks is ${PREFIX} and base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} random bytes: echo whsec_$(openssl rand -base64 32).`,
  );
}
