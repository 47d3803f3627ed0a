import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { WorkflowError } from "../../../index.ts";
import type { Call, Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { plainText } from "../plain-text.ts";
import { note, type Terminal } from "../terminal.ts";
import { readVersion } from "../own-package.ts";
import { reasonOf } from "../workflow-file.ts";

/** The kinds of projects, with their descriptions. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["page", "A page with the elements"],
  ["react", "React"],
  ["node", "Node, with a block type of your own"],
]);
const NAMES = [...KINDS.keys()].join(", ");

/** Names of files that mean something where templates lie: none is published as .gitignore, and package.json begins a package. */
const RENAMED = [
  ["_gitignore", ".gitignore"],
  ["_package.json", "package.json"],
] as const;

/** What a folder may hold that a project is made in. */
const HARMLESS: ReadonlySet<string> = new Set([".git", ".DS_Store"]);

export const initCommand: Command = {
  name: "init",
  usage: "[DIR] [--kind KIND]",
  summary: "Make a new project that runs: a page, an app in React, or a program in Node.",
  about: [
    "DIR is made where it is not there; without it the working directory is taken. A folder with files is left as it is. Nothing is installed: the commands that do it are printed.",
  ],
  takes: { least: 0, most: 1 },
  options: [{ name: "kind", value: "KIND", about: `One of ${NAMES}. Without it you are asked.` }],
  async run(call, terminal) {
    const folder = call.places[0] ?? ".";
    assertEmpty(folder);
    const kind = await readKind(call, terminal);
    if (kind === undefined) return EXIT.interrupted;
    writeProject(kind, folder);
    note(terminal, `Made a project in ${plainText(resolve(folder))}.`);
    note(terminal, "Go on with:");
    const manager = packageManager();
    for (const line of [
      ...(folder === "." ? [] : [`cd ${folder}`]),
      `${manager} install`,
      `${manager} ${kind === "node" ? "start" : "run dev"}`,
    ])
      terminal.out.write(`${plainText(line)}\n`);
    return EXIT.completed;
  },
};

/** Returns the kind that was named, else the one that a person picks; nothing if they cancel. Throws `COMMAND_INVALID`. */
async function readKind(call: Call, terminal: Terminal): Promise<string | undefined> {
  const named = call.value("kind");
  if (named !== undefined && KINDS.has(named)) return named;
  if (named !== undefined || !terminal.interactive) {
    const problem = named === undefined ? "Say what to make." : `"${named}" is no kind of project.`;
    throw new WorkflowError("COMMAND_INVALID", `${problem} Use --kind with one of ${NAMES}.`);
  }
  const picked = await terminal.ask({ kind: "choice", text: "What shall it be?", choices: [...KINDS.values()] });
  return typeof picked === "number" ? [...KINDS.keys()][picked] : undefined;
}

function assertEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new WorkflowError("COMMAND_INVALID", `${folder} is a file. Name a folder, or one to be made.`);
  const found = readdirSync(folder).find((name) => !HARMLESS.has(name));
  if (found === undefined) return;
  const place = folder === "." ? "This folder" : `The folder ${folder}`;
  throw new WorkflowError(
    "COMMAND_INVALID",
    `${place} holds ${found} already. Name an empty folder, or one to be made: wavepoint init my-wizard.`,
  );
}

function writeProject(kind: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    cpSync(templateOf(kind), folder, { recursive: true });
    for (const [written, name] of RENAMED) renameSync(join(folder, written), join(folder, name));
    const manifest = join(folder, "package.json");
    const text = readFileSync(manifest, "utf8")
      .replace('"name": "wizard"', `"name": ${JSON.stringify(packageName(folder))}`)
      .replace('"wavepoint": "*"', `"wavepoint": "^${readVersion()}"`);
    writeFileSync(manifest, text);
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `${folder} cannot be written: ${reasonOf(error)}.`, { cause: error });
  }
}

function templateOf(kind: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("wavepoint/package.json")), "templates", kind);
}

/** The name of the folder, as far as packages may be named so. */
function packageName(folder: string): string {
  const words = basename(resolve(folder))
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const name = words.filter((word) => word !== "").join("-");
  return name === "" || name === "wavepoint" ? "wizard" : name;
}

/** The package manager that started the process says so. */
function packageManager(): string {
  return /^(pnpm|yarn|bun)\//.exec(process.env["npm_config_user_agent"] ?? "")?.[1] ?? "npm";
}
