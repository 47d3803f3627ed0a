import { spawn } from "node:child_process";
import { buildProcess } from "./built-process.ts";

/** Leaves claims behind as processes do that were killed. */
export interface ClaimAbandoner {
  /** A process of its own takes a run of the store at an address, and is killed. */
  abandon(address: string, run: string): Promise<void>;
  remove(): void;
}

/** Builds the process. */
export async function claimAbandoner(): Promise<ClaimAbandoner> {
  const { script, remove } = await buildProcess(new URL("../store/abandoned-claim.ts", import.meta.url));
  return {
    async abandon(address, run) {
      const child = spawn(process.execPath, [script, address, run], { stdio: ["ignore", "pipe", "inherit"] });
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
      const signal = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
      if (said !== "taken" || signal !== "SIGKILL") throw new Error(`The process that takes ${run} said ${JSON.stringify(said)}.`);
    },
    remove,
  };
}
