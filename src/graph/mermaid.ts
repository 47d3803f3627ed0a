import { ALWAYS, planWaves } from "../core/definition/definition.ts";
import type { Block, Workflow } from "../core/model/workflow.ts";
import { blockRules } from "./label.ts";

/** Characters that mean something to Mermaid or to the HTML it makes, and control characters. */
const SPECIAL = /[\u0000-\u001f\u007f"#&'<>\\`{}[\]()|;*_~$@%^\u202a-\u202e\u2066-\u2069]/g;

/**
 * A workflow as a Mermaid flow chart: waves are columns, blocks rounded boxes; a dashed arrow is a way that is not always taken. What the
 * workflow says reaches the chart as text only. Throws what `planWaves` throws.
 */
export function graphMermaid({ blocks }: Workflow): string {
  const { waves, dependencyStart, dependencies, required, leads, compensations } = planWaves(blocks);
  const lines = ["flowchart LR"];
  for (const [index, wave] of waves.entries()) {
    lines.push(`  subgraph w${index}["Wave ${index + 1}"]`, "    direction TB");
    for (const block of wave) lines.push(`    b${block}("${label(blocks[block]!)}")`);
    lines.push("  end");
  }
  for (let block = 0; block < blocks.length; block++) {
    for (let e = dependencyStart[block]!; e < dependencyStart[block + 1]!; e++) {
      lines.push(`  b${dependencies[e]!} ${required[e] === 1 && leads[e] === ALWAYS ? "-->" : "-.->"} b${block}`);
    }
  }
  for (const [block, by] of compensations) lines.push(`  b${by}("${label(blocks[by]!)}")`, `  b${block} -. undone by .-> b${by}`);
  return `${lines.join("\n")}\n`;
}

function label(block: Block): string {
  return [block.id, block.type, ...blockRules(block)].map(escapeText).join("<br/>");
}

/** Mermaid writes characters as their number between `#` and `;`. */
function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => {
    const code = character.charCodeAt(0);
    return code < 32 || code === 127 || code > 0x2000 ? "" : `#${code};`;
  });
}
