import type { OptionNames } from "../../core/model/assert-options.ts";
import { assertAccess, type Access } from "./access.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { BlockType } from "../../core/ports/block.ts";
import type { SecretsProvider } from "../../core/ports/grants.ts";
import type { Executor } from "../../core/run/run.ts";
import type { ToolHost } from "./tool.ts";

/** What the tools of a host work on. */
export interface ToolHostOptions {
  /**
   * What runs workflows. A function is called at the first tool that needs it, and again after it failed: then each tool answers with its error. Default:
   * none; tools that need one answer with `STORE_UNAVAILABLE`.
   */
  readonly executor?: Executor | (() => Executor | Promise<Executor>);
  /** The workflows that clients may know. The executor may have others, for these to call. */
  readonly workflows?: readonly Workflow[];
  /** Block types beside the built-in ones, for workflows that clients write. Default: none. */
  readonly blocks?: readonly BlockType[];
  /** What clients may see, start and answer. Default: all of `workflows`; no workflows of their own. */
  readonly access?: Access;
  /** Gives the values of secret inputs, which no client gives or sees. Default: there are none. */
  readonly secrets?: SecretsProvider;
  /** Offers workflows as tools of their own, beside the others: all that may be started, or those with one of these tags. Default: false. */
  readonly workflowTools?: boolean | readonly string[];
}

/** The names of these options. */
export const HOST_OPTIONS: OptionNames<ToolHostOptions> = {
  executor: true,
  workflows: true,
  blocks: true,
  access: true,
  secrets: true,
  workflowTools: true,
};

/** Prepares what tools work on. Throws `KEY_UNKNOWN`. */
export function toolHost(options: ToolHostOptions): ToolHost {
  const { executor, workflows = [], blocks = [], access = {}, secrets = () => undefined, workflowTools = false } = options;
  assertAccess(access);
  let opened: Promise<Executor> | undefined;
  return {
    workflows: new Map(workflows.map((workflow) => [workflow.name, workflow])),
    access,
    blocks,
    secrets,
    workflowTools,
    async executor() {
      if (typeof executor === "object") return executor;
      opened ??= open(executor);
      try {
        return await opened;
      } catch (error) {
        opened = undefined;
        throw error;
      }
    },
  };
}

async function open(executor: (() => Executor | Promise<Executor>) | undefined): Promise<Executor> {
  if (executor) return executor();
  throw new WorkflowError("STORE_UNAVAILABLE", "Here is no executor to run workflows. Give the server one, with a store: { executor }.");
}
