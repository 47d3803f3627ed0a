import { WorkflowError, type ErrorData, type SecretsProvider, type Value, type Values, type Workflow } from "../../index.ts";
import type { Call } from "./command.ts";
import { plainLine } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";

/** The prefix of a secret's name in the environment. */
const SECRET_PREFIX = "WAVEPOINT_SECRET_";

/** Reads secrets from the environment, `WAVEPOINT_SECRET_<NAME>`. On a terminal, asks for missing ones, once each and one after another. */
export function commandSecrets(call: Call, terminal: Terminal, environment: NodeJS.ProcessEnv = process.env): SecretsProvider {
  const asked = new Map<string, Promise<string | undefined>>();
  let last: Promise<unknown> = Promise.resolve();
  return (name) => {
    const given = environment[SECRET_PREFIX + name];
    if (given !== undefined || !terminal.interactive || call.has("json")) return given;
    let answer = asked.get(name);
    if (!answer) {
      answer = last.then(() => askSecret(name, terminal));
      asked.set(name, answer);
      last = answer.catch(() => {});
    }
    return answer;
  };
}

/** Returns the inputs of a run, with the secret ones that were not given. Throws `SECRET_MISSING` if one is missing. */
export async function withSecretInputs(workflow: Workflow, given: Values, secrets: SecretsProvider): Promise<Values> {
  const inputs = new Map<string, Value>(Object.entries(given));
  const missing: string[] = [];
  for (const [name, { secret, required }] of Object.entries(workflow.inputs ?? {})) {
    if (!secret || inputs.has(name)) continue;
    const value = await secrets(name);
    if (value !== undefined) inputs.set(name, value);
    else if (required !== false) missing.push(name);
  }
  if (missing.length === 0) return Object.fromEntries(inputs);
  throw new WorkflowError("SECRET_MISSING", `The run needs secret inputs: ${missing.join(", ")}.`, { details: { secrets: missing } });
}

async function askSecret(name: string, terminal: Terminal): Promise<string | undefined> {
  const answer = await terminal.ask({ kind: "secret", text: `The workflow needs the secret ${plainLine(name)}`, choices: [] });
  return typeof answer === "string" && answer !== "" ? answer : undefined;
}

/** Returns the error with the variable that a missing secret comes from, in place of the advice for programs. */
export function withSecretAdvice(error: ErrorData): ErrorData {
  const names = error.code === "SECRET_MISSING" ? error.details?.["secrets"] : undefined;
  if (!Array.isArray(names)) return error;
  const variables = names.map((name) => SECRET_PREFIX + plainLine(String(name))).join(", ");
  return { ...error, message: `The run needs secrets. Set ${variables} in the environment.` };
}
