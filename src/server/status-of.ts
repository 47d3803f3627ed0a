import type { ErrorCode } from "../core/model/errors.ts";

const NOT_FOUND: readonly ErrorCode[] = ["RUN_NOT_FOUND", "CHECKPOINT_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FILE_MISSING"];
const GONE: readonly ErrorCode[] = ["PAUSE_EXPIRED", "PAUSE_ENDED", "PAUSE_WITHDRAWN", "CHECKPOINT_PRUNED"];
const CONFLICT: readonly ErrorCode[] = [
  "RUN_EXISTS",
  "RUN_ACTIVE",
  "RUN_ENDED",
  "RUN_TRANSFERRED",
  "PAUSE_ALREADY_ANSWERED",
  "CHECKPOINT_STALE",
  "WORKFLOW_DUPLICATE",
  "DEFINITION_MISMATCH",
  "DEFINITION_UNTRUSTED",
  "STORE_CONFLICT",
];
const TOO_LARGE: readonly ErrorCode[] = ["LIMIT_EXCEEDED", "CHECKPOINT_TOO_LARGE"];
/** Errors of the request: the caller may ask for something else. */
const OF_THE_REQUEST: readonly ErrorCode[] = ["STORE_KEY_INVALID", "STORE_QUERY_INVALID", "REQUEST_INVALID", "KEY_UNKNOWN"];
/** May do later. */
const UNAVAILABLE: readonly ErrorCode[] = ["STORE_LOST", "STORE_BLOCKED", "STORE_CLOSED", "STORE_UNREACHABLE"];
/** Failures of the server, or of something that it needs. */
const BROKEN: readonly ErrorCode[] = [
  "RUN_CORRUPT",
  "CHECKPOINT_CORRUPT",
  "BLOCK_TYPE_MISSING",
  "REDUCER_MISSING",
  "REDUCER_FAILED",
  "SECRET_MISSING",
  "SERIALIZER_MISSING",
  "SCHEMA_VERSION_UNSUPPORTED",
];

const STATUS: ReadonlyMap<ErrorCode, number> = new Map(
  (
    [
      [400, OF_THE_REQUEST],
      [403, ["ACCESS_DENIED"]],
      [404, NOT_FOUND],
      [409, CONFLICT],
      [410, GONE],
      [413, TOO_LARGE],
      [500, BROKEN],
      [503, UNAVAILABLE],
      [507, ["STORE_QUOTA"]],
    ] satisfies readonly (readonly [number, readonly ErrorCode[]])[]
  ).flatMap(([status, codes]) => codes.map((code) => [code, status] as const)),
);

const UNPROCESSABLE = 422;
const INTERNAL = 500;

/** The HTTP status of an error. */
export function statusOf(code: ErrorCode): number {
  return STATUS.get(code) ?? (code.startsWith("STORE_") ? INTERNAL : UNPROCESSABLE);
}
