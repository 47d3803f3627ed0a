import type { Pause } from "../../index.ts";
import { plainText } from "./plain-text.ts";
import type { Output } from "./terminal.ts";

/** An open question with the id it is answered by. */
export function pauseLines({ id, path, type, prompt }: Pause, output: Output): readonly string[] {
  const head = `  ${output.paint("yellow", "?")} ${output.paint("bold", id)} ${output.paint("dim", `${path.join("/")} (${type})`)}`;
  return [
    head,
    ...plainText(prompt)
      .split("\n")
      .map((line) => `    ${line}`.trimEnd()),
  ];
}
