import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import type * as ShellCommand from "./shell/shell-command.ts";

async function loadCommand(): Promise<typeof ShellCommand> {
  return import("./shell/shell-command.ts");
}

/**
 * Runs a command where the host granted commands. Values of references in `command` reach the shell as data, never as text that it parses.
 * An exit code other than 0 is a failure that keeps its outputs. Seed 2, "Shell".
 */
export const shellBlock: BlockType = defineBlock({
  type: "Shell",
  description: "Runs a command.",
  needs: ["shell"],
  secretInputs: ["env"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, description: "A text for the shell. References in it stand for data." },
        argv: {
          type: "array",
          items: { type: ["string", "number", "boolean"] },
          minItems: 1,
          description: "A program and its arguments, which no shell sees.",
        },
        working_dir: { type: "string", default: ".", description: "A folder below the root that the host grants." },
        timeout: { type: "number", minimum: 0.001, maximum: 1_000_000, default: 120, description: "Seconds." },
        env: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] }, default: {} },
        capture_output: { type: "boolean", default: true, description: "Whether the outputs hold what the command wrote." },
      },
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        exit_code: { type: "integer" },
        stdout: { type: "string" },
        stderr: { type: "string" },
        success: { type: "boolean" },
      },
      required: ["exit_code", "stdout", "stderr", "success"],
    },
  },
  load: loadCommand,
  async checkInputs(inputs, written) {
    return (await loadCommand()).checkCommand(inputs, written);
  },
  async execute(context) {
    return (await loadCommand()).runCommand(context);
  },
});
