import { isWorkflowError } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { runWriter } from "wavepoint/testing";

/** Every how many commits one replaces all that stands before it. */
const BASE_EVERY = 7;

// One of several processes that write to one run as fast as they can, for some seconds and until one of its bases was taken: on a busy machine that
// may come later. Says on its output that it is ready, begins with the first input, and says which entries were acknowledged.
const [address, name, seconds] = process.argv.slice(2) as [string, string, string];
const store = await openStore(address);
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.destroy();
const end = performance.now() + Number(seconds) * 1000;
let isBaseTaken = false;
for (let count = 0; performance.now() < end || !isBaseTaken; count += 1) {
  const entry = JSON.stringify({ name, count });
  try {
    const head = await store.head("run_a");
    const at = count % BASE_EVERY === 0 ? head?.entries : undefined;
    // A base that says what it stands for, so that nothing can get lost in it unseen.
    const base = at === undefined ? undefined : { at, text: JSON.stringify({ stands: await store.read("run_a", { to: at }) }) };
    await runWriter(store, "run_a", head).commit([entry], base ? { base } : {});
    isBaseTaken ||= base !== undefined;
    process.stdout.write(`won ${entry}\n`);
  } catch (error) {
    // One that slept while the run was taken very often cannot tell, nor can one whose connection was cut.
    const isUnknown =
      isWorkflowError(error) &&
      (error.message.includes("whether it counts is no longer kept") || error.message.includes("may or may not have"));
    // Where many fight, SQLite may let one wait for longer than it does; what it wanted to write must not be there then.
    const isRefused =
      isWorkflowError(error) && (error.code === "STORE_CONFLICT" || error.message.includes("Another process holds the database"));
    if (!isUnknown && !isRefused) throw error;
    process.stdout.write(`${isUnknown ? "maybe" : "lost"} ${entry}\n`);
  }
}
await store.close();
