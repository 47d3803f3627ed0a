import type { ErrorCode } from "wavepoint";

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

/**
 * Which of our codes say that the attacked thing was refused, by the code of the manifest. A refusal for another reason proves nothing:
 * the attack might have come through where the other reason is away.
 */
const CODES: ReadonlyMap<string, readonly ErrorCode[]> = new Map([
  ["E_PARSE", [...YAML, ...SCHEMA]],
  ["E_SCHEMA", [...YAML, ...SCHEMA]],
  ["E_LIMIT_ALIAS", [...YAML, ...LIMIT]],
  ["E_LIMIT_DEPTH", [...YAML, ...LIMIT]],
  ["E_LIMIT_SIZE", [...YAML, ...LIMIT, "RESPONSE_INVALID"]],
  ["E_LIMIT_NODES", [...YAML, ...LIMIT]],
  ["E_LIMIT_ITER", LIMIT],
  ["E_LIMIT_TIME", [...LIMIT, "BLOCK_TIMEOUT"]],
  ["E_EXPR_SYNTAX", [...EXPRESSION, ...LIMIT]],
  ["E_EXPR_FORBIDDEN_KEY", [...EXPRESSION, "SECRET_MISPLACED"]],
  ["E_EXPR_UNKNOWN_REF", EXPRESSION],
  ["E_EXPR_TYPE", [...EXPRESSION, "EXPRESSION_TYPE"]],
  ["E_KEY_INVALID", ["ID_INVALID", "ID_DUPLICATE", "KEY_FORBIDDEN", "SCHEMA_INVALID", "STORE_KEY_INVALID", "TEXT_MISLEADING"]],
  ["E_REGEX_UNSUPPORTED", ["PATTERN_INVALID"]],
  ["E_REGEX_LIMIT", ["PATTERN_INVALID", ...LIMIT]],
  ["E_NESTING", ["WORKFLOW_CIRCULAR", ...LIMIT]],
  ["W_BIDI", ["TEXT_MISLEADING"]],
]);

/** Whether a refusal with our code is the one that the manifest asks for. A code that the table lacks accepts none. */
export function isRefusalFor(manifestCode: string, code: string): boolean {
  return CODES.get(manifestCode)?.some((known) => known === code) === true;
}
