// The tests as they are, on sources with the fault that PLANTED_FAULT names: other files stay as they are, on the disk all do.
import { readFileSync } from "node:fs";
import { mergeConfig } from "vite";
import base from "../../vite.config.ts";
import { plantFault, ROOT } from "./fault.mjs";

const name = process.env.PLANTED_FAULT;

async function plugins() {
  if (name === undefined) return [];
  const { fault } = await import(new URL(`scripts/planted-faults/faults/${name}.mjs`, `file://${ROOT}`).href);
  return [
    {
      name: "planted-fault",
      enforce: "pre",
      load: (id) =>
        id.split("?")[0] === `${ROOT}${fault.module}` ? plantFault(fault, readFileSync(`${ROOT}${fault.module}`, "utf8")) : undefined,
    },
  ];
}

export default mergeConfig(base, { root: ROOT, plugins: await plugins() });
