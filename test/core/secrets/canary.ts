/** A secret with everything that encodings write differently. */
export const CANARY = 'kanarie/+"ü\\ 7391';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const binary = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const hex = (text: string): string => Array.from(bytesOf(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
const base64 = (text: string): string => btoa(binary(bytesOf(text)));
const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");
const unpadded = (text: string): string => text.replaceAll("=", "");
const form = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);
const lowerPercent = (text: string): string => text.replaceAll(/%../g, (digits) => digits.toLowerCase());
const mixedPercent = (text: string): string =>
  text.replaceAll(/%(.)(.)/g, (_, a: string, b: string) => `%${a.toLowerCase()}${b.toUpperCase()}`);
const everyPercent = (text: string): string => `%${hex(text).match(/../g)!.join("%")}`;
const everyUnicode = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Ways to write a text, by name. */
export const ENCODINGS: { readonly [name: string]: (text: string) => string } = {
  "as it is": (text) => text,
  base64,
  "base64 behind one byte": (text) => base64(`a${text}`),
  "base64 behind two bytes": (text) => base64(`ab${text}`),
  "base64 amid others": (text) => base64(`some ${text} more`),
  "base64 without padding": (text) => unpadded(base64(text)),
  base64url: (text) => urlSafe(base64(text)),
  "base64url behind one byte, without padding": (text) => unpadded(urlSafe(base64(`a${text}`))),
  "base64url behind two bytes, without padding": (text) => unpadded(urlSafe(base64(`ab${text}`))),
  "base64 in a URL": (text) => encodeURIComponent(base64(`a${text}`)),
  hex,
  "hex in capitals": (text) => hex(text).toUpperCase(),
  "percent signs": encodeURIComponent,
  "percent signs, small digits": (text) => lowerPercent(encodeURIComponent(text)),
  "percent signs, mixed digits": (text) => mixedPercent(encodeURIComponent(text)),
  "percent signs for every byte": everyPercent,
  "a URL left as far as possible": encodeURI,
  form,
  "form, small digits": (text) => lowerPercent(form(text)),
  json,
  "json in json": (text) => json(json(text)),
  "json with every character escaped": everyUnicode,
  "json in a URL": (text) => encodeURIComponent(json(text)),
  "escaped for a pattern": (text) => text.replaceAll(/[^A-Za-z0-9\s\u0080-\uffff]/g, "\\$&"),
  "escaped for a shell": (text) => text.replaceAll(/[^A-Za-z0-9\u0080-\uffff]/g, "\\$&"),
  "a URL in json": (text) => json(encodeURIComponent(text)),
};

/** The ways in which a text holds the secret; decided by the platform's own encoders, not by the code under test. */
export function leaksIn(haystack: string, secret: string = CANARY): string[] {
  const found = Object.entries(ENCODINGS).filter(([, encode]) => haystack.includes(encode(secret)));
  // What stands around the secret changes at most the two digits of base64 at each end.
  const cores = ["", "a", "ab"].map((lead) => unpadded(base64(lead + secret)).slice(lead.length + 1, -2));
  const inner = cores.filter((core) => haystack.includes(core) || haystack.includes(urlSafe(core)));
  return [...found.map(([name]) => name), ...inner.map((core) => `base64 digits ${core}`)];
}
