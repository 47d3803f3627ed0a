import { parseTemplate } from "../../expression/parse-template.ts";
import { WorkflowError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import type { Cursor } from "./cursor.ts";
import { Findings } from "./findings.ts";
import { judgeCommand } from "./judge-command.ts";
import { readCommands } from "./read-commands.ts";
import type { Word } from "./read-word.ts";
import { joinParts } from "./shell-text.ts";

/**
 * Looks at the arguments of a program as they are written. No shell sees them, but the program may be one: a reference in a script is
 * refused with `SHELL_UNSAFE`. Throws `BLOCK_INPUT_INVALID` for a program without a name.
 */
export function checkArguments(argv: readonly Value[]): void {
  const templates = argv.map((argument) => (typeof argument === "string" ? parseTemplate(argument).parts : [String(argument)]));
  if (templates[0]?.length === 0 || templates[0]?.[0] === "") {
    throw new WorkflowError("BLOCK_INPUT_INVALID", 'The first item of "argv" is empty. Give the name of a program.');
  }
  const findings = new Findings();
  const text = joinParts(templates.flatMap((parts, i) => (i === 0 ? parts : [" ", ...parts])));
  const cursor: Cursor = { ...text, at: 0, depth: 0, findings, pending: [], readCommands };
  let count = 0;
  const words = templates.map((parts): Word => {
    const mark = findings.mark();
    const pieces = parts.map((part): Word["pieces"][number] => {
      if (typeof part === "string") return { kind: "text", text: part, isQuoted: true };
      findings.place(count, "word");
      return { kind: "slot", slot: count++ };
    });
    const literal = pieces.every((piece) => piece.kind === "text") ? pieces.map((piece) => piece.text).join("") : undefined;
    return { pieces, literal, bare: undefined, uses: findings.since(mark) };
  });
  if (count > 0) judgeCommand(cursor, words);
}
