// The tests as they are, on sources with a fault.
import { mergeConfig } from "vite";
import base from "../../vite.config.ts";
import { ROOT } from "./fault.mjs";
import { plantedFault } from "./plugin.mjs";

export default mergeConfig(base, { root: ROOT, plugins: await plantedFault() });
