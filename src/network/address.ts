import { WorkflowError } from "../core/model/errors.ts";
import { covers, type HostRule } from "./host-rule.ts";

/**
 * The address of a request that the rules allow. Throws `HOST_FORBIDDEN`. Messages hold the origin and no more: paths and queries may hold
 * secrets.
 */
export function checkAddress(text: string, rules: readonly HostRule[], base?: URL): URL {
  const url = parseAddress(text, base);
  if (!url) {
    throw forbidden(
      base ? `${base.origin} redirects to something that is no address` : "The url of the request is no absolute address",
      'Write it as "https://host/path".',
    );
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw forbidden(`The scheme "${url.protocol}" is not allowed`, 'Use "https:".');
  if (url.username !== "" || url.password !== "") {
    throw forbidden(`The address of ${url.host} holds a user or a password`, "Give an Authorization header instead.");
  }
  if (!rules.some((rule) => covers(rule, url))) {
    const from = base && base.origin !== url.origin ? `${base.origin} redirects to ${url.origin}, which` : url.origin;
    throw forbidden(`${from} was not granted`, `Name it in allowHosts, if it is to be trusted: ${JSON.stringify(ruleFor(url))}.`, url.host);
  }
  if (base?.protocol === "https:" && url.protocol === "http:") {
    throw forbidden(`${base.origin} redirects from https to http, where anyone on the way could read along`, "Ask for the https address.");
  }
  return url;
}

/** How the host would be written in `allowHosts`: plain http is named expressly. */
function ruleFor({ protocol, host }: URL): string {
  return protocol === "http:" ? `http://${host}` : host;
}

function parseAddress(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function forbidden(what: string, way: string, host?: string): WorkflowError {
  return new WorkflowError("HOST_FORBIDDEN", `${what}. ${way}`, host === undefined ? {} : { details: { host } });
}
