import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { checkCommand, runCommand } from "./shell/shell-command.ts";

/**
 * Runs a command where the host granted commands. Values of references in `command` reach the shell as data, never as text that it parses.
 * An exit code other than 0 is a failure that keeps its outputs. Seed 2, "Shell".
 */
export const shellBlock: BlockType = defineBlock({
  type: "Shell",
  description: "Runs a command. Values that references give reach it as data, never as text that a shell parses.",
  effect: "repeatable",
  needs: ["shell"],
  channels: {},
  secretInputs: ["env"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, description: "A text for `/bin/sh`. Either this or `argv`." },
        argv: {
          type: "array",
          items: { type: ["string", "number", "boolean"] },
          minItems: 1,
          description: "A program and its arguments, which no shell sees. Either this or `command`.",
        },
        working_dir: {
          type: "string",
          default: ".",
          description: "The folder it starts in: relative to the root that the host grants, or an absolute path below it.",
        },
        timeout: {
          type: "number",
          minimum: 0.001,
          maximum: 1_000_000,
          default: 120,
          description: "Seconds until it is ended; the block then fails with `BLOCK_TIMEOUT`.",
        },
        env: {
          type: "object",
          additionalProperties: { type: ["string", "number", "boolean"] },
          default: {},
          description: "Variables of the environment, beside those that the host gives.",
        },
        options: {
          type: "string",
          enum: ["refuse", "allow"],
          default: "refuse",
          description: "Whether a value at the start of a word may start with `-`, and so be an option, where no `--` stands before it.",
        },
        capture_output: {
          type: "boolean",
          default: true,
          description: "Whether `stdout` and `stderr` hold what it wrote. Otherwise they are empty.",
        },
      },
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        exit_code: { type: "integer", description: "128 + n after signal n. Any but 0 is a failure, which keeps these outputs." },
        stdout: { type: "string", description: "What it wrote to standard output, line end included." },
        stderr: { type: "string", description: "What it wrote to standard error." },
        success: { type: "boolean", description: "Whether the exit code is 0." },
      },
      required: ["exit_code", "stdout", "stderr", "success"],
    },
  },
  checkInputs: checkCommand,
  execute: runCommand,
});
