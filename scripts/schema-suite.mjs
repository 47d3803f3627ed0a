// @ts-check
// Runs the official JSON Schema Test Suite: `npm run schema-suite -- DIR`, where DIR holds a copy of it. Prints a table by keyword: how many groups of tests have a schema that
// is taken, how many are refused, and how many tests of those taken come out otherwise than the suite says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import "./corpus/run-from-source.mjs";

const { readySchema } = await import("../src/core/expression/ready-schema.ts");
const { lowerSchema } = await import("../src/core/ports/lower-schema.ts");

const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
if (folder === undefined) {
  console.error("Give the folder that holds a copy of the suite: npm run schema-suite -- DIR");
  process.exit(2);
}
const showsAll = process.argv.includes("--all");
let wrongInAll = 0;
for (const draft of ["draft2020-12", "draft7"]) wrongInAll += await tryDraft(draft);
process.exitCode = wrongInAll > 0 ? 1 : 0;

/**
 * @param {string} draft
 * @returns {Promise<number>}
 */
async function tryDraft(draft) {
  const place = join(/** @type {string} */ (folder), "tests", draft);
  const files = readdirSync(place).filter((name) => name.endsWith(".json"));
  /** @type {{ keyword: string, groups: number, refused: number, tests: number, wrong: number }[]} */
  const rows = [];
  for (const file of files) {
    const row = { keyword: file.replace(".json", ""), groups: 0, refused: 0, tests: 0, wrong: 0 };
    for (const { description, schema, tests } of JSON.parse(readFileSync(join(place, file), "utf8"))) {
      row.groups++;
      /** @type {import("../src/core/expression/ready-schema.ts").ReadySchema} */
      let ready;
      try {
        // Before 2019 a schema need not say which draft it is of.
        const dated =
          draft === "draft7" && typeof schema === "object" ? { $schema: "http://json-schema.org/draft-07/schema#", ...schema } : schema;
        ready = await readySchema(lowerSchema(dated, "It"));
      } catch (error) {
        row.refused++;
        if (showsAll) console.log(`refused: ${draft} ${row.keyword}: ${description}: ${String(error).slice(0, 200)}`);
        continue;
      }
      for (const test of tests) {
        row.tests++;
        if ((ready.check(test.data).problems.length === 0) === test.valid) continue;
        row.wrong++;
        console.log(`wrong: ${draft} ${row.keyword}: ${description}: ${test.description}`);
      }
    }
    rows.push(row);
  }
  const sum = (/** @type {"groups" | "refused" | "tests" | "wrong"} */ key) => rows.reduce((all, row) => all + row[key], 0);
  console.log(`\n${draft}`);
  console.table(Object.fromEntries(rows.map(({ keyword, ...counts }) => [keyword, counts])));
  console.log(
    `${sum("groups") - sum("refused")} of ${sum("groups")} groups are taken, ${sum("refused")} refused; ${sum("tests")} tests, ${sum("wrong")} wrong.`,
  );
  return sum("wrong");
}
