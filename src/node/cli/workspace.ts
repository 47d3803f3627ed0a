import { createExecutor, type Executor, type ExecutorOptions } from "../../index.ts";
import type { Call } from "./command.ts";
import { openKeyedStore } from "./keyed-store.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";

/** Where runs live unless `--store` says otherwise, below the working directory. */
const DEFAULT_STORE = ".wavepoint";

/** The address of the store a command works on. */
export function storeAddress(call: Call): string {
  return call.value("store") ?? DEFAULT_STORE;
}

/** The options of a command's executor, without its store. */
export type ExecutorSetup = Pick<ExecutorOptions, "workflows" | "blocks" | "grants" | "secrets" | "onEvent">;

/** Options that the suggested next command repeats. */
const REPEATED = ["store", "workflows", "blocks", "allow-files", "allow-shell", "allow-host"];

/** An executor over a store, and what closes both. */
export interface Workspace {
  readonly executor: Executor;
  close(): Promise<void>;
}

/**
 * Opens the store of a command and makes an executor over it. Each wave waits until the steps before it are on the disk: a process on a command line is
 * killed more often than a server.
 */
export async function openWorkspace(
  { call, terminal }: { readonly call: Call; readonly terminal: Terminal },
  setup: ExecutorSetup,
): Promise<Workspace> {
  const store = await openKeyedStore(storeAddress(call), {
    terminal,
    asksNobody: call.has("json"),
    isEncrypted: call.has("encrypted"),
    isCluster: call.has("cluster"),
    onWarning: (message) => note(terminal, plainLine(message)),
  });
  try {
    const executor = createExecutor({ ...setup, store, policy: { durability: "sync" } });
    return {
      executor,
      async close() {
        try {
          await executor.close();
        } finally {
          await store.close();
        }
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Does some work with an executor over the store of a command, and always closes both, also after an error. */
export async function withExecutor<T>(
  of: { readonly call: Call; readonly terminal: Terminal },
  setup: ExecutorSetup,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const { executor, close } = await openWorkspace(of, setup);
  try {
    return await work(executor);
  } finally {
    await close();
  }
}

/** Returns the next command in a form that can be pasted into a shell. */
export function commandText(call: Call, ...words: readonly string[]): string {
  const options = REPEATED.flatMap((name) => call.values(name).flatMap((value) => [`--${name}`, value]));
  return [...program(), ...words, ...options].map(quoted).join(" ");
}

/** A shell does not find a command that a package manager starts, unless the package is installed for the whole machine. */
function program(): readonly string[] {
  return process.env["npm_config_user_agent"] === undefined ? ["wavepoint"] : ["npx", "wavepoint"];
}

function quoted(word: string): string {
  const plain = plainText(word);
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}
