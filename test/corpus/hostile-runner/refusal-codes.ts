import type { ErrorCode, ErrorData } from "wavepoint";

const EXPRESSION: readonly ErrorCode[] = [
  "EXPRESSION_SYNTAX",
  "REFERENCE_UNKNOWN",
  "REFERENCE_FORBIDDEN",
  "KEY_FORBIDDEN",
  "SECRET_MISPLACED",
];
const LIMIT: readonly ErrorCode[] = ["LIMIT_EXCEEDED"];
const SCHEMA: readonly ErrorCode[] = ["SCHEMA_INVALID", "KEY_UNKNOWN", "KEY_FORBIDDEN", "BLOCK_INPUT_INVALID", "INPUT_INVALID"];
const YAML: readonly ErrorCode[] = ["YAML_SYNTAX", "YAML_REFUSED"];
const DAMAGE: readonly ErrorCode[] = ["RUN_CORRUPT", "RUN_FILE_INVALID", "CHECKPOINT_CORRUPT", "STORE_DATA_CORRUPT"];

/**
 * Which of our codes say that the attacked thing was refused, by the code of the manifest. A refusal for another reason proves nothing:
 * the attack might have come through where the other reason is away.
 */
const CODES: ReadonlyMap<string, readonly ErrorCode[]> = new Map([
  ["E_PARSE", [...YAML, ...SCHEMA]],
  ["E_SCHEMA", [...YAML, ...SCHEMA, "ENVIRONMENT_FORBIDDEN"]],
  ["E_LIMIT_ALIAS", [...YAML, ...LIMIT]],
  ["E_LIMIT_DEPTH", [...YAML, ...LIMIT, ...DAMAGE]],
  ["E_LIMIT_SIZE", [...YAML, ...LIMIT, ...DAMAGE, "RESPONSE_INVALID"]],
  ["E_LIMIT_NODES", [...YAML, ...LIMIT]],
  ["E_LIMIT_ITER", LIMIT],
  ["E_LIMIT_TIME", [...LIMIT, "BLOCK_TIMEOUT"]],
  ["E_EXPR_SYNTAX", [...EXPRESSION, ...LIMIT]],
  ["E_EXPR_FORBIDDEN_KEY", EXPRESSION],
  ["E_EXPR_UNKNOWN_REF", EXPRESSION],
  ["E_ARITHMETIC", ["ARITHMETIC_INVALID"]],
  ["E_CHANNEL_UNKNOWN", ["CHANNEL_UNKNOWN"]],
  ["E_EXPR_TYPE", [...EXPRESSION, "EXPRESSION_TYPE"]],
  ["E_KEY_INVALID", ["ID_INVALID", "ID_DUPLICATE", "KEY_FORBIDDEN", "SCHEMA_INVALID", "STORE_KEY_INVALID", "TEXT_MISLEADING", ...DAMAGE]],
  ["E_REGEX_UNSUPPORTED", ["PATTERN_INVALID"]],
  ["E_REGEX_LIMIT", ["PATTERN_INVALID", ...LIMIT]],
  ["E_NESTING", ["WORKFLOW_CIRCULAR", ...LIMIT]],
  ["E_PATH_ESCAPE", ["PATH_FORBIDDEN"]],
  ["E_PATH_RESERVED", ["PATH_FORBIDDEN"]],
  ["E_FILE_KIND", ["FILE_REFUSED"]],
  ["E_ENCODING", ["FILE_ENCODING"]],
  ["E_SHELL_INTERP", ["SHELL_UNSAFE"]],
  ["E_ENV_FORBIDDEN", ["ENVIRONMENT_FORBIDDEN"]],
  ["E_CAPABILITY_DENIED", ["CAPABILITY_MISSING"]],
  ["E_CKPT_VERSION", ["SCHEMA_VERSION_UNSUPPORTED"]],
  // A called run is looked for by its caller: one that is its own child is not found.
  ["E_CKPT_CORRUPT", [...DAMAGE, "SCHEMA_VERSION_UNSUPPORTED", "RUN_NOT_FOUND"]],
  ["E_CKPT_WORKFLOW_CHANGED", DAMAGE],
  ["E_CKPT_AUTH", [...DAMAGE, "STORE_TAMPERED"]],
  ["E_CKPT_ROLLBACK", ["STORE_TAMPERED"]],
  ["W_BIDI", ["TEXT_MISLEADING"]],
]);

/** Whether a refusal with our code is the one that the manifest asks for. A code that the table lacks accepts none. */
export function isRefusalFor(manifestCode: string, code: string): boolean {
  return CODES.get(manifestCode)?.some((known) => known === code) === true;
}

/** Whether the reason is in the error itself, or in the one of the called workflow or block that it tells of. */
export function namesRefusal(manifestCode: string, error: ErrorData): boolean {
  const codes = JSON.stringify(error).match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
  return codes.some((found) => isRefusalFor(manifestCode, found));
}
