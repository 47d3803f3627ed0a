// A sandbox: a process with a folder of its own, which runs code that comes over a socket. It outlives the process that started it.
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

const [folder = "", socket = ""] = process.argv.slice(2);

const deeds = {
  list: () => readdir(folder),
  read: async ({ name }) => (await readFile(join(folder, name))).toString("base64"),
  write: ({ name, bytes }) => writeFile(join(folder, name), Buffer.from(bytes, "base64")),
  run: ({ code }) =>
    new Promise((resolve) => {
      const options = { cwd: folder, timeout: 10_000, env: {} };
      execFile(process.execPath, ["-e", code], options, (error, stdout, stderr) => resolve({ ok: !error, stdout, stderr }));
    }),
};

const server = createServer((connection) => {
  connection.on("error", () => {});
  createInterface({ input: connection }).on("line", async (line) => {
    const { deed, ...given } = JSON.parse(line);
    if (deed === "end") process.exit(0);
    connection.write(`${JSON.stringify({ gave: (await deeds[deed](given)) ?? null })}\n`);
  });
});
server.listen(socket, () => process.stdout.write("ready\n"));
// A process that is not ended ends itself.
setTimeout(() => process.exit(0), 600_000).unref();
