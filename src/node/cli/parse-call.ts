import { parseArgs } from "node:util";
import { adviseName } from "../../core/model/suggestions.ts";
import { WorkflowError } from "../../index.ts";
import type { Call, Command, CommandOption } from "./command.ts";

/** Reads the arguments after a command's name. Throws `COMMAND_INVALID`. */
export function parseCall(command: Command, args: readonly string[]): Call {
  const known = new Map(command.options.map((option) => [option.name, option]));
  const options = Object.fromEntries(command.options.map(({ name, value }) => [name, { type: value ? "string" : "boolean" } as const]));
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const places: string[] = [];
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") places.push(token.value);
    if (token.kind !== "option") continue;
    const option = known.get(token.name);
    if (!option) throw invalid(command, unknownOption(token.rawName, known));
    given.set(option.name, [...(given.get(option.name) ?? []), valueOf(command, option, token)]);
  }
  for (const option of command.options) {
    if (!option.several && (given.get(option.name)?.length ?? 0) > 1)
      throw invalid(command, `--${option.name} stands twice. Give it once.`);
  }
  const { least, most } = command.takes;
  if (places.length < least) throw invalid(command, missing(command.usage.split(" ")[places.length]!));
  if (places.length > most) throw invalid(command, `"${places[most]!}" is one argument too many.`);
  return {
    places,
    value: (option) => given.get(option)?.at(-1),
    values: (option) => given.get(option) ?? [],
    has: (option) => given.has(option),
  };
}

/** What an argument is called in the usage of a command. */
function missing(argument: string): string {
  const name = argument.replace("...", "");
  return name.startsWith("RUN") ? `${name} is missing. wavepoint runs lists those that there are.` : `${name} is missing.`;
}

function valueOf(
  command: Command,
  { name, value }: CommandOption,
  token: { readonly value: string | undefined; readonly inlineValue: boolean | undefined },
): string {
  if (value === undefined) {
    if (token.value !== undefined) throw invalid(command, `--${name} takes no value.`);
    return "";
  }
  if (token.value === undefined || (!token.inlineValue && token.value.startsWith("--"))) {
    throw invalid(command, `--${name} needs a value: --${name} ${value}.`);
  }
  return token.value;
}

function unknownOption(written: string, known: ReadonlyMap<string, CommandOption>): string {
  if (!written.startsWith("--")) return `There is no option ${written}. An argument that starts with "-" stands after "--".`;
  return `There is no option ${written}.${adviseName(written.slice(2), known.keys()).sentence}`;
}

function invalid({ name, usage }: Command, problem: string): WorkflowError {
  return new WorkflowError("COMMAND_INVALID", `${problem} Usage: wavepoint ${name} ${usage}. More: wavepoint ${name} --help`);
}
