import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { WorkflowError, type ErrorPlace } from "../../index.ts";

/** What a module exports, by name. */
export type Exports = ReadonlyMap<string, unknown>;

/** Whether a file of this name is a module, and no text. */
export function isModulePath(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

/**
 * Imports a module of the user. Node itself reads TypeScript if it can, else `tsx`, if the file's project has it. Throws `COMMAND_INVALID`, with the place in
 * the module if it is known.
 */
export async function importModule(path: string): Promise<Exports> {
  const url = addressOf(resolve(path));
  if (/\.[cm]?ts$/.test(path) && !readsTypeScript()) await loadTypeScriptLoader(path);
  let module: object;
  try {
    module = (await import(/* @vite-ignore */ url)) as object;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorkflowError("COMMAND_INVALID", `The module ${path} cannot be loaded: ${reason.replace(/\.$/, "")}.`, {
      cause: error,
      place: placeIn(path, error),
    });
  }
  return new Map(Object.entries("default" in module && isConverted(module.default) ? module.default : module));
}

/** When modules were changed last as they were imported first. */
const imported = new Map<string, number>();

/** Node never drops a loaded module, so a module that changed since gets another address. */
function addressOf(path: string): string {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (!imported.has(path)) imported.set(path, changedAt);
  const { href } = pathToFileURL(path);
  return imported.get(path) === changedAt ? href : `${href}?changed=${changedAt}`;
}

/** Whether this Node strips types. */
function readsTypeScript(): boolean {
  return "typescript" in process.features && Boolean(process.features.typescript);
}

async function loadTypeScriptLoader(path: string): Promise<void> {
  let loader: string;
  try {
    loader = createRequire(resolve(path)).resolve("tsx");
  } catch (cause) {
    throw new WorkflowError(
      "COMMAND_INVALID",
      `Node ${process.versions.node} does not read TypeScript, which ${path} is. Use Node 22.18 or newer, or install what reads it: npm install --save-dev tsx.`,
      { cause, place: { source: path } },
    );
  }
  await import(/* @vite-ignore */ pathToFileURL(loader).href);
}

/** In a project of CommonJS the loader gives all that a module exports as one object. */
function isConverted(exported: unknown): exported is object {
  return typeof exported === "object" && exported !== null && "__esModule" in exported;
}

/** Where in the module the error arose, as its stack or its message says. */
function placeIn(path: string, error: unknown): ErrorPlace {
  const text = error instanceof Error ? `${error.message}\n${error.stack}` : "";
  const names = [resolve(path), pathToFileURL(resolve(path)).href];
  for (const { index, 1: line, 2: column } of text.matchAll(/:(\d+):(\d+)/g)) {
    const before = text.slice(0, index);
    if (names.some((name) => before.endsWith(name))) return { source: path, line: Number(line), column: Number(column) };
  }
  return { source: path };
}

/** Loads what needs packages that are the user's to install. Throws `COMMAND_INVALID` that names them. */
export async function loadWithPackages<T>(command: string, packages: readonly string[], load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = `wavepoint ${command} needs more packages: npm install ${packages.join(" ")}`;
    throw new WorkflowError("COMMAND_INVALID", message, { cause: error });
  }
}
