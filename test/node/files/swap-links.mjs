// A thread that swaps a folder, and a file in it, for links that lead out of the root, and back, as fast as it can, until it has to stop.
import { renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

const { root, outside, stop } = workerData;
const folder = join(root, "folder");
const file = join(folder, "file");
const aside = join(root, "aside");
let swaps = 0;

/** Writers put folders and files of their own where something was taken away: then a step fails, and the next round begins anew. */
function attempt(step) {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

function swap(path, target) {
  attempt(() => renameSync(path, aside));
  if (attempt(() => symlinkSync(target, path))) swaps += 1;
  attempt(() => unlinkSync(path));
  // What is executed may write into it while it is removed.
  if (!attempt(() => renameSync(aside, path))) rmSync(aside, { recursive: true, force: true, maxRetries: 20 });
}

parentPort.postMessage("ready");
while (Atomics.load(stop, 0) === 0) {
  swap(folder, outside);
  swap(file, join(outside, "file"));
}
parentPort.postMessage(swaps);
