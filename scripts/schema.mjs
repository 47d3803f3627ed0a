// @ts-check
// Writes the JSON Schema of workflow files beside the built package: the last part of `npm run build`.
import { writeFileSync } from "node:fs";

const DIST = new URL("../dist/", import.meta.url);

const { workflowSchema } = await import(new URL("yaml/index.js", DIST).href);
const { builtinBlocks } = await import(new URL("blocks.js", DIST).href);

writeFileSync(new URL("workflow.schema.json", DIST), `${JSON.stringify(workflowSchema(builtinBlocks), null, 2)}\n`);
