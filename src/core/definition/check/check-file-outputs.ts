import { compilePattern } from "../../expression/pattern.ts";
import type { Problem } from "../../model/errors.ts";
import { errorData } from "../../model/errors.ts";
import { parseFilePath } from "../../model/file-path.ts";
import { isName } from "../../model/ids.ts";
import type { Block, FileOutput, Workflow } from "../../model/workflow.ts";
import { memberPath } from "../compile-value.ts";
import { withoutScratch } from "../outputs.ts";
import { showValue } from "../../model/value-type.ts";
import { holdsReference } from "./walk-texts.ts";
import type { ProblemList } from "./problem-list.ts";

/** Reports outputs from files with a name outside the grammar, or with a path that can lead nowhere good. */
export function checkFileOutputs({ blocks }: Workflow, problems: ProblemList): void {
  for (const [i, { outputs = {} }] of blocks.entries()) {
    for (const [name, output] of Object.entries(outputs)) {
      const path = memberPath(`blocks[${i}].outputs`, name);
      if (!isName(name)) {
        const message = `${showValue(name)} is not a valid name of an output. Use 1 to 128 letters (a to z), digits, "_" or "-".`;
        problems.error("ID_INVALID", path, message, { isKey: true });
      }
      checkPath(output, `${path}.path`, problems);
    }
  }
}

/** Errors in the patterns that outputs from files must match, and warnings of them; the engine for patterns is only loaded where there are some. */
export async function checkOutputPatterns(outputs: NonNullable<Block["outputs"]>, index: number): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [name, { validation }] of Object.entries(outputs)) {
    if (validation === undefined) continue;
    const path = `${memberPath(`blocks[${index}].outputs`, name)}.validation`;
    try {
      const { warning } = await compilePattern(validation);
      if (warning !== undefined) problems.push({ severity: "warning", code: "TEXT_MISLEADING", message: warning, path });
    } catch (thrown) {
      const { code, message } = errorData(thrown, "PATTERN_INVALID");
      problems.push({ severity: "error", code, message, path });
    }
  }
  return problems;
}

function checkPath({ path, unsafe = false }: FileOutput, at: string, problems: ProblemList): void {
  if (holdsReference(path)) return;
  const inScratch = withoutScratch(path);
  try {
    parseFilePath(inScratch ?? path, { absolute: unsafe && inScratch === undefined });
  } catch (thrown) {
    problems.caught(thrown, at);
  }
}
