import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type BlockType, defineBlock, failure, success } from "wavepoint";

/** Where a sandbox is: enough for any process on this machine to find it again. */
interface Place {
  readonly folder: string;
  readonly socket: string;
  readonly pid: number;
}

interface Sandbox {
  ask(deed: "list" | "read" | "write" | "run" | "end", given?: object): Promise<unknown>;
  leave(): void;
}

async function openSandbox() {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  const socket = `${folder}.sock`;
  const script = fileURLToPath(new URL("sandbox-process.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, folder, socket], { detached: true, stdio: ["ignore", "pipe", "ignore"], env: {} });
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.unref();
  return { live: await enter(socket), reference: { folder, socket, pid: child.pid! } satisfies Place };
}

async function enter(socket: string): Promise<Sandbox> {
  const connection: Socket = connect(socket);
  await once(connection, "connect");
  // Its end shows where the next thing is asked.
  connection.on("error", () => {});
  const lines = createInterface({ input: connection })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(deed, given = {}) {
      const answer = async (): Promise<unknown> => {
        connection.write(`${JSON.stringify({ deed, ...given })}\n`);
        const { value, done } = await lines.next();
        if (done) throw new Error("The sandbox has ended.");
        return (JSON.parse(value) as { readonly gave: unknown }).gave;
      };
      return (last = last.then(answer));
    },
    leave: () => connection.destroy(),
  };
}

/**
 * Runs code in a sandbox that the blocks of a run share. The files that the code leaves are kept with the run, and given back to a sandbox that had to be opened anew. With
 * `resources` it needs nothing else: the engine finds the sandbox again, or opens another one.
 */
export const runCode: BlockType = defineBlock({
  type: "RunCode",
  description: "Runs JavaScript in a sandbox with a folder, and gives what it prints.",
  effect: "repeatable",
  inputs: { jsonSchema: { type: "object", properties: { code: { type: "string" } }, required: ["code"], additionalProperties: false } },
  resources: {
    sandbox: {
      open: openSandbox,
      async reconnect({ socket }: Place) {
        const sandbox = await enter(socket);
        // A process that is about to end may still take a connection. Only an answer shows that it lives.
        await sandbox.ask("list");
        return sandbox;
      },
      disconnect: (live: Sandbox) => live.leave(),
      async close({ folder, socket }: Place, live: Sandbox | undefined) {
        const sandbox = live ?? (await enter(socket).catch(() => undefined));
        await sandbox?.ask("end").catch(() => {});
        sandbox?.leave();
        await rm(folder, { recursive: true, force: true });
        await rm(socket, { force: true });
      },
    },
  },
  async execute({ inputs, resource, files }) {
    const sandbox = await resource("sandbox");
    const there = new Set((await sandbox.ask("list")) as readonly string[]);
    const kept = await files.list();
    for (const { name } of kept.filter(({ name: known }) => !there.has(known))) {
      const { bytes } = await files.read(name);
      await sandbox.ask("write", { name, bytes: Buffer.from(bytes).toString("base64") });
    }
    const { ok, stdout, stderr } = (await sandbox.ask("run", { code: inputs.code })) as { ok: boolean; stdout: string; stderr: string };
    if (!ok) return failure(stderr.trim() || "The code failed.");
    for (const name of (await sandbox.ask("list")) as readonly string[]) {
      await files.write(name, Buffer.from(String(await sandbox.ask("read", { name })), "base64"));
    }
    return success({ printed: stdout });
  },
});
