import { readdirSync, readFileSync } from "node:fs";
import { ROOT } from "../package/source-files.ts";

/** A Markdown file for users. */
export interface Document {
  /** Relative to the folder with package.json. */
  readonly path: string;
  readonly text: string;
}

/** A fenced example of a document. */
export interface Example {
  /** Where it starts, for messages: `docs/language.md:12`. */
  readonly place: string;
  /** The first word behind the fence: `ts`, `yaml`, `sh`, … */
  readonly language: string;
  /** The words behind it: `run`, `fragment`, `cases`, `own`. */
  readonly marks: readonly string[];
  readonly text: string;
}

/** The README, the guide for contributors, what is said of security, and everything in `docs/`. */
export function readDocuments(): readonly Document[] {
  const guides = readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md"))
    .toSorted();
  return ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...guides.map((path) => `docs/${path}`)].map((path) => ({
    path,
    text: readFileSync(`${ROOT}${path}`, "utf8"),
  }));
}

/** The fenced examples of a document, in their order. */
function readExamples({ path, text }: Document): readonly Example[] {
  const examples: Example[] = [];
  const lines = text.split("\n");
  for (let start = 0; start < lines.length; start++) {
    const opening = /^( *)```(.*)$/.exec(lines[start]!);
    if (!opening) continue;
    const [, indent, info] = opening as unknown as [string, string, string];
    const end = lines.indexOf(`${indent}\`\`\``, start + 1);
    if (end < 0) throw new Error(`The example at ${path}:${start + 1} is never closed.`);
    const [language = "", ...marks] = info.trim().split(/\s+/);
    const body = lines.slice(start + 1, end).map((line) => line.slice(indent.length));
    examples.push({ place: `${path}:${start + 1}`, language, marks, text: `${body.join("\n")}\n` });
    start = end;
  }
  return examples;
}

/** The examples of all documents in one language. */
export function examplesIn(language: string): readonly Example[] {
  return readDocuments()
    .flatMap(readExamples)
    .filter((example) => example.language === language);
}
