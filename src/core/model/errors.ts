import { isDeeperThan } from "./json-depth.ts";
import { MAX_VALUE_DEPTH } from "./limits.ts";
import { isRecord, type Value } from "./value.ts";

/**
 * Every code a {@link WorkflowError} can carry. Codes are stable: branch on them, never on the text of a message.
 *
 * - definition: what is wrong with a workflow, found when it is loaded
 * - running: what went wrong while a workflow ran
 * - answering and checkpoints: misuse of a pause or of a checkpoint
 * - store: broken infrastructure
 * - server: requests that are no good, or not allowed
 * - command line: options, arguments and files that cannot be used
 */
export type ErrorCode =
  // definition
  | "YAML_SYNTAX"
  | "YAML_REFUSED"
  | "SCHEMA_INVALID"
  | "KEY_UNKNOWN"
  | "KEY_FORBIDDEN"
  | "ID_INVALID"
  | "ID_DUPLICATE"
  | "BLOCK_TYPE_UNKNOWN"
  | "BLOCK_INPUT_INVALID"
  | "DEPENDENCY_UNKNOWN"
  | "DEPENDENCY_CYCLE"
  | "EXPRESSION_SYNTAX"
  | "CONDITION_IMPOSSIBLE"
  | "REFERENCE_UNKNOWN"
  | "REFERENCE_FORBIDDEN"
  | "REFERENCE_AMBIGUOUS"
  | "REFERENCE_TOO_EARLY"
  | "REFERENCE_DEPRECATED"
  | "REFERENCE_NO_DEPENDENCY"
  | "TEXT_MISLEADING"
  | "INPUT_DEFAULT_INVALID"
  | "CHANNEL_UNKNOWN"
  | "CHANNEL_INVALID"
  | "PATTERN_INVALID"
  | "SECRET_MISPLACED"
  | "SHELL_UNSAFE"
  | "ENVIRONMENT_FORBIDDEN"
  | "CAPABILITY_MISSING"
  | "LIMIT_EXCEEDED"
  | "WORKFLOW_NOT_FOUND"
  | "WORKFLOW_DUPLICATE"
  | "FORM_UNKNOWN"
  // running
  | "INPUT_INVALID"
  | "EXPRESSION_TYPE"
  | "ARITHMETIC_INVALID"
  | "BLOCK_TYPE_MISSING"
  | "REDUCER_MISSING"
  | "REDUCER_FAILED"
  | "BLOCK_FAILED"
  | "BLOCK_TIMEOUT"
  | "CONNECTION_LOST"
  | "RESOURCE_FAILED"
  | "EACH_INVALID"
  | "PATH_FORBIDDEN"
  | "FILE_REFUSED"
  | "FILE_MISSING"
  | "FILE_EXISTS"
  | "FILE_ENCODING"
  | "FILE_FAILED"
  | "HOST_INVALID"
  | "HOST_FORBIDDEN"
  | "HTTP_FAILED"
  | "SECRET_MISSING"
  | "SECRET_TOO_SHORT"
  | "OUTPUT_INVALID"
  | "VALUE_UNSERIALIZABLE"
  | "SERIALIZER_MISSING"
  | "TEMPLATE_INVALID"
  | "WORKFLOW_CIRCULAR"
  | "CHILD_FAILED"
  | "RUN_CANCELLED"
  // answering and checkpoints
  | "RUN_NOT_FOUND"
  | "RUN_EXISTS"
  | "RUN_ACTIVE"
  | "RUN_CORRUPT"
  | "RUN_TRANSFERRED"
  | "RUN_FILE_INVALID"
  | "DEFINITION_UNTRUSTED"
  | "DEFINITION_MISMATCH"
  | "RESPONSE_REQUIRED"
  | "RESPONSE_INVALID"
  | "RESPONSE_UNEXPECTED"
  | "PAUSE_ALREADY_ANSWERED"
  | "PAUSE_EXPIRED"
  | "PAUSE_DECLINED"
  | "PAUSE_TIMEOUT"
  | "OUTCOME_UNKNOWN"
  | "PAUSE_ENDED"
  | "PAUSE_WITHDRAWN"
  | "SIGNAL_INVALID"
  | "RUN_ENDED"
  | "BLOCK_NOT_INTERACTIVE"
  | "CHECKPOINT_NOT_FOUND"
  | "CHECKPOINT_STALE"
  | "CHECKPOINT_CORRUPT"
  | "CHECKPOINT_PRUNED"
  | "CHECKPOINT_TOO_LARGE"
  | "POLICY_INVALID"
  | "SCHEMA_VERSION_UNSUPPORTED"
  | "ABORTED"
  // store
  | "STORE_ADDRESS_INVALID"
  | "STORE_UNAVAILABLE"
  | "STORE_BLOCKED"
  | "STORE_CONFLICT"
  | "STORE_QUOTA"
  | "STORE_LOST"
  | "STORE_UNREACHABLE"
  | "STORE_CLOSED"
  | "STORE_FAILED"
  | "STORE_KEY_INVALID"
  | "STORE_QUERY_INVALID"
  | "STORE_DATA_CORRUPT"
  | "STORE_RESET"
  | "STORE_KEY_WRONG"
  | "STORE_TAMPERED"
  | "WORKER_LOST"
  // server
  | "REQUEST_INVALID"
  | "ACCESS_DENIED"
  // command line
  | "COMMAND_INVALID";

