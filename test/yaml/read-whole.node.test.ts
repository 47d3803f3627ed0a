import { expect, test } from "vitest";
import { isWorkflowError, type Workflow } from "wavepoint";
import { loadWorkflow } from "wavepoint/yaml";
import { parseAllDocuments } from "yaml";
import { CASES } from "../corpus/case-files.ts";
import { seededChance, type Chance } from "../support/seeded.ts";
import { unreadParts } from "../support/unread-parts.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const TEXTS = IS_LONG ? 100_000 : 3_000;

/** The corpus as far as it loads, without texts that do not stand in the data as they are written: comments, escapes, numbers of other bases. */
const CORPUS = [...new Set(CASES.flatMap(({ workflows }) => workflows))].filter(
  (text) => !/[#\\]|\b0[ox]/.test(text) && readIfValid(text) !== undefined,
);

function readIfValid(text: string): Workflow | undefined {
  try {
    return loadWorkflow(text);
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return undefined;
  }
}

const SIGNS = ["[", "]", "{", "}", '"', "'"];

/** A text with a bracket, a quotation mark or an indentation more or less, at a place that chance picks. */
function disturb(text: string, chance: Chance): string {
  const sign = SIGNS[chance.between(0, SIGNS.length - 1)]!;
  const lines = text.split("\n");
  const at = chance.between(0, lines.length - 1);
  const line = lines[at]!;
  const column = chance.between(0, line.length);
  const indent = " ".repeat(chance.between(0, 6));
  switch (chance.between(0, 5)) {
    case 0:
      lines.splice(at, 1, line.slice(0, column) + sign + line.slice(column));
      break;
    case 1:
      lines.splice(at, 1, line + sign);
      break;
    case 2:
      lines.splice(at, 0, indent + sign);
      break;
    case 3:
      lines.splice(at, 1, line.replace(sign, ""));
      break;
    case 4:
      lines.splice(at, 1, indent + line);
      break;
    default:
      lines.splice(at, 1, indent + line.trimStart());
  }
  return lines.join("\n");
}

test("every text of the corpus is read whole", () => {
  expect(CORPUS.length).toBeGreaterThan(100);
  for (const text of CORPUS) expect(unreadParts(text, readIfValid(text)), text).toEqual([]);
});

test(
  "a text with brackets, quotation marks and indents too many or too few is refused, or read whole",
  { timeout: IS_LONG ? 900_000 : 60_000 },
  () => {
    const chance = seededChance(IS_LONG || process.env.WAVEPOINT_SEED !== undefined ? undefined : 49);
    let accepted = 0;
    for (let i = 0; i < TEXTS; i++) {
      let text = CORPUS[chance.between(0, CORPUS.length - 1)]!;
      for (let changes = chance.between(1, 3); changes > 0; changes--) text = disturb(text, chance);
      const workflow = readIfValid(text);
      if (workflow === undefined) continue;
      accepted++;
      const where = `WAVEPOINT_SEED=${chance.seed}, text ${i}:\n${text}`;
      expect(unreadParts(text, workflow), where).toEqual([]);
      // What the library calls a mistake when it is asked for all it has.
      const documents = [...parseAllDocuments(text, { version: "1.2", resolveKnownTags: false })];
      expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]).map(String), where).toEqual([]);
      expect(documents, where).toHaveLength(1);
    }
    // Neither all nor nothing: the test tries something.
    expect(accepted).toBeGreaterThan(TEXTS / 100);
    expect(accepted).toBeLessThan(TEXTS / 2);
  },
);
