import { WorkflowError } from "../model/errors.ts";
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH } from "../model/limits.ts";
import type { SecretsProvider } from "../ports/grants.ts";
import type { SecretValues } from "./run-secrets.ts";

/**
 * Asks for secrets by their names, all at the same time. `where` begins the message of an error. Throws `SECRET_MISSING` with all that are
 * missing, `SECRET_TOO_SHORT` and `LIMIT_EXCEEDED`.
 */
export async function askForSecrets(provider: SecretsProvider | undefined, names: readonly string[], where: string): Promise<SecretValues> {
  const missing: string[] = [];
  let cause: unknown;
  const asked = await Promise.all(
    names.map(async (name) => {
      try {
        const value = await provider?.(name);
        if (value === undefined || value === null) missing.push(name);
        return [name, value] as const;
      } catch (error) {
        cause ??= error;
        missing.push(name);
        return [name, undefined] as const;
      }
    }),
  );
  if (missing.length > 0) throw missingSecrets(missing, where, cause);
  return new Map(asked.map(([name, value]) => [name, assertSecret(value, name)]));
}

function missingSecrets(names: readonly string[], where: string, cause: unknown): WorkflowError {
  const list = names.toSorted().join(", ");
  const why = cause === undefined ? "and was not given" : "and could not get";
  return new WorkflowError(
    "SECRET_MISSING",
    `${where} needs ${names.length === 1 ? "a secret" : "secrets"} ${why} ${names.length === 1 ? "it" : "them"}: ${list}. Give createExecutor \`secrets\`, a function from a name to its value; nothing of the run was changed.`,
    { details: { secrets: names.toSorted() }, cause },
  );
}

/** The value as a secret. Throws `SECRET_TOO_SHORT` and `LIMIT_EXCEEDED` for what could not be masked; messages do not show it. */
export function assertSecret(value: unknown, name: string): string {
  if (typeof value !== "string" || value.trim().length < MIN_SECRET_LENGTH) {
    throw new WorkflowError(
      "SECRET_TOO_SHORT",
      `The secret "${name}" is ${typeof value === "string" ? "too short to be masked" : "no text"}. Give a text of at least ${MIN_SECRET_LENGTH} characters, blanks around it left out.`,
      { details: { secret: name, limit: MIN_SECRET_LENGTH } },
    );
  }
  if (value.length <= MAX_SECRET_LENGTH) return value;
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `The secret "${name}" has ${value.length} characters; ${MAX_SECRET_LENGTH} are allowed. Give a key to the data instead of the data.`,
    { details: { secret: name, limit: MAX_SECRET_LENGTH } },
  );
}
