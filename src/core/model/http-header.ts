/** The grammar of header names: "token" of RFC 9110, section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII, tabs and the upper half of Latin-1; above all no line break, which would begin another header. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Headers that decide where a request goes and where it ends: the platform writes them from the address and the body. */
const RESERVED: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What is wrong with a header of a request, or nothing. The value, which may be a secret, is never repeated. */
export function findHeaderProblem(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return `${JSON.stringify(name.slice(0, 100))} is no name of a header. Use letters, digits and "-".`;
  if (RESERVED.has(name.toLowerCase()))
    return `The header "${name}" follows from the address and the body and cannot be set. Leave it out.`;
  if (!VALUE.test(value))
    return `The value of the header "${name}" holds a line break or a character that headers cannot carry. Encode it.`;
  return undefined;
}
