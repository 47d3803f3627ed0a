import { spawn } from "node:child_process";

/** A program of an example that goes on until it is ended. */
export interface Service {
  stop(): Promise<void>;
}

/** Starts a program and resolves once it says that it listens. */
export async function startService(file: string, args: readonly string[], cwd: string): Promise<Service> {
  const child = spawn(process.execPath, [file, ...args], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    void gone.then(() => reject(new Error(`${file} ended before it listened.`)));
  });
  return {
    async stop() {
      child.kill();
      await gone;
    },
  };
}
