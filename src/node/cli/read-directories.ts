import type { BlockType, Workflow } from "../../index.ts";
import { createRegistry } from "../../registry/index.ts";
import { loadDirectories } from "../index.ts";
import { withBuiltin } from "./block-modules.ts";
import type { Call } from "./command.ts";
import { noteFailures } from "./problem-lines.ts";
import { note, type Terminal } from "./terminal.ts";

/**
 * Reads the workflows of the directories that a call names and of their folders; of the working directory if it names none. Notes those that are left out.
 */
export async function readDirectories(call: Call, terminal: Terminal, blocks: readonly BlockType[]): Promise<readonly Workflow[]> {
  const registry = createRegistry({ blocks: withBuiltin(blocks), reducers: {} });
  const { skipped, failed } = await loadDirectories(registry, call.places.length > 0 ? call.places : ["."], { signal: terminal.signal });
  for (const { name, source, other } of skipped) note(terminal, `${source} is left out: ${other} has priority as "${name}".`);
  noteFailures(failed, terminal);
  return registry.workflows();
}
