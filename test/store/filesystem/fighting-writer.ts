import { filesystemStore } from "../../../src/store/filesystem.ts";
import { runWriter } from "../../../src/testing/conformance/writer.ts";
import { isWorkflowError } from "../../../src/core/model/errors.ts";

// One of several processes that write to one run as fast as they can. Says on its output which entries were acknowledged.
const [directory, name, seconds] = process.argv.slice(2) as [string, string, string];
const store = filesystemStore(directory);
const end = performance.now() + Number(seconds) * 1000;
for (let count = 0; performance.now() < end; count += 1) {
  const entry = JSON.stringify({ name, count });
  try {
    await runWriter(store, "run_a", await store.head("run_a")).commit([entry]);
    process.stdout.write(`won ${entry}\n`);
  } catch (error) {
    if (!isWorkflowError(error) || error.code !== "STORE_CONFLICT") throw error;
    process.stdout.write(`lost ${entry}\n`);
  }
}
await store.close();
