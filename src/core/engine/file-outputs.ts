import type { Values } from "../model/value.ts";
import type { FileOutput } from "../model/workflow.ts";
import type { Step } from "./step.ts";

/** Reads the outputs that a block left in files. Throws the codes of files, `PATTERN_INVALID` and `OUTPUT_INVALID`. */
export async function readFileOutputs(_step: Step, _declared: { readonly [name: string]: FileOutput }): Promise<Values> {
  return {};
}
