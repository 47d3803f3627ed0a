import { choicesOf } from "../../core/model/json-schema.ts";
import type { Pause } from "../../index.ts";
import { plainLine, plainText } from "./plain-text.ts";
import type { Output } from "./terminal.ts";

/** An open question with the id it is answered by. */
export function pauseLines({ id, path, type, prompt, schema, metadata }: Pause, output: Output): readonly string[] {
  const head = `  ${output.paint("yellow", "?")} ${output.paint("bold", id)} ${output.paint("dim", `${path.join("/")} (${type})`)}`;
  return [
    head,
    ...plainText(prompt)
      .split("\n")
      .map((line) => `    ${line}`.trimEnd()),
    ...choicesOf(schema).map(({ const: value, title }, index) => {
      // The choices of an AskChoice are answered by their number too. Elsewhere a label is no answer.
      const line =
        metadata["kind"] === "choice" ? `${index + 1}. ${value}` : `${JSON.stringify(value)}${title === undefined ? "" : `: ${title}`}`;
      return `    ${plainLine(line)}`;
    }),
  ];
}
