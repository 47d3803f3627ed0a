import type { OpenResource, RunState } from "./state.ts";

/** A resource of a run, by the type of the blocks that share it and its name there. */
export type ResourceName = Pick<OpenResource, "blockType" | "name">;

/** What a run has its resource under. */
export function resourceKey({ blockType, name }: ResourceName): string {
  return `${blockType} ${name}`;
}

/** How often a run had opened a resource of this name before it opens one now. A fork has what it came from had opened, and counts its own. */
export function openedBefore({ resources }: RunState, { run, ...of }: ResourceName & Pick<OpenResource, "run">): number {
  const before = resources.get(resourceKey(of));
  return before?.run === run ? before.count + 1 : 0;
}