/** Where something went wrong. Line and column count from 1. */
export interface ErrorPlace {
  /** Path inside a definition, for example `blocks[2].inputs.message`. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  /** Name of the file or text the definition came from. */
  readonly source?: string;
}

/** A {@link WorkflowError} as plain JSON: what journals, the command line and tools carry. */
export interface ErrorData extends ErrorPlace {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: { readonly [key: string]: Value };
}

/** An error as data, with what led to it where it happened in this process. */
export interface CausedError extends ErrorData {
  /** What was thrown, for developers: with its stack. Never stored, never part of the JSON, and no text for users. */
  readonly cause?: unknown;
}

/** One finding of `checkWorkflow`. A warning does not keep a workflow from running. */
export interface Problem extends ErrorData {
  readonly severity: "error" | "warning";
  /** The name that was likely meant. */
  readonly suggestion?: string;
}

/**
 * The one error class. Recognise it by {@link isWorkflowError}, not by its prototype, so that errors cross frames, workers and copies of
 * the package. `message` says what happened and what to do next; `code` is what programs look at.
 */
export class WorkflowError extends Error {
  override readonly name = "WorkflowError";
  readonly "~wavepoint": true = true;
  readonly code: ErrorCode;
  readonly place: ErrorPlace;
  readonly details: { readonly [key: string]: Value };

  constructor(
    code: ErrorCode,
    message: string,
    options: { place?: ErrorPlace; details?: { readonly [key: string]: Value }; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.place = options.place ?? {};
    this.details = options.details ?? {};
  }

  /** JSON-safe form, without the cause. */
  toJSON(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      ...this.place,
      ...(Object.keys(this.details).length > 0 ? { details: this.details } : {}),
    };
  }
}

/** Whether a value is a {@link WorkflowError}, from this or another copy of the package. Never throws. */
export function isWorkflowError(value: unknown): value is WorkflowError {
  return brandedCode(value) !== undefined;
}

/** The code of a {@link WorkflowError}; nothing where the value is none. */
function brandedCode(value: unknown): ErrorCode | undefined {
  try {
    if (typeof value !== "object" || value === null || !("~wavepoint" in value)) return undefined;
    const { code, message } = value as Partial<WorkflowError>;
    return typeof code === "string" && typeof message === "string" ? code : undefined;
  } catch {
    // Proxies and getters may throw. No error of this package does.
    return undefined;
  }
}

/**
 * Whether an error means that what runs stand on fails them: the store is broken, another writer was first, a secret is not there, the run
 * does not go on here. It is nothing a workflow did, so no step records it.
 */
export function isHostError(value: unknown): value is WorkflowError {
  const code = brandedCode(value);
  return code !== undefined && (code.startsWith("STORE_") || OF_THE_HOST.has(code));
}

