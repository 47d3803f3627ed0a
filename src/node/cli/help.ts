import type { Command, CommandOption } from "./command.ts";
import { EXIT_MEANINGS } from "./exit-code.ts";

/** Characters of a line of help. */
const WIDTH = 100;

/** What `wavepoint --help` says. */
export function helpOf(commands: readonly Command[]): string {
  return `${[
    "wavepoint: durable workflows from YAML files. A run that was killed or that waits continues where it was.",
    "",
    "Usage: wavepoint COMMAND [ARGUMENTS] [OPTIONS]",
    "",
    "Commands:",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Options:",
    ...columns([
      ["--help", "Explain a command: wavepoint COMMAND --help."],
      ["--version", "Print the version."],
    ]),
    "",
    ...exitCodes(),
    "",
    "Runs are kept in the directory .wavepoint of the working directory unless --store names another place. Results go to",
    "standard output; progress, questions and errors to standard error. NO_COLOR turns colours off.",
  ].join("\n")}\n`;
}

/** What `wavepoint COMMAND --help` says. */
export function helpOfCommand({ name, usage, summary, about, options }: Command): string {
  return `${[
    `Usage: wavepoint ${name} ${usage}`,
    "",
    ...wrap(summary, WIDTH),
    ...(about.length > 0 ? ["", ...about.flatMap((line) => wrap(line, WIDTH))] : []),
    "",
    "Options:",
    ...columns([...options.map(optionColumns), ["--help", "Show this."]]),
    "",
    ...exitCodes(),
  ].join("\n")}\n`;
}

function exitCodes(): readonly string[] {
  return ["Exit codes:", ...columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))];
}

function optionColumns({ name, value, about }: CommandOption): readonly [string, string] {
  return [value ? `--${name} ${value}` : `--${name}`, about];
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, about]) =>
    wrap(about, WIDTH - left).map((line, index) => `${(index === 0 ? `  ${name}` : "").padEnd(left)}${line}`),
  );
}

function wrap(text: string, width: number): readonly string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
