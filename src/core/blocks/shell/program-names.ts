/** Shells: what follows their option "-c" is a script. */
export const SHELLS: ReadonlySet<string> = new Set(
  words("sh bash rbash dash ash hush zsh ksh ksh93 mksh oksh pdksh lksh yash posh fish csh tcsh elvish nu xonsh pwsh powershell cmd"),
);

/** Commands of the shell that parse or evaluate their arguments. `read` and its kin evaluate the names they are given. */
export const EVALUATORS: ReadonlySet<string> = new Set(
  words("eval let trap alias unalias unset read getopts mapfile readarray wait fc hash bind complete compgen compopt enable"),
);

/** Commands that take assignments as arguments. */
export const DECLARERS: ReadonlySet<string> = new Set(words("export readonly local declare typeset"));

/** Programs that hand their arguments to a shell, here or on another machine. */
export const FORWARDERS: ReadonlySet<string> = new Set(words("ssh rsh mosh su runuser script watch parallel"));

/** Commands that take names of variables, whose indexes some shells evaluate. */
const NAMERS: ReadonlySet<string> = new Set(words("test [ [[ printf . source"));

/** Commands that run the command in their arguments. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  words("command builtin exec env nohup nice ionice stdbuf timeout setsid busybox sudo doas chroot xargs time"),
);

/** Variables whose values a shell expands or reads as a script. */
export const PARSED_VARIABLES: ReadonlySet<string> = new Set(words("PS1 PS2 PS4 PROMPT_COMMAND ENV BASH_ENV"));

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** The name of a program in a path: shells are known by it. Windows adds an extension. */
export function programName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

/** Whether data may not choose this program: what comes after it would be parsed. */
export function isParser(program: string): boolean {
  const name = programName(program);
  return [SHELLS, EVALUATORS, DECLARERS, FORWARDERS, WRAPPERS, NAMERS].some((names) => names.has(name));
}
