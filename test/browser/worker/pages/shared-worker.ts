import { memoryStore } from "wavepoint/store/memory";
import { serveExecutor } from "wavepoint/worker";
import { busyExecutor } from "./busy.ts";

const executor = busyExecutor(memoryStore(), []);
self.addEventListener("connect", (event) => serveExecutor(executor, (event as MessageEvent).ports[0]!));
