import { readFileSync } from "node:fs";
import { plantFault, ROOT } from "./fault.mjs";

/**
 * For Vite: sources with the fault that PLANTED_FAULT names, where it names one. Other files stay as they are, on the disk all do.
 * @returns {Promise<import("vite").Plugin[]>}
 */
export async function plantedFault() {
  const name = process.env.PLANTED_FAULT;
  if (name === undefined) return [];
  const { fault } = await import(new URL(`scripts/planted-faults/faults/${name}.mjs`, `file://${ROOT}`).href);
  const module = `${ROOT}${fault.module}`;
  return [
    {
      name: "planted-fault",
      enforce: "pre",
      load: (id) => (id.split("?")[0] === module ? plantFault(fault, readFileSync(module, "utf8")) : undefined),
    },
  ];
}
