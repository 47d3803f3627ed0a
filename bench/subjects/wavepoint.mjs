// The package as it is published: what `npm run build` made.
export { createExecutor, defineBlock, memoryStore, pause, success } from "../../dist/index.js";
