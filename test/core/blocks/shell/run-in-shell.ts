import { spawn, spawnSync } from "node:child_process";
import { parseTemplate } from "../../../../src/core/expression/parse-template.ts";
import { placeValues } from "../../../../src/core/blocks/shell/place-values.ts";

/** The shells of this machine that a command may meet as `sh`. */
export const SHELLS: readonly (readonly [string, ...string[]])[] = (
  [
    ["/bin/sh", "-c"],
    ["bash", "--posix", "-c"],
    ["busybox", "sh", "-c"],
  ] as const
).filter(([program, ...args]) => spawnSync(program, [...args, ":"]).status === 0);

/** What a command writes for each of the values, in place of the `@` in it. All of them are handed to one shell. */
export async function writeWith(
  shell: readonly [string, ...string[]],
  command: string,
  options: { readonly values: readonly string[]; readonly cwd: string },
): Promise<readonly string[]> {
  const parts = options.values.flatMap((value) => {
    const { parts } = parseTemplate(`(\n${command.replaceAll("@", "${v}")}\n)\nprintf '\\0'\n`);
    return parts.map((part) => (typeof part === "string" ? part : { value }));
  });
  const placed = placeValues(parts, { takesOptions: true });
  const [program, ...args] = shell;
  const written = await new Promise<string>((resolve, reject) => {
    const child = spawn(program, [...args, placed.command], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH, ...placed.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", () => resolve(Buffer.concat(chunks).toString()));
  });
  return written.split("\0").slice(0, -1);
}
