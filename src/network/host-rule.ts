import { WorkflowError } from "../core/model/errors.ts";

/** A host that may be asked, in the spelling of the URL parser. */
export interface HostRule {
  readonly protocol: "https:" | "http:";
  /** With `anyBelow`, the name below which every name will do. */
  readonly hostname: string;
  /** Empty for the protocol's own port. */
  readonly port: string;
  readonly anyBelow: boolean;
}

/** `[https:// or http://] [*.] host [:port]`, and nothing else of an address. */
const PATTERN = /^(?:(https?):\/\/)?(\*\.)?([^\s/\\?#@*]+)$/i;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const ADDRESS = /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/;

/** Reads a pattern of `allowHosts`. Throws `HOST_INVALID`. */
export function readHostRules(pattern: string): readonly HostRule[] {
  const [, scheme, wildcard, rest] = PATTERN.exec(pattern) ?? [];
  const host = rest === undefined ? undefined : parseHost(rest);
  if (host === undefined)
    throw invalidPattern(pattern, 'it is not of the form "api.example.com", "api.example.com:8443" or "*.example.com"');
  const anyBelow = wildcard !== undefined;
  if (anyBelow && (ADDRESS.test(host.hostname) || LOOPBACK.test(host.hostname) || !host.hostname.includes("."))) {
    throw invalidPattern(pattern, "below a top-level domain, an address or this machine every host must be named by itself");
  }
  const protocols = protocolsOf(scheme?.toLowerCase(), host.hostname);
  return protocols.map((protocol) => ({ protocol, hostname: host.hostname, port: portFor(protocol, host.port), anyBelow }));
}

/** Whether a rule covers an address. A dot at the end of a name changes nothing about whom it names. */
export function covers(rule: HostRule, { protocol, port, hostname }: URL): boolean {
  if (protocol !== rule.protocol || port !== rule.port) return false;
  const name = withoutLastDot(hostname);
  if (!rule.anyBelow) return name === rule.hostname;
  if (!name.endsWith(`.${rule.hostname}`)) return false;
  return name
    .slice(0, -rule.hostname.length - 1)
    .split(".")
    .every((label) => label !== "");
}

function protocolsOf(scheme: string | undefined, hostname: string): readonly HostRule["protocol"][] {
  if (scheme === "http") return ["http:"];
  return scheme === undefined && LOOPBACK.test(hostname) ? ["https:", "http:"] : ["https:"];
}

/** The port as the URL parser writes it: nothing where it is the protocol's own. */
function portFor(protocol: string, port: string): string {
  return (protocol === "https:" && port === "443") || (protocol === "http:" && port === "80") ? "" : port;
}

function parseHost(text: string): { readonly hostname: string; readonly port: string } | undefined {
  try {
    const { hostname, pathname, port: withHttps } = new URL(`https://${text}`);
    // Each of the two schemes leaves out its own port.
    const port = withHttps || new URL(`http://${text}`).port;
    const name = withoutLastDot(hostname);
    return name === "" || pathname !== "/" || port === "0" || text.endsWith(":") ? undefined : { hostname: name, port };
  } catch {
    return undefined;
  }
}

function withoutLastDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function invalidPattern(pattern: string, reason: string): WorkflowError {
  return new WorkflowError("HOST_INVALID", `allowHosts cannot take ${JSON.stringify(String(pattern).slice(0, 200))}: ${reason}.`);
}
