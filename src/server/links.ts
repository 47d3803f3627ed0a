import { assertOptions } from "../core/model/assert-options.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { fullRunId, parseCheckpointId } from "../core/model/ids.ts";
import { encodeUrl, readLink, signedPart, unsignedToken, type Link } from "./protocol/link.ts";

/** The target of a link. */
export interface LinkOptions {
  /** One question: its link answers it once, and shows nothing else of the run. */
  readonly pause?: string;
  /** A whole run: its link shows and answers all of it, as often as you like. */
  readonly run?: string;
  /** How long it holds, in milliseconds, from 1. Default: 604,800,000 (7 days). */
  readonly expiresInMs?: number;
}

const EXPIRES_IN_MS = 604_800_000;
/** Characters of the shortest key: 128 bits as hexadecimal digits. */
const MIN_KEY_LENGTH = 32;

/** Makes and checks the tokens of links: HMAC with SHA-256 over their content. */
export class Links {
  readonly #key: Promise<CryptoKey> | undefined;

  /** Throws `REQUEST_INVALID` for a key that can be guessed. */
  constructor(key: string | undefined) {
    if (key === undefined) return;
    if (key.length < MIN_KEY_LENGTH) {
      throw new WorkflowError("REQUEST_INVALID", `A linkKey has at least ${MIN_KEY_LENGTH} characters, random ones: openssl rand -hex 32.`);
    }
    this.#key = crypto.subtle.importKey("raw", new TextEncoder().encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
  }

  /** Throws `REQUEST_INVALID` if the server has no key, and for a target that no link can have. */
  async make(options: LinkOptions): Promise<string> {
    assertOptions("link", options, { pause: true, run: true, expiresInMs: true });
    const key = await this.#key;
    if (!key) throw new WorkflowError("REQUEST_INVALID", "This server makes no links: give serve a linkKey.");
    const { pause, run, expiresInMs = EXPIRES_IN_MS } = options;
    const owner = pause === undefined ? run && fullRunId(run) : ownerOf(pause);
    if (owner === undefined || (pause !== undefined && run !== undefined)) {
      throw new WorkflowError("REQUEST_INVALID", "A link is for one question or for one run: give `pause`, or `run`.");
    }
    if (!Number.isSafeInteger(expiresInMs) || expiresInMs < 1) {
      throw new WorkflowError("REQUEST_INVALID", "`expiresInMs` is a whole number of milliseconds, from 1.");
    }
    const token = unsignedToken({ run: owner, ...(pause !== undefined && { pause }), expiresAt: Date.now() + expiresInMs });
    const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(token));
    return `${token}.${encodeUrl(new Uint8Array(signature))}`;
  }

  /** Returns the target of a genuine token. Throws `ACCESS_DENIED` for any other token, and for an expired one. */
  async read(token: string): Promise<Link> {
    const key = await this.#key;
    const part = signedPart(token);
    const isGenuine = key && part && (await crypto.subtle.verify("HMAC", key, part.signature, new TextEncoder().encode(part.text)));
    if (!isGenuine)
      throw new WorkflowError("ACCESS_DENIED", "This link is not one of this server. Take the whole link, or ask for another one.");
    const link = readLink(token);
    if (link.expiresAt > Date.now()) return link;
    throw new WorkflowError("ACCESS_DENIED", "This link has expired. Ask for another one.", { details: { expiredAt: link.expiresAt } });
  }
}

function ownerOf(pause: string): string | undefined {
  const place = parseCheckpointId(pause);
  return place?.kind === "pause" ? place.run : undefined;
}
