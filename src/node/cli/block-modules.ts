import { builtinBlocks } from "../../blocks.ts";
import { isRecord } from "../../core/model/value.ts";
import { WorkflowError, type BlockType, type ErrorData } from "../../index.ts";
import type { Call } from "./command.ts";
import { type Exports, importModule } from "./import-module.ts";

/** A module with block types. */
export interface BlockModule {
  readonly path: string;
  /** Names of its exports that are a block type, or a list of them. */
  readonly exports: readonly { readonly name: string; readonly types: readonly BlockType[]; readonly isList: boolean }[];
}

/** Loads the modules of `--blocks`. Throws `COMMAND_INVALID`, also where two block types have one name. */
export async function readBlockModules(call: Call): Promise<readonly BlockModule[]> {
  const modules: BlockModule[] = [];
  const byName = new Map<string, BlockType>();
  for (const path of call.values("blocks")) {
    const module = { path, exports: blocksIn(await importModule(path)) };
    if (module.exports.length === 0) {
      throw new WorkflowError("COMMAND_INVALID", `It exports no block type. Write: export const count = defineBlock({ … }).`, {
        place: { source: path },
      });
    }
    for (const type of module.exports.flatMap(({ types }) => types)) {
      if ((byName.get(type.type) ?? type) !== type) {
        throw new WorkflowError("COMMAND_INVALID", `Another block type is named "${type.type}" too. Rename one of them.`, {
          place: { source: path },
        });
      }
      byName.set(type.type, type);
    }
    modules.push(module);
  }
  return modules;
}

/** The block types of the modules of `--blocks`, as an executor takes them. Throws what {@link readBlockModules} throws. */
export async function readBlocks(call: Call): Promise<readonly BlockType[]> {
  return blocksOf(await readBlockModules(call));
}

/** The block types that modules export, each once. */
export function blocksOf(modules: readonly BlockModule[]): readonly BlockType[] {
  return [...new Set(modules.flatMap(({ exports }) => exports.flatMap(({ types }) => types)))];
}

/** Returns all block types that workflows may use: the built-in ones, and these. One of these replaces a built-in type of the same name. */
export function withBuiltin(own: readonly BlockType[]): readonly BlockType[] {
  return [...new Map([...builtinBlocks, ...own].map((block) => [block.type, block])).values()];
}

/** Returns an error about an unknown block type with the option that loads it, in place of the advice for programs. */
export function withBlocksAdvice<E extends ErrorData>(error: E): E {
  if (error.code !== "BLOCK_TYPE_UNKNOWN") return error;
  return { ...error, message: error.message.replace("the `blocks` of createExecutor", "a module that --blocks names") };
}

function blocksIn(exports: Exports): BlockModule["exports"] {
  return [...exports].flatMap(([name, value]) => {
    const isList = Array.isArray(value);
    const types = [value].flat().filter(isBlockType);
    return types.length > 0 ? [{ name, types, isList }] : [];
  });
}

function isBlockType(value: unknown): value is BlockType {
  return isRecord(value) && typeof value["type"] === "string" && typeof value["execute"] === "function";
}
