import { WorkflowError } from "../model/errors.ts";
import { listNames, nearestName } from "../model/suggestions.ts";
import { FORBIDDEN_KEYS } from "../model/value.ts";

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * The value at the end of a path, from own members only: an inherited name is a missing one. The parts before `from` have been walked
 * already and are only for messages. Throws `REFERENCE_UNKNOWN`, which says what exists.
 */
export function walkPath(value: unknown, path: readonly (string | number)[], from: number): unknown {
  let current = value;
  for (let at = from; at < path.length; at++) {
    const key = path[at]!;
    if (isForbiddenKey(key)) throw forbiddenKey(key, 1);
    if (Array.isArray(current)) {
      const index = typeof key === "number" ? key : INDEX.test(key) ? Number(key) : -1;
      if (index < 0 || index >= current.length) throw missing(current, path, at);
      current = current[index];
    } else if (typeof current === "object" && current !== null && Object.hasOwn(current, key)) {
      current = (current as { readonly [key: string]: unknown })[key];
    } else {
      throw missing(current, path, at);
    }
  }
  return current;
}

/** A path as it is written: `blocks.a.outputs["odd key"][0]`. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[\p{ID_Continue}-]+$/u.test(part)) text += text === "" ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

function missing(container: unknown, path: readonly (string | number)[], at: number): WorkflowError {
  const place = formatPath(path.slice(0, at));
  const whole = formatPath(path);
  if (Array.isArray(container)) {
    return unknown(
      whole,
      `${place} is a list of ${container.length}${container.length > 0 ? `, indexed from 0 to ${container.length - 1}` : ""}.`,
    );
  }
  if (typeof container !== "object" || container === null) {
    return unknown(
      whole,
      `${place} is ${container === null || container === undefined ? "null" : `a ${typeof container}`} and has no members.`,
    );
  }
  const names = Object.keys(container);
  const nearest = nearestName(String(path[at]), names);
  return unknown(
    whole,
    `${place} has no "${path[at]}".${nearest === undefined ? "" : ` Did you mean "${nearest}"?`} ${names.length === 0 ? "It is empty." : `It has: ${listNames(names)}.`}`,
  );
}

function unknown(path: string, reason: string): WorkflowError {
  return new WorkflowError("REFERENCE_UNKNOWN", `\${${path}} does not exist: ${reason}`, { details: { reference: path } });
}

/** Whether a key may stand in a reference: the engine's own state and the ways into prototypes are out of reach. */
export function isForbiddenKey(key: string | number): boolean {
  return key === "__internal__" || (typeof key === "string" && FORBIDDEN_KEYS.has(key));
}

/** The error for a key that {@link isForbiddenKey}: `REFERENCE_FORBIDDEN`. */
export function forbiddenKey(key: string | number, column: number): WorkflowError {
  return new WorkflowError(
    "REFERENCE_FORBIDDEN",
    `"${key}" is not data and cannot be referenced. Refer to inputs, metadata or outputs of blocks.`,
    {
      place: { column },
    },
  );
}
