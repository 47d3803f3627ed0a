import { parseTemplate } from "../../expression/parse-template.ts";
import { textOf } from "../../expression/render.ts";
import type { ErrorData } from "../../model/errors.ts";
import { MAX_COMMAND_OUTPUT_BYTES } from "../../model/limits.ts";
import { isRecord, type Value, type Values } from "../../model/value.ts";
import { failure, success, type BlockContext, type BlockResult, type InputProblem, type TextPart } from "../../ports/block.ts";
import type { ShellCall, ShellOutcome } from "../../ports/shell.ts";
import { problemsOf, wrongInput } from "../input-problems.ts";
import { argumentsOf, checkArguments } from "./arguments.ts";
import { assertVariableName } from "./environment.ts";
import { assertVariable, checkScript, placeValues } from "./place-values.ts";
import { parseFolder } from "../../model/file-path.ts";

/** Characters of standard error that a failure repeats. */
const LAST_WORDS = 1_000;
/** What a shell says of a program it does not find. POSIX, "Exit Status for Commands". */
const NOT_FOUND = 127;

interface Inputs {
  readonly command?: string;
  readonly argv?: readonly Value[];
  readonly working_dir: string;
  readonly timeout: number;
  readonly env: { readonly [name: string]: Value };
  readonly capture_output: boolean;
  readonly options: "refuse" | "allow";
}

interface Outputs {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly success: boolean;
}

/** What is wrong with the inputs of a Shell block, as far as it can be told before it runs. */
export function checkCommand({ working_dir: folder }: Values, { command, argv, env }: Values): InputProblem[] {
  const problems: InputProblem[] = [];
  if ((command === undefined) === (argv === undefined)) {
    const message = 'Give either "command", a text for the shell, or "argv", a program with its arguments.';
    problems.push(wrongInput(command === undefined ? "command" : "argv", message));
  }
  if (typeof command === "string" && (holdsReference(command) || holdsReference(env))) {
    problems.push(...problemsOf("command", () => checkScript(parseTemplate(command).parts)));
  }
  if (Array.isArray(argv)) problems.push(...problemsOf("argv", () => checkArguments(argv)));
  if (isRecord(env)) for (const name of Object.keys(env)) problems.push(...problemsOf("env", () => assertVariableName(name)));
  if (typeof folder === "string") problems.push(...problemsOf("working_dir", () => parseFolder(folder)));
  return problems;
}

function holdsReference(value: Value | undefined): boolean {
  if (typeof value === "string") return parseTemplate(value).parts.some((part) => typeof part !== "string");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsReference);
}

/** Runs the command of a Shell block. */
export async function runCommand(context: BlockContext<Inputs>): Promise<BlockResult<Outputs>> {
  return resultOf(context, await context.grants.shell!.run(await callOf(context)));
}

async function callOf(context: BlockContext<Inputs>): Promise<ShellCall> {
  const { argv, working_dir: folder, timeout, env, options } = context.inputs;
  const parts = context.parts("command");
  const given = Object.entries(env).map(([name, value]): [string, string] => {
    assertVariableName(name);
    const text = textOf(value);
    assertVariable(text, `The variable ${name}`);
    return [name, text];
  });
  const takesOptions = options === "allow";
  const placed = placeValues(parts, { takesOptions });
  // A folder is made only for those who speak of it.
  const wantsScratch = parts.some((part) => typeof part === "string" && part.includes("SCRATCH"));
  return {
    command: argv === undefined ? placed.command : argumentsOf(context, argv, takesOptions),
    workingDir: parseFolder(folder),
    env: { ...Object.fromEntries(given), ...placed.env, ...(wantsScratch ? { SCRATCH: await context.scratch() } : {}) },
    timeoutMs: timeout * 1_000,
    signal: context.signal,
    onOutput: (stream, text) => context.output(stream, text),
  };
}

function resultOf(context: BlockContext<Inputs>, outcome: ShellOutcome): BlockResult<Outputs> {
  const { ended, exitCode, stdout, stderr } = outcome;
  const isSuccess = ended === "exit" && exitCode === 0;
  const kept = context.inputs.capture_output ? { stdout, stderr } : { stdout: "", stderr: "" };
  const outputs = { exit_code: exitCode, ...kept, success: isSuccess };
  return isSuccess ? success(outputs) : failure(problemOf(context, outcome), outputs);
}

function problemOf(context: BlockContext<Inputs>, outcome: ShellOutcome): ErrorData {
  const { ended, exitCode, stderr } = outcome;
  const { timeout } = context.inputs;
  switch (ended) {
    case "timeout":
      return {
        code: "BLOCK_TIMEOUT",
        message: `The command was ended after ${timeout} s. Give it more time with "timeout".${lastWords(stderr)}`,
        details: { timeoutMs: timeout * 1_000 },
      };
    case "output":
      return {
        code: "LIMIT_EXCEEDED",
        message: `The command was ended because it wrote more than ${MAX_COMMAND_OUTPUT_BYTES} bytes. Write to a file instead.`,
        details: { limit: MAX_COMMAND_OUTPUT_BYTES },
      };
    case "cancelled":
      return { code: "RUN_CANCELLED", message: "The command was ended because the block was stopped." };
    case "exit":
      return {
        code: "BLOCK_FAILED",
        message: `The command ended with exit code ${exitCode}.${adviceFor(context, outcome)}${lastWords(stderr)}`,
        details: { exit_code: exitCode },
      };
  }
}

/** Where a shell looked for a program with the name of a value, a whole command line may have been given for one word. */
function adviceFor(context: BlockContext<Inputs>, { exitCode, stderr }: ShellOutcome): string {
  const isCommandLine = (part: TextPart): boolean =>
    typeof part !== "string" && /\s/.test(textOf(part.value).trim()) && stderr.includes(textOf(part.value).trim());
  if (exitCode !== NOT_FOUND || !context.parts("command").some(isCommandLine)) return "";
  return ' A value is one word, never a command line: give the program and each of its arguments as an item of "argv".';
}

function lastWords(stderr: string): string {
  const text = stderr.trimEnd();
  return text === "" ? "" : ` It wrote: ${text.length > LAST_WORDS ? "…" : ""}${text.slice(-LAST_WORDS)}`;
}
