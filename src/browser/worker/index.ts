export { serveExecutor } from "./serve-executor.ts";
export { workerExecutor } from "./worker-executor.ts";

export type { ServedExecutor, ServedPort } from "./serve-executor.ts";
export type { WorkerEnd } from "./connection.ts";
export type { WorkerExecutor, WorkerExecutorOptions } from "./worker-executor.ts";
