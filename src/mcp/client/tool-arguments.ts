import { holdsReference, literalOf } from "../../core/definition/definition.ts";
import { readySchema, type ReadySchema } from "../../core/expression/ready-schema.ts";
import { isWorkflowError } from "../../core/model/errors.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import type { InputProblem } from "../../core/ports/block.ts";
import { lowerSchema } from "../../core/ports/lower-schema.ts";
import type { KnownTool } from "./granted-servers.ts";

type Arguments = { readonly [name: string]: Value };

/** What is wrong with arguments as a workflow writes them, as far as it is known before a run: what references give is left for later. */
export async function checkWritten(tool: KnownTool, written: Value = {}): Promise<InputProblem[]> {
  if (!isRecord(written)) return [];
  const given = Object.entries(written as Arguments);
  const later = new Set(given.flatMap(([name, value]) => (holdsReference(value) ? [name] : [])));
  const known = Object.fromEntries(given.filter(([name]) => !later.has(name)).map(([name, value]) => [name, literalOf(value)]));
  return (await findProblems(tool, known))
    .filter(({ name }) => (name === undefined ? later.size === 0 : !later.has(name)))
    .map(({ name, message }) => ({
      input: "arguments",
      keys: name !== undefined && Object.hasOwn(written, name) ? [name] : [],
      code: "BLOCK_INPUT_INVALID",
      message,
    }));
}

/** What is wrong with the arguments of a call; nothing where the schema of the tool cannot be read here: its server checks them too. */
export async function describeMisfit(tool: KnownTool, given: Arguments): Promise<string | undefined> {
  const problems = await findProblems(tool, given);
  return problems.length === 0 ? undefined : problems.map(({ message }) => message).join(" ");
}

interface Problem {
  /** The argument that it is about; absent where it is about all of them. */
  readonly name: string | undefined;
  readonly message: string;
}

async function findProblems(tool: KnownTool, given: Arguments): Promise<readonly Problem[]> {
  const schema = await readable(tool);
  return (schema?.check(given).problems ?? []).map(({ path, message }) => ({
    name: /^[^.[]+/.exec(path)?.[0],
    message: `${path === "" ? "what it is given" : `the argument "${path}"`} ${message}.`,
  }));
}

async function readable({ name, inputSchema }: KnownTool): Promise<ReadySchema | undefined> {
  try {
    return await readySchema(lowerSchema(inputSchema, `Tool "${name}"`));
  } catch (error) {
    if (isWorkflowError(error)) return undefined;
    throw error;
  }
}
