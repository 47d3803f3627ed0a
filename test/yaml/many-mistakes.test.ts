/// <reference types="vite/client" />
import { expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow } from "wavepoint/yaml";
import marked from "./many-mistakes.txt?raw";

/** A mark stands before each mistake: `«CODE»`, with the name that was meant as `«CODE→name»`. */
const MARK = /«([A-Z_]*)(?:→([^»]*))?»/gu;

/** The text without its marks, and what each of them says: code, line and column, and what should be suggested. */
function readMarks(text: string): { readonly text: string; readonly mistakes: readonly string[] } {
  const mistakes: string[] = [];
  const lines = text.split("\n").map((line, i) => {
    let removed = 0;
    for (const { 0: mark, 1: code, 2: meant, index } of line.matchAll(MARK)) {
      if (code !== "") mistakes.push(describe(code!, i + 1, index - removed + 1, meant));
      removed += mark.length;
    }
    return line.replaceAll(MARK, "");
  });
  return { text: lines.join("\n"), mistakes };
}

function describe(code: string, line: number, column: number, suggestion: string | undefined): string {
  return `${line}:${column} ${code}${suggestion === undefined ? "" : ` → ${suggestion}`}`;
}

test("each of many mistakes in one file is named at its place, and nothing else is", async () => {
  const { text, mistakes } = readMarks(marked);
  const { problems, workflow } = await checkWorkflow(text, { blocks: builtinBlocks });
  const found = problems.map(({ code, line, column, suggestion }) => describe(code, line!, column!, suggestion));
  expect(mistakes.length).toBeGreaterThan(80);
  expect(found.toSorted()).toEqual(mistakes.toSorted());
  expect(problems.filter(({ path }) => path === undefined || path === "")).toEqual([]);
  expect(workflow).toBeUndefined();
});
