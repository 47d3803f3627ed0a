import process from "node:process";
import { filesystemStore } from "./subjects/filesystem.mjs";
import { timeNewestRuns } from "./subjects/listed-runs.mjs";

/** Prints how long a new process takes to list the newest 20 runs of a directory, in milliseconds. */
const store = filesystemStore(process.argv[2]);
process.stdout.write(String(await timeNewestRuns(store)));
await store.close();
