import { WorkflowError } from "../core/model/errors.ts";

/** What is sent, which a redirect may change. */
export interface Sent {
  readonly url: URL;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
}

const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that go on to another origin. Any other header may be a credential. */
const HARMLESS: ReadonlySet<string> = new Set(["accept", "accept-language", "content-language", "content-type", "user-agent"]);

/** Whether a response sends the request elsewhere. */
export function isRedirect({ status, headers }: Response): boolean {
  return STATUSES.has(status) && headers.has("location");
}

/**
 * The request that a redirect asks for. Method and body follow the rules of `fetch`: 303 asks with GET, and so do 301 and 302 after a POST.
 * On another origin only harmless headers are left.
 */
export function redirectRequest({ url: from, method, headers, body }: Sent, { status }: Response, url: URL): Sent {
  const asksAnew = status === 303 ? method !== "GET" && method !== "HEAD" : (status === 301 || status === 302) && method === "POST";
  const kept = [...headers].filter(
    ([name]) => (url.origin === from.origin || HARMLESS.has(name)) && !(asksAnew && name.startsWith("content-")),
  );
  return { url, method: asksAnew ? "GET" : method, headers: new Map(kept), body: asksAnew ? undefined : body };
}

/** The refusal of a redirect in a browser, which does not tell a page where it leads. */
export function hiddenRedirect(origin: string): WorkflowError {
  return new WorkflowError(
    "HTTP_FAILED",
    `${origin} redirects, and a browser does not say where to, so the new address cannot be checked. Write the final address.`,
  );
}
