import type { Value, Values } from "../core/model/value.ts";

/** `${NAME}`, `${NAME:-word}` and the like in capitals, and what stands before it: a second dollar sign makes it text already. */
const VARIABLE = /(\$?)\$\{(?=([A-Z][A-Z0-9_]*)[}:#%/^,+=?@[-])/g;

/**
 * The inputs of a Shell block, whose command may say `${HOME}`: a name in capitals that the workflow does not declare is the shell's own, and is
 * written `$${HOME}` from then on.
 */
export function withShellVariables(inputs: Values, isDeclared: (name: string) => boolean): Values {
  const command: Value | undefined = inputs["command"];
  if (typeof command !== "string" || !command.includes("${")) return inputs;
  const escaped = command.replace(VARIABLE, (found, dollar: string, name: string) =>
    dollar === "" && !isDeclared(name) ? `$${found}` : found,
  );
  return escaped === command ? inputs : { ...inputs, command: escaped };
}
