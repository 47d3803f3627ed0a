export { builtinBlocks } from "./core/blocks/builtin.ts";
