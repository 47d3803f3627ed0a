import { createExecutor, type Executor, type ExecutorOptions } from "../../index.ts";
import type { Call } from "./command.ts";
import { openKeyedStore } from "./keyed-store.ts";
import { plainText } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";

/** Where runs live unless `--store` says otherwise, below the working directory. */
const DEFAULT_STORE = ".wavepoint";

/** The address of the store a command works on. */
export function storeAddress(call: Call): string {
  return call.value("store") ?? DEFAULT_STORE;
}

/** What a command's executor is made with beside its store. */
export type ExecutorSetup = Pick<ExecutorOptions, "workflows" | "grants" | "secrets" | "onEvent">;

/** Options that a command to go on with repeats. */
const REPEATED = ["store", "workflows", "allow-files", "allow-shell", "allow-host"];

/**
 * Does some work with an executor over the store of a command, and always closes both, also after an error. Each wave waits until the
 * steps before it
 * are on the disk: a process on a command line is killed more often than a server.
 */
export async function withExecutor<T>(
  { call, terminal }: { readonly call: Call; readonly terminal: Terminal },
  setup: ExecutorSetup,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const store = await openKeyedStore(storeAddress(call), { terminal, asksNobody: call.has("json"), isEncrypted: call.has("encrypted") });
  try {
    const executor = createExecutor({ ...setup, store, policy: { durability: "sync" } });
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
  const options = REPEATED.flatMap((name) => call.values(name).flatMap((value) => [`--${name}`, value]));
  return [...program(), ...words, ...options].map(quoted).join(" ");
}

/** What a package manager starts is in no place where a shell looks, unless the package is installed for all of the machine. */
function program(): readonly string[] {
  return process.env["npm_config_user_agent"] === undefined ? ["wavepoint"] : ["npx", "wavepoint"];
}

function quoted(word: string): string {
  const plain = plainText(word);
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
