// One row in a process of its own, so that no row inherits another one's heap; `run.mjs` starts it.
import process from "node:process";
import { fullScale, quickScale } from "./harness/scale.mjs";

const [name, mode] = process.argv.slice(2);
const { measure } = await import(`./rows/${name}.mjs`);
const lines = await measure(mode === "--quick" ? quickScale : fullScale);
process.send(lines, () => process.exit(0));
