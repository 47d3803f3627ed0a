import { choicesOf } from "../../core/model/choices.ts";
import type { Pause } from "../../index.ts";
import { plainLine, plainText } from "./plain-text.ts";
import type { Output } from "./terminal.ts";

/** An open question with the id it is answered by. */
export function pauseLines({ id, path, type, prompt, schema }: Pause, output: Output): readonly string[] {
  const head = `  ${output.paint("yellow", "?")} ${output.paint("bold", id)} ${output.paint("dim", `${path.join("/")} (${type})`)}`;
  return [
    head,
    ...plainText(prompt)
      .split("\n")
      .map((line) => `    ${line}`.trimEnd()),
    // The prompt need not tell them, and a label is no answer.
    ...choicesOf(schema).map(
      ({ const: value, title }) => `    ${plainLine(JSON.stringify(value) + (title === undefined ? "" : `: ${title}`))}`,
    ),
  ];
}
