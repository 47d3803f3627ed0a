import { createExecutor, type Executor, type Workflow } from "../../index.ts";
import { openStore } from "../../store/open.ts";
import type { Call } from "./command.ts";
import { plainText } from "./plain-text.ts";

/** Where runs live unless `--store` says otherwise, below the working directory. */
const DEFAULT_STORE = ".wavepoint";

/** The address of the store a command works on. */
export function storeAddress(call: Call): string {
  return call.value("store") ?? DEFAULT_STORE;
}

/**
 * Does some work with an executor over the store of a command, and closes both whatever happens. Each wave waits until the steps before it
 * are on the disk: a process on a command line is killed more often than a server.
 */
export async function withExecutor<T>(call: Call, workflows: readonly Workflow[], work: (executor: Executor) => Promise<T>): Promise<T> {
  const store = await openStore(storeAddress(call));
  try {
    const executor = createExecutor({ store, workflows, durability: "sync" });
    try {
      return await work(executor);
    } finally {
      await executor.close();
    }
  } finally {
    await store.close();
  }
}

/** A command to go on with, as it can be pasted into a shell. */
export function commandText(call: Call, ...words: readonly string[]): string {
  const store = call.value("store");
  const options = [
    ...(store === undefined ? [] : ["--store", store]),
    ...call.values("workflows").flatMap((path) => ["--workflows", path]),
  ];
  return ["wavepoint", ...words, ...options].map(quoted).join(" ");
}

function quoted(word: string): string {
  const plain = plainText(word);
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
