import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { createExecutor, defineBlock, success, type Block, type Workflow } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";

// A process whose run takes rooms in hotels, until the run has ended or the process is killed. The ledger is what the hotels know.
const [directory, ledger, hotels] = process.argv.slice(2) as [string, string, string];
const file = openSync(ledger, "a");
/** The stay before which the run waits for an answer. */
const RESTS_AT = 2;

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
          return { live: { id, isHere: true }, reference: { id } };
        },
        async reconnect({ id }: { readonly id: string }, { host }) {
          await host.sleep(1);
          if (!isOpen(id)) throw new Error("It is closed.");
          write(`found ${id}`);
          return { id, isHere: true };
        },
        // While the run waits for an answer.
        disconnect(room: { readonly id: string; isHere: boolean }) {
          room.isHere = false;
          write(`left ${room.id}`);
        },
        async close({ id }: { readonly id: string }) {
          write(`close ${id}`);
          await new Promise((resolve) => setTimeout(resolve, 2));
        },
      },
    },
    async execute({ resource, block, item, host }) {
      const room = await resource("room");
      write(`got ${room.id}`);
      if (!isOpen(room.id) || !room.isHere) write(`locked ${room.id}`);
      await host.sleep(3);
      return success({ slept: `${block} ${item?.index}` });
    },
  }),
);

const stay = (id: string, type: string, dependsOn: readonly string[]): Block => ({
  id,
  type,
  forEach: [1, 2, 3],
  maxParallel: 2,
  dependsOn,
});
const flow: Workflow = {
  name: "hotels",
  blocks: [
    ...names.map((type, i) => stay(`stay${i}`, type, i < 2 ? [] : [i === RESTS_AT ? "rest" : `stay${i - 2}`])),
    { id: "rest", type: "ConfirmOperation", inputs: { message: "Shall we go on?" }, dependsOn: ["stay0", "stay1"] },
    // To where it has been before.
    ...names.slice(0, 2).map((type, i) => stay(`back${i}`, type, ["rest"])),
  ],
};

const store = filesystemStore(directory);
const executor = createExecutor({ store, workflows: [flow], blocks, policy: { durability: "sync" } });
const [known] = (await executor.runs.list()).items;
const run = known ? await executor.open(known.id) : await executor.start("hotels");
let result = await run.resume();
while (result.status === "paused") result = await run.answer(result.pauses[0]!.id, "yes");
await executor.close();
write(`all done: ${result.status}`);
closeSync(file);
await store.close();
