export { readLink, type Link } from "../protocol/link.ts";
export { remoteExecutor, type RemoteExecutorOptions } from "./remote-executor.ts";
