import { builtinBlocks } from "../../dist/blocks.js";
import { loadWorkflow } from "../../dist/yaml.js";
import { fromSource } from "../harness/from-source.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";

const { checkDefinition, compileWorkflow } = await fromSource({
  checkDefinition: "core/definition/check/check-definition.ts",
  compileWorkflow: "core/definition/compile.ts",
});
const MANY = 5_000;
const FEW = MANY / 2;
/** Twice the blocks, and something for the memory they take. */
const BAR = 2.4;

/** A workflow of many blocks, until it could start. */
export async function measure({ samples }) {
  const texts = { few: textOf(FEW), many: textOf(MANY) };
  const times = await interleave(
    [
      { name: "text few", run: () => loadText(texts.few) },
      { name: "text many", run: () => loadText(texts.many) },
      { name: "definition few", run: () => loadDefinition(FEW) },
      { name: "definition many", run: () => loadDefinition(MANY) },
    ],
    { samples },
  );
  const row = (kind, what) =>
    line({
      what: `load, check and plan ${MANY.toLocaleString("en")} blocks, ${what}`,
      unit: "ms",
      ours: times[`${kind} many`],
      reference: times[`${kind} few`],
      referenceName: `${FEW.toLocaleString("en")} blocks`,
      bar: `≤ ${BAR} ×`,
      met: ({ reference }) => reference <= BAR,
    });
  return [row("text", "as YAML"), row("definition", "as a definition that refers to each block before")];
}

function loadText(text) {
  return compileWorkflow(loadWorkflow(text)).plan;
}

/** As long as a text of so many blocks may be. */
function textOf(count) {
  const blocks = Array.from({ length: count }, (_, i) => `- {id: b${i}, type: EchoBlock, depends_on: [${i === 0 ? "" : `b${i - 1}`}]}\n`);
  return `name: w\nblocks:\n${blocks.join("")}`;
}

const blockTypes = new Map(builtinBlocks.map((type) => [type.type, type]));

/** Another one each time: what is compiled is kept. */
function loadDefinition(count) {
  const blocks = Array.from({ length: count }, (_, i) =>
    i === 0
      ? { id: "b0", type: "EchoBlock", inputs: { message: "x" } }
      : {
          id: `b${i}`,
          type: "EchoBlock",
          dependsOn: [`b${i - 1}`],
          condition: `\${blocks.b${i - 1}.succeeded}`,
          inputs: { message: `\${blocks.b${i - 1}.echoed} and \${blocks.b${i >> 1}.echoed}` },
        },
  );
  const workflow = { name: "w", blocks };
  const problem = checkDefinition(workflow, { blockTypes }).find(({ severity }) => severity === "error");
  if (problem) throw new Error(problem.message);
  const compiled = compileWorkflow(workflow);
  for (let i = 0; i < count; i++) compiled.block(i);
}
