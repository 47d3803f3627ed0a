import { WorkflowError } from "../core/model/errors.ts";
import { fullRunId, parseCheckpointId } from "../core/model/ids.ts";
import type { RunView } from "../core/model/view.ts";
import { bearerOf, hasToken } from "../network/bearer.ts";
import { Links } from "./links.ts";
import { isLinkToken, type Link } from "./protocol/link.ts";
import type { OperationName, Right } from "./protocol/operations.ts";

/** The operation of a request, the right that it needs, and its target. */
export interface Asked {
  readonly operation: OperationName;
  readonly right: Right;
  /**
   * The id of the run that the request is about. Absent if it is about no run or about many, and for the import of a sealed file, which shows its run only
   * when it is opened.
   */
  readonly run?: string;
  /** The name of the workflow: for a start, and for each run of a list. */
  readonly workflow?: string;
  /** Reads the run that the request is about: its inputs and its caller may say whose it is. Resolves with nothing if there is none. */
  view(): Promise<RunView | undefined>;
}

/** Who may do what. */
export interface AccessOptions {
  /**
   * Returns whether a request is allowed. Called once for each request and for each run of a list, and once more if the request needs a second right. An
   * error that it throws is answered as a failure of the server.
   */
  readonly authorize?: (request: Request, asked: Asked) => boolean | Promise<boolean>;
  /** What clients give as `Authorization: Bearer …`. Who has it may do all that is allowed, unless `authorize` says otherwise. */
  readonly token?: string;
  /** Signs links, at least 32 random characters; all processes of a server have the same one. Another key ends all links. Default: none, and no links. */
  readonly linkKey?: string;
  /** The rights that this server grants at all. Default: `read`, `start` and `answer`. */
  readonly allow?: readonly Right[];
  /** Names under which the server may be reached, without ports: protects servers of one machine from pages elsewhere. Default: any. */
  readonly hosts?: readonly string[];
  /**
   * Origins of other pages that may call the server: `https://app.example`. Default: only pages of its own origin. Programs send no origin, and are not
   * limited by this.
   */
  readonly origins?: readonly string[];
}

/** Who sends a request. */
export interface Caller {
  /** The link that it came by, which says all that it may do. */
  readonly link?: Link;
}

const RIGHTS_OF_LINKS: ReadonlySet<Right> = new Set<Right>(["read", "answer"]);
const DEFAULT_RIGHTS: readonly Right[] = ["read", "start", "answer"];

/** Refuses requests, before anything of a run is looked at. */
export class Access {
  readonly #options: AccessOptions;
  readonly #allowed: ReadonlySet<Right>;
  readonly links: Links;

  /** Throws `REQUEST_INVALID` if nothing says who may call, and for a token that no request can send. */
  constructor(options: AccessOptions) {
    this.#options = options;
    this.#allowed = new Set(options.allow ?? DEFAULT_RIGHTS);
    this.links = new Links(options.linkKey);
    if (options.token !== undefined && !/^\S+$/.test(options.token)) {
      throw new WorkflowError("REQUEST_INVALID", "A token is a text without blanks: a long random one.");
    }
    if (options.token || options.authorize) return;
    const message = "Say who may call the server: give it a token, or a function authorize. authorize: () => true lets every request in.";
    throw new WorkflowError("REQUEST_INVALID", message);
  }

  /** Whether it comes over a name and from a page that are allowed. */
  isFromAllowedPlace(request: Request): boolean {
    const address = addressOf(request);
    if (!URL.canParse(address)) return false;
    const { hostname, host } = new URL(address);
    const { hosts, origins = [] } = this.#options;
    if (hosts && !hosts.includes(hostname)) return false;
    const origin = request.headers.get("origin");
    // Behind a proxy that ends TLS the server does not know its own scheme.
    return origin === null || origins.includes(origin) || (URL.canParse(origin) && new URL(origin).host === host);
  }

  /** The headers that let a page elsewhere read the answer. */
  corsHeaders(request: Request): { readonly [name: string]: string } {
    const origin = request.headers.get("origin");
    if (origin === null || !this.#options.origins?.includes(origin)) return {};
    return { "access-control-allow-origin": origin, "access-control-allow-credentials": "true", vary: "Origin" };
  }

  /** Who calls. Nothing for a request without the token that is wanted; throws `ACCESS_DENIED` for a link that does not hold. */
  async callerOf(request: Request): Promise<Caller | undefined> {
    const { token, linkKey } = this.#options;
    const given = bearerOf(request);
    if (linkKey !== undefined && isLinkToken(given)) return { link: await this.links.read(given) };
    return token === undefined || (await hasToken(request, token)) ? {} : undefined;
  }

  /** Whether the holders of links may do what needs a right. */
  allowsLinks(right: Right): boolean {
    return RIGHTS_OF_LINKS.has(right) && this.#allowed.has(right);
  }

  async allows(request: Request, asked: Asked): Promise<boolean> {
    return this.#allowed.has(asked.right) && ((await this.#options.authorize?.(request, asked)) ?? true);
  }
}

/** Returns the address that a request was sent to. Frameworks such as Next replace it with the name of their own process. */
function addressOf({ url, headers }: Request): string {
  const host = headers.get("host");
  return host === null ? url : `${new URL(url).protocol}//${host}`;
}

/** Members of inputs that name a run, or a place in one. */
export interface Named {
  readonly run?: string;
  readonly pause?: string;
  readonly checkpoint?: string;
  readonly file?: string;
}

/** The run that an input is about. */
export function runOf({ run, pause, checkpoint, file }: Named): string | undefined {
  if (run !== undefined) return fullRunId(run.split("/", 1)[0]!);
  if (file !== undefined) return runOfFile(file);
  return parseCheckpointId(checkpoint ?? pause)?.run;
}

/** The first line of a run's file names the run. Any other text is refused when it is read. */
function runOfFile(file: string): string | undefined {
  const end = file.indexOf("\n");
  try {
    const { run } = JSON.parse(file.slice(0, end < 0 ? file.length : end)) as { readonly run?: unknown };
    return typeof run === "string" ? run : undefined;
  } catch {
    return undefined;
  }
}
