import { builtinBlocks } from "../core/blocks/builtin.ts";
import { checkBlockInputs } from "../core/definition/definition.ts";
import type { BlockType } from "../core/ports/block.ts";
import type { Grants } from "../core/ports/grants.ts";
import type { ChannelReducer } from "../core/ports/reducer.ts";
import { beginCheck, type CheckedWorkflow } from "./check-text.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** What the executor that will run a workflow has. */
export interface CheckOptions {
  /** Name of the file or text, for messages. */
  readonly source?: string;
  /** Block types beside the built-in ones, as `createExecutor` takes them. Default: none. */
  readonly blocks?: readonly BlockType[];
  /** Reducers of channels beside the built-in ones, as `createExecutor` takes them. Default: none. */
  readonly reducers?: { readonly [name: string]: ChannelReducer };
  /** What the host grants to blocks, as `createExecutor` takes it. Default: whether a block needs more is not looked at. */
  readonly grants?: Grants;
}

/**
 * Reads a workflow from YAML and reports everything that is wrong with it, with path, line and column: at most a hundred errors and a
 * hundred warnings. With the same blocks, reducers and grants, an executor refuses no definition that has no error here. Never rejects for what the text says.
 */
export async function checkWorkflow(text: string, given: CheckOptions = {}): Promise<CheckedWorkflow> {
  assertOptions("checkWorkflow", given, { source: true, blocks: true, reducers: true, grants: true });
  const { blocks = [], reducers = {}, ...options } = given;
  const blockTypes = new Map([...builtinBlocks, ...blocks].map((block) => [block.type, block]));
  const check = beginCheck(text, { ...options, reducers, blocks: [...blockTypes.values()] });
  const { workflow, problems } = check;
  if (workflow) {
    // What is wrong already would only be said again, in other words.
    const broken = new Set(problems.problems.map(({ severity, path = "" }) => severity === "error" && BLOCK.exec(path)?.[1]));
    const found = await checkBlockInputs(workflow, blockTypes, { isSound: (index) => !broken.has(String(index)) });
    for (const { severity, code, path = "", message, ...more } of found) {
      problems[severity === "error" ? "error" : "warn"](code, path, message, more);
    }
  }
  return check.finish();
}

/** The number of the block that a path leads into. */
const BLOCK = /^[^.[]+\[(\d+)\]/;
