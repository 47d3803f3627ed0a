import { readdirSync, readFileSync } from "node:fs";
import { ROOT } from "../package/source-files.ts";

/** The folder of all examples, ending in a slash. */
export const EXAMPLES: string = `${ROOT}examples/`;

/** A line that a README tells people to type. */
export interface ReadmeLine {
  /** Variables written before the program: `NAME=value npx …`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly program: string;
  readonly words: readonly string[];
  /** The line as it is written. */
  readonly text: string;
}

/** Examples that are pages: other tests build and use them. */
const IN_PAGES: ReadonlySet<string> = new Set(["wizard", "questionnaire", "react", "vue", "svelte", "recipes", "forms"]);

/** The folders of examples that have a workflow to run from a terminal, by name. */
export function exampleFolders(): readonly string[] {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !IN_PAGES.has(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** The lines that an example's README shows, in their order. */
export function readmeLines(folder: string): readonly ReadmeLine[] {
  const text = readFileSync(`${EXAMPLES}${folder}/README.md`, "utf8");
  const shown = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, lines]) => lines!.trimEnd().split("\n"));
  return shown.map((line) => {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    const environment = Object.fromEntries(words.slice(0, start).map((word) => word.split("=", 2) as [string, string]));
    return { environment, program: words[start]!, words: words.slice(start + 1), text: line };
  });
}

/** Whether a line starts a run. */
export function isRun({ program, words }: ReadmeLine): boolean {
  return program === "npx" && words[0] === "wavepoint" && words[1] === "run";
}
