import type { ExitCode } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** A command of the command line: its help, and its code. */
export interface Command {
  readonly name: string;
  /** The arguments after the name, as help writes them. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What else there is to know, line by line. */
  readonly about: readonly string[];
  /** The allowed number of arguments, without options. */
  readonly takes: { readonly least: number; readonly most: number };
  readonly options: readonly CommandOption[];
  run(call: Call, terminal: Terminal): Promise<ExitCode>;
}

export interface CommandOption {
  readonly name: string;
  /** The placeholder of the value in the help. An option without one is a switch. */
  readonly value?: string;
  /** May be given several times. */
  readonly several?: true;
  readonly about: string;
}

/** A command with the arguments it was called with. */
export interface Call {
  readonly places: readonly string[];
  /** Returns the value of an option: the last one if it occurs several times. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
  has(option: string): boolean;
}

/** Options of every command that opens a store. */
export const STORE_OPTIONS: readonly CommandOption[] = [
  {
    name: "store",
    value: "ADDRESS",
    about: "Where runs live: a directory, or the address of another store. Default: .wavepoint in the working directory.",
  },
  {
    name: "encrypted",
    about:
      "Encrypt the store, if it is empty. Its passphrase comes from WAVEPOINT_STORE_PASSPHRASE, its key from WAVEPOINT_STORE_KEY; else you are asked for a passphrase, also by every later command.",
  },
];

/** The switch of commands that continue runs. */
export const CLUSTER_OPTION: CommandOption = {
  name: "cluster",
  about:
    "Take turns with other workers through DBOS, over a Postgres store: runs are executed in the order in which they can go on. Install pg and @dbos-inc/dbos-sdk beside wavepoint. All processes that start or answer runs of the store then open it this way.",
};

/** The switch of every command that can answer a program. */
export const JSON_OPTION: CommandOption = {
  name: "json",
  about: "Write one JSON document to standard output, and nothing else there. Asks no questions.",
};

/** The option of every command to which the types of blocks matter. */
export const BLOCKS_OPTION: CommandOption = {
  name: "blocks",
  value: "MODULE",
  several: true,
  about:
    "A module in TypeScript or JavaScript that exports block types of your own, as defineBlock makes them: its code runs. May be given several times.",
};

/** The options that grant capabilities to workflows. Default: no capability. */
const GRANT_OPTIONS: readonly CommandOption[] = [
  { name: "allow-files", value: "DIR", about: "Let blocks read and write files below this directory, except where runs are kept." },
  {
    name: "allow-shell",
    value: "DIR",
    about: "Let blocks run commands, starting in this directory. A command may do all that you may do: allow it to workflows you trust.",
  },
  {
    name: "allow-host",
    value: "HOST",
    several: true,
    about: "Let blocks send requests to this host: api.example.com, *.example.com, localhost:8080. May be given several times.",
  },
];

/** Options of the commands that start runs. */
export const INPUT_OPTIONS: readonly CommandOption[] = [
  {
    name: "input",
    value: "NAME=VALUE",
    several: true,
    about: "An input, read as the type the workflow declares: a number, true or false, JSON for lists and objects, else text.",
  },
  { name: "inputs", value: "FILE", about: "Inputs as an object in JSON or YAML; --input wins over it." },
];

/** Options of the commands that execute blocks. */
export const EXECUTION_OPTIONS: readonly CommandOption[] = [
  {
    name: "answers",
    value: "FILE",
    about:
      "Answers in YAML or JSON: a list, taken in the order of the questions, or a map from a block's id, or the path of ids to it (outer/inner), to its answer.",
  },
  {
    name: "workflows",
    value: "PATH",
    several: true,
    about: "A file or a directory with workflows that may be called. May be given several times.",
  },
  BLOCKS_OPTION,
  ...GRANT_OPTIONS,
  ...STORE_OPTIONS,
  JSON_OPTION,
];
