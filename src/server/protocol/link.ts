import { decodeBase64, encodeBase64 } from "../../core/model/base64.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import { isStoreKey, parseCheckpointId } from "../../core/model/ids.ts";
import { isRecord } from "../../core/model/value.ts";

/** The target of a link: one question, or a whole run. */
export interface Link {
  readonly run: string;
  /** The question that may be answered; absent for a link to the whole run. */
  readonly pause?: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The version, the content, and its signature. */
const TOKEN = /^wpl1\.([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{43})$/;

/** Whether a text has the form of a link's token. */
export function isLinkToken(text: string): boolean {
  return text.startsWith("wpl1.");
}

/** Returns the part of a token that is signed, and its signature; nothing for any other text. */
export function signedPart(token: string): { readonly text: string; readonly signature: Uint8Array<ArrayBuffer> } | undefined {
  const [, content, given] = TOKEN.exec(token) ?? [];
  const signature = given === undefined ? undefined : decodeUrl(given);
  return signature && { text: `wpl1.${content}`, signature };
}

/** A token without its signature. */
export function unsignedToken({ run, pause, expiresAt }: Link): string {
  const content = new TextEncoder().encode(JSON.stringify(pause === undefined ? { run, expiresAt } : { pause, expiresAt }));
  return `wpl1.${encodeUrl(content)}`;
}

/**
 * Reads the target of a link from its token, in a page: the run to open, and the question. The server checks whether it is genuine. Throws `REQUEST_INVALID`
 * for a text that is no token of a link.
 */
export function readLink(token: string): Link {
  const [, content = ""] = TOKEN.exec(token) ?? [];
  const said = parse(decodeUrl(content));
  const { run, pause, expiresAt } = isRecord(said) ? said : {};
  const owner = pause === undefined ? run : parseCheckpointId(String(pause))?.run;
  if (typeof owner !== "string" || !isStoreKey(owner) || !Number.isSafeInteger(expiresAt)) {
    throw new WorkflowError("REQUEST_INVALID", "This is not the token of a link. Take all of what follows the # of the link.");
  }
  return { run: owner, ...(pause !== undefined && { pause: String(pause) }), expiresAt: expiresAt as number };
}

function parse(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Something else that looks like a token.
    return undefined;
  }
}

/** Base64 for addresses (RFC 4648, section 5). */
export function encodeUrl(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decodeUrl(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return decodeBase64(plain.padEnd(Math.ceil(plain.length / 4) * 4, "="));
}
