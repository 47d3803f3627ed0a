import { ALWAYS, planWaves } from "../core/definition/definition.ts";
import type { Workflow } from "../core/model/workflow.ts";
import { blockDetails, sizeText } from "./label.ts";

/** Characters of a line. */
const WIDTH = 80;

/**
 * The waves of a workflow as lines of at most 80 characters where its names allow: each block under its wave with what it depends on; `?`
 * behind one whose way is not always taken. Throws what `planWaves` throws.
 */
export function graphText(workflow: Workflow): string {
  const { blocks } = workflow;
  const { waves, ids, dependencyStart, dependencies, required, leads, compensations } = planWaves(blocks);
  const lines = [`${workflow.name}: ${sizeText(workflow, waves.length)}`];
  for (const [index, wave] of waves.entries()) {
    lines.push("", `Wave ${index + 1}`);
    for (const block of wave) {
      const { id, type } = blocks[block]!;
      lines.push(`  ${id} (${type})`);
      const needed: string[] = [];
      for (let e = dependencyStart[block]!; e < dependencyStart[block + 1]!; e++) {
        needed.push(`${ids[dependencies[e]!]}${required[e] === 1 && leads[e] === ALWAYS ? "" : "?"}`);
      }
      if (needed.length > 0) lines.push(...wrap(`after ${needed.join(", ")}`));
      for (const detail of blockDetails(blocks[block]!)) lines.push(...wrap(detail));
    }
  }
  if (compensations.size > 0) lines.push("", "Where the run fails or is cancelled");
  for (const [block, by] of compensations) {
    lines.push(`  ${ids[by]!} (${blocks[by]!.type})`, ...wrap(`undoes ${ids[block]!}`));
    for (const detail of blockDetails(blocks[by]!)) lines.push(...wrap(detail));
  }
  return `${lines.join("\n")}\n`;
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "   ";
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "     ";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
