/** Shells: they parse what follows `-c`, and what they read from their input. */
const SHELLS: ReadonlySet<string> = new Set(
  words("sh bash rbash dash ash hush zsh ksh ksh93 mksh oksh pdksh lksh yash posh fish csh tcsh elvish nu xonsh pwsh powershell cmd"),
);

/** Programs that hand their arguments to a shell, here or on another machine. */
const FORWARDERS: ReadonlySet<string> = new Set(words("ssh rsh mosh su runuser sg script watch parallel at batch"));

/** Programs whose option `-c` takes a script for a shell. */
const RUNS_SCRIPT: ReadonlySet<string> = new Set([...SHELLS, ...words("flock su runuser sg script")]);

/** Commands and keywords that parse or evaluate their arguments, run what they name, or that not every shell knows. */
const EVALUATORS: ReadonlySet<string> = new Set(
  words(
    "eval . source trap alias let declare typeset getopts mapfile readarray complete compgen compopt bind enable fc history hash jobs",
  ).concat(words("coproc select function [[")),
);

/** Variables whose values a shell expands, reads as a script or evaluates as a number. */
const PARSED_VARIABLES = /^(?:PS\d|PROMPT_COMMAND|ENV|BASH_ENV|S?RANDOM|OPTIND|HISTCMD)$/;

/** An option that a shell takes a script after. */
export const SCRIPT_OPTION: RegExp = /^[-+](?=[A-Za-z]+$)[A-Zabd-z]*c/;

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** The name of the program in a path, or behind the `=` of an option. Windows adds an extension. */
export function programName(path: string): string {
  const start = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"), path.lastIndexOf("=")) + 1;
  const name = path.slice(start).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

/** Whether a program is a shell, or hands its arguments to one. What lies in /proc and /dev may be one. */
export function isShell(path: string): boolean {
  const name = programName(path);
  return SHELLS.has(name) || FORWARDERS.has(name) || /^\/(?:proc|dev)\//.test(path);
}

/** Whether a word among the arguments of a program names a shell that the program may start. */
export function namesShell(word: string): boolean {
  return SHELLS.has(programName(word));
}

/** Whether a script for a shell follows an option `-c` after this word. */
export function takesScript(word: string): boolean {
  return RUNS_SCRIPT.has(programName(word));
}

export function isEvaluator(name: string): boolean {
  return EVALUATORS.has(name);
}

export function isParsedVariable(name: string): boolean {
  return PARSED_VARIABLES.test(name);
}

/** Whether a word of `env` is the option that makes a command of a text, or starts with it. */
export function isSplitOption(word: string): boolean {
  return /^-[A-Za-z0-9]*S|^--s/.test(word);
}