const OF_THE_HOST: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "BLOCK_TYPE_MISSING",
  "REDUCER_MISSING",
  "REDUCER_FAILED",
  "SECRET_MISSING",
  "SERIALIZER_MISSING",
  "DEFINITION_UNTRUSTED",
  "RUN_TRANSFERRED",
]);

/** Whether a write was refused because another writer was first. */
export function isConflict(value: unknown): value is WorkflowError {
  return brandedCode(value) === "STORE_CONFLICT";
}

/** What a run, or what belongs to it, can have that cannot be read any more. */
const DAMAGE: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>(["RUN_CORRUPT", "STORE_DATA_CORRUPT", "STORE_TAMPERED"]);

/** Whether a run cannot be read any more; others can. */
export function isDamage(value: unknown): value is WorkflowError {
  return DAMAGE.has(brandedCode(value));
}

/** Characters of an error's message that are kept: it may repeat what a block was given. */
const MAX_MESSAGE_LENGTH = 4_000;
/** Characters of its details, written as JSON. */
const MAX_DETAILS_LENGTH = 65_536;
/** Characters of its path and source. */
const MAX_PLACE_LENGTH = 1_000;
const CODE = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/**
 * The error as plain data that can be kept; any value may have been thrown; `code` is used for what is no {@link WorkflowError}. Never
 * throws.
 */
export function errorData(thrown: unknown, code: ErrorCode): ErrorData {
  try {
    return plainError(isWorkflowError(thrown) ? thrown.toJSON() : { message: messageOf(thrown) }, code);
  } catch {
    // Objects without a prototype, and some that are none of ours, are no text.
    return { code, message: "What was thrown cannot be read." };
  }
}

/** The error that a block gave as data, of any form, as it can be kept. Never throws. */
export function givenError(given: unknown, code: ErrorCode): ErrorData {
  try {
    return plainError(isRecord(given) ? given : { message: given }, code);
  } catch {
    return { code, message: "The error that was given cannot be read." };
  }
}

/** What led to an error that a block gave as data; nothing where that cannot be read. */
export function causeOf(given: unknown): unknown {
  try {
    return isRecord(given) ? given["cause"] : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(thrown: unknown): string {
  return String(thrown instanceof Error ? thrown.message : thrown);
}

/** Reads each member once: getters may give something else the next time. */
function plainError(given: { readonly [Name in keyof ErrorData]?: unknown }, fallback: ErrorCode): ErrorData {
  const { code, message, details, path, line, column, source } = given;
  const kept = plainDetails(details);
  return {
    code: typeof code === "string" && CODE.test(code) ? (code as ErrorCode) : fallback,
    message: typeof message === "string" ? message.slice(0, MAX_MESSAGE_LENGTH) : "No reason was given.",
    ...(typeof path === "string" ? { path: path.slice(0, MAX_PLACE_LENGTH) } : {}),
    ...(Number.isSafeInteger(line) ? { line: line as number } : {}),
    ...(Number.isSafeInteger(column) ? { column: column as number } : {}),
    ...(typeof source === "string" ? { source: source.slice(0, MAX_PLACE_LENGTH) } : {}),
    ...(kept ? { details: kept } : {}),
  };
}

/** Details as plain JSON of their own; nothing where they are too large, too deep, or no JSON. */
function plainDetails(details: unknown): ErrorData["details"] {
  if (!isRecord(details)) return undefined;
  try {
    const text = JSON.stringify(details);
    if (text.length > MAX_DETAILS_LENGTH || isDeeperThan(text, MAX_VALUE_DEPTH)) return undefined;
    return JSON.parse(text) as NonNullable<ErrorData["details"]>;
  } catch {
    return undefined;
  }
}

/** A message that begins with its place, for those who read nothing but messages. */
export function withPlace(message: string, { line, column }: { readonly line?: number; readonly column?: number }): string {
  return `Line ${line}, column ${column}: ${message}`;
}

/** The message of a problem without its place, to be shown beside it. */
export function withoutPlace(problem: ErrorData): string {
  const lead = withPlace("", problem);
  return problem.message.startsWith(lead) ? problem.message.slice(lead.length) : problem.message;
}
