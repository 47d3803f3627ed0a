import { memoryStore } from "wavepoint/store/memory";
import { serveExecutor } from "wavepoint/worker";
import { busyExecutor } from "./busy.ts";

const executor = busyExecutor(memoryStore(), []);

// Tells all pages how many of them watch.
const { watch } = executor.runs;
const counts = new BroadcastChannel("watching");
let watching = 0;
const count = (more: number): void => counts.postMessage((watching += more));
executor.runs.watch = (listener) => {
  const end = watch(listener);
  count(1);
  return () => {
    end();
    count(-1);
  };
};

self.addEventListener("connect", (event) => serveExecutor(executor, (event as MessageEvent).ports[0]!));
