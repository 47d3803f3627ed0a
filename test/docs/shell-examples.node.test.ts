import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/node/cli/command-line.ts";
import { parseCall } from "../../src/node/cli/parse-call.ts";
import { ROOT } from "../package/source-files.ts";
import { examplesIn, readDocuments } from "./documents.ts";

const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { scripts: Record<string, string> };

const lines = examplesIn("sh").flatMap(({ place, text }) =>
  text
    .replaceAll(/\s+#.*$/gm, "")
    .split(/\n|&&/)
    .map((line) => ({ place, line: line.trim() }))
    .filter(({ line }) => line !== ""),
);

/** The programs that the documents tell people to save. Each runs in a test of its own. */
const SAMPLES = new Set(
  readDocuments().flatMap(({ text }) => [...text.matchAll(/Save (?:this|it) as `([^`]+)`/g)].map(([, name]) => name!)),
);

/** The words of a line; quotation marks hold words together. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain!);
}

/** What is wrong with a line, or nothing. */
function problemWith(line: string): string | undefined {
  // Lines of a shell's start file.
  if (line === "alias wavepoint='npx wavepoint'") return undefined;
  const evaluated = /^eval "\$\((.+)\)"$/.exec(line)?.[1];
  if (evaluated !== undefined) return problemWith(evaluated);
  // The installed command, by its path or by way of npx.
  const [program, ...words] = wordsOf(line.replace(/^node_modules\/\.bin\/wavepoint /, "npx wavepoint "));
  const [first = ""] = words;
  if (program === "npm") {
    const script = first === "run" ? words[1]! : first;
    return ["ci", "install"].includes(first) || Object.hasOwn(scripts, script) ? undefined : `there is no script "${script}"`;
  }
  if (program === "export" && /^WAVEPOINT_\w+=/.test(first)) return undefined;
  if (program === "npx" && first === "vite" && words.length === 1) return undefined;
  if (program === "node" && SAMPLES.has(first)) return undefined;
  if (program !== "npx" || first !== "wavepoint") return "only npm, npx vite, npx wavepoint and node with a sample are known";
  const command = COMMANDS.find(({ name }) => name === words[1]);
  if (!command) return `there is no command "${words[1]}"`;
  try {
    parseCall(command, words.slice(2));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test("there are examples", () => {
  expect(lines.length).toBeGreaterThan(6);
});

test("mistakes are found", () => {
  expect(problemWith("npm run nothing")).toMatch(/no script/);
  expect(problemWith("npx wavepoint walk x.yaml")).toMatch(/no command/);
  expect(problemWith("node_modules/.bin/wavepoint walk x.yaml")).toMatch(/no command/);
  expect(problemWith("export SECRET=x")).toMatch(/are known/);
  expect(problemWith('eval "$(npx wavepoint walk x.yaml)"')).toMatch(/no command/);
  expect(problemWith("npx wavepoint run x.yaml --inptu a=1")).toMatch(/no option --inptu/);
});

describe("each line can be typed", () => {
  test.each(lines)("$place $line", ({ line }) => {
    expect(problemWith(line)).toBeUndefined();
  });
});
