// The package as it is published: what `npm run build` made.
export { createExecutor, defineBlock, pause, success } from "../../dist/index.js";
export { memoryStore } from "../../dist/store/memory.js";
