import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";

// A process that pays bills, each of them once, until all are paid or it is killed. The ledger is the bank: a line in it is a payment.
const [directory, ledger, bills] = process.argv.slice(2) as [string, string, string];
const file = openSync(ledger, "a");

function write(line: string): void {
  appendFileSync(file, `${line}\n`);
  fsyncSync(file);
}

const work = (what: "pay" | "note") =>
  defineBlock({
    type: what,
    effect: what === "pay" ? "once" : "repeatable",
    async execute({ idempotencyKey, attempt, host, once }) {
      await host.sleep(3);
      if (what === "note") {
        await once("look", async (key) => {
          write(`look ${key}`);
          await host.sleep(3);
        });
        write(`looked ${idempotencyKey}/look`);
      }
      write(`${what} ${idempotencyKey} ${attempt}`);
      await host.sleep(3);
      return success({});
    },
  });

const flow: Workflow = {
  name: "bills",
  blocks: [
    { id: "pay", type: "pay", forEach: Array.from({ length: Number(bills) }, (_, i) => i), maxParallel: 3 },
    { id: "note", type: "note", forEach: Array.from({ length: Number(bills) }, (_, i) => i), maxParallel: 3, dependsOn: ["pay"] },
  ],
};

const store = filesystemStore(directory);
const executor = createExecutor({ store, workflows: [flow], blocks: [work("pay"), work("note")], policy: { durability: "sync" } });
const [known] = (await executor.runs.list()).items;
const run = known ? await executor.open(known.id) : await executor.start("bills");
for (let result = await run.resume(); result.status === "paused";) {
  const [pause] = result.pauses;
  const item = /\[(\d+)\]$/.exec(pause!.path[0]!)![1]!;
  // The person who is asked looks at the bank.
  const isPaid = readFileSync(ledger, "utf8").includes(`/pay[${item}] `);
  write(`asked ${isPaid ? "done" : "again"}`);
  result = await run.answer(pause!.id, { outcome: isPaid ? "done" : "again" });
}
write("all done");
closeSync(file);
await executor.close();
await store.close();
