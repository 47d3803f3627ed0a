import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";

// A process whose run takes rooms in hotels, until the run has ended or the process is killed. The ledger is what the hotels know.
const [directory, ledger, hotels] = process.argv.slice(2) as [string, string, string];
const file = openSync(ledger, "a");

function write(line: string): void {
  appendFileSync(file, `${line}\n`);
  fsyncSync(file);
}

function isOpen(room: string): boolean {
  const lines = readFileSync(ledger, "utf8").split("\n");
  return lines.includes(`open ${room}`) && !lines.includes(`close ${room}`);
}

const names = Array.from({ length: Number(hotels) }, (_, i) => `Hotel${i}`);
const blocks = names.map((type) =>
  defineBlock({
    type,
    resources: {
      room: {
        async open({ idempotencyKey, host }) {
          // Who books with the same key gets the same room.
          const id = idempotencyKey.split("/").at(-1)!;
          write(`open ${id}`);
          await host.sleep(3);
          return { live: id, reference: { id } };
        },
        async reconnect({ id }: { readonly id: string }, { host }) {
          await host.sleep(1);
          if (!isOpen(id)) throw new Error("It is closed.");
          write(`found ${id}`);
          return id;
        },
        async close({ id }: { readonly id: string }) {
          write(`close ${id}`);
          await new Promise((resolve) => setTimeout(resolve, 2));
        },
      },
    },
    async execute({ resource, block, item, host }) {
      const room = await resource("room");
      write(`got ${room}`);
      if (!isOpen(room)) write(`locked ${room}`);
      await host.sleep(3);
      return success({ slept: `${block} ${item?.index}` });
    },
  }),
);

const flow: Workflow = {
  name: "journey",
  blocks: names.map((type, i) => ({
    id: `stay${i}`,
    type,
    forEach: [1, 2, 3],
    maxParallel: 2,
    dependsOn: i < 2 ? [] : [`stay${i - 2}`],
  })),
};

const store = filesystemStore(directory);
const executor = createExecutor({ store, workflows: [flow], blocks, policy: { durability: "sync" } });
const [known] = (await executor.runs.list()).items;
const run = known ? await executor.open(known.id) : await executor.start("journey");
const { status } = await run.resume();
await executor.close();
write(`all done: ${status}`);
closeSync(file);
await store.close();
