import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCopy } from "../../package/built-copy.ts";

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command that runs in a process of its own. */
export interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once the command has written this text to standard error, with all that it has written there so far. */
  said(text: string): Promise<string>;
}

/** The command line as users get it, in a directory of its own. */
export interface BuiltCommand {
  readonly directory: string;
  /** The path of its module. */
  readonly cli: string;
  write(name: string, text: string): void;
  /** Empties the directory. */
  clear(): void;
  /** Makes the package one that modules of the directory can import. */
  install(): void;
  start(...args: readonly string[]): Started;
  run(...args: readonly string[]): Promise<Ended>;
  remove(): void;
}

/** Builds the package and makes an empty directory to work in. */
export function buildCommand(): BuiltCommand {
  const built = buildCopy();
  const directory = mkdtempSync(join(tmpdir(), "wavepoint-cli-"));
  const cli = `${built.folder}cli.js`;
  const start = (...args: readonly string[]) => startProcess([cli, ...args], directory);
  return {
    directory,
    cli,
    write: (name, text) => writeFileSync(join(directory, name), text),
    clear() {
      for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
    },
    install() {
      mkdirSync(join(directory, "node_modules"));
      symlinkSync(built.folder, join(directory, "node_modules/wavepoint"));
    },
    start,
    run: (...args) => start(...args).ended,
    remove() {
      rmSync(directory, { recursive: true, force: true });
      built.remove();
    },
  };
}

function startProcess(args: readonly string[], cwd: string): Started {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    for (const listener of listeners) listener();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
  return {
    process: child,
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (err.includes(text)) resolve(err);
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`The command ended without saying "${text}":\n${err}`)));
      }),
  };
}
