/**
 * Lets a script of this folder import the TypeScript of the project as it lies there: `import "./run-from-source.mjs"` first, then
 * `await import("….ts")`. Public names ("wavepoint", "wavepoint/yaml", …) lead to the sources too, so nothing has to be built before.
 */
import { register } from "node:module";

register("./typescript-hooks.mjs", import.meta.url);
