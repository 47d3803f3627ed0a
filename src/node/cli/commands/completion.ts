import { WorkflowError } from "../../../index.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";

/** What completes the words of the command line, for each shell that can. `commands` gives all of them, this one included. */
export function completionCommand(commands: () => readonly Command[]): Command {
  const scripts: ReadonlyMap<string, () => string> = new Map([
    ["bash", () => bashScript(commands())],
    ["zsh", () => `${READ_LIKE_BASH}${bashScript(commands())}`],
    ["fish", () => fishScript(commands())],
  ]);
  return {
    name: "completion",
    usage: "SHELL",
    summary: `Print a script with which a shell completes commands and options: ${[...scripts.keys()].join(", ")}.`,
    about: [
      'For bash and zsh, put eval "$(wavepoint completion bash)" into the file that your shell reads first; for fish, wavepoint completion fish | source.',
      "Shells complete what stands behind wavepoint, and nothing behind npx. Without a global installation, say alias wavepoint='npx wavepoint' before it.",
    ],
    takes: { least: 1, most: 1 },
    options: [],
    async run({ places: [shell] }, { out }) {
      const script = scripts.get(shell!);
      if (!script) {
        throw new WorkflowError("COMMAND_INVALID", `There is no completion for "${shell}". Use one of ${[...scripts.keys()].join(", ")}.`);
      }
      out.write(script());
      return EXIT.completed;
    },
  };
}

/** zsh reads completions for bash once its own completion is loaded; a shell without any setup has not loaded it. */
const READ_LIKE_BASH = `autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
`;

function bashScript(commands: readonly Command[]): string {
  const cases = commands.map(({ name, options }) => `      ${name}) words="${optionNames(options).join(" ")}" ;;`);
  return `_wavepoint() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(" ")} --help --version"
  elif [ "\${word#-}" != "$word" ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _wavepoint wavepoint
`;
}

function optionNames(options: Command["options"]): readonly string[] {
  return [...options.map(({ name }) => `--${name}`), "--help"];
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c wavepoint -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...options.map(
      (option) =>
        `complete -c wavepoint -n '__fish_seen_subcommand_from ${name}' -l ${option.name}${option.value ? " -r" : ""} -d ${quoted(option.about)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
