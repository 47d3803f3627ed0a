import { describe, expect, test } from "vitest";
import { checkWorkflow } from "wavepoint/yaml";

/** A workflow whose one input holds a reference to an input that does not exist. */
function withMessage(written: string): string {
  return `name: w\nblocks:\n  - id: a\n    type: EchoBlock\n    inputs:\n      message: ${written}\n`;
}

describe("a wrong reference is shown where it stands", () => {
  test.each<[string, string]>([
    ["in a plain text", "see ${inputs.no}"],
    ["in single quotes", "'it''s ''odd'': ${inputs.no}'"],
    ["in double quotes", '"\\t\\x41\\u0042\\U0001F600 \\"${inputs.no}\\""'],
    ["in a literal text", "|\n        first\n          deeper\n\n        then ${inputs.no}"],
    ["in a literal text without its last break", "|-\n        ${inputs.no}"],
    ["in a literal text that tells its indentation", "|2\n        x\n        ${inputs.no}"],
    ["in a literal text that begins with blank lines", "| # why\n\n\n        x ${inputs.no}"],
    ["in a folded text", ">\n        first\n        second\n\n        third\n\n\n        and ${inputs.no}\n        last"],
    ["in a folded text on its first line", ">-\n        ${inputs.no} first\n        second"],
  ])("%s", async (_, written) => {
    const text = withMessage(written);
    const before = text.slice(0, text.indexOf("${inputs.no}")).split("\n");
    expect((await checkWorkflow(text)).problems).toMatchObject([
      { code: "REFERENCE_UNKNOWN", line: before.length, column: before.at(-1)!.length + 1 },
    ]);
  });

  test("over several lines in quotes it is shown where the text starts", async () => {
    expect((await checkWorkflow(withMessage('"one\n        two ${inputs.no}"'))).problems).toMatchObject([{ line: 6, column: 16 }]);
  });
});
