import { KEY_RUN } from "../../encryption/key-record.ts";
import { decodeBase64 } from "../../core/model/base64.ts";
import type { StoreSecret } from "../../encryption/store-secret.ts";
import { WorkflowError, type Store } from "../../index.ts";
import { openStore } from "../../store/open.ts";
import { readPassphrase } from "./passphrase.ts";
import type { Terminal } from "./terminal.ts";

/** The variable with the key of an encrypted store: 32 bytes as base64. */
const KEY_VARIABLE = "WAVEPOINT_STORE_KEY";
const KEY_BYTES = 32;

export interface KeyOptions {
  readonly terminal: Terminal;
  /** Whether no questions may be asked. */
  readonly asksNobody: boolean;
  /** Whether an empty store becomes an encrypted one. */
  readonly isEncrypted: boolean;
  /** Whether runs are executed by the workers of a cluster. */
  readonly isCluster?: boolean;
  /** Told what goes wrong in a cluster and is tried again. */
  readonly onWarning?: (message: string) => void;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Opens the store at an address; an encrypted one with the key or passphrase of the environment, else with one typed at the terminal. A given key or
 * passphrase encrypts an empty store. Throws `COMMAND_INVALID`, `STORE_KEY_WRONG` and the errors of opening a store.
 */
export async function openKeyedStore(address: string, options: KeyOptions): Promise<Store> {
  const store = options.isCluster ? await openWorkers(address, options.onWarning) : await openStore(address);
  try {
    const secret = await findSecret(store, options);
    if (!secret) return store;
    const { encryptedStore } = await import("../../encryption/encrypted-store.ts");
    return await encryptedStore(store, secret);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Throws `COMMAND_INVALID` for an address that is no Postgres database. */
async function openWorkers(address: string, onWarning: (message: string) => void = () => {}): Promise<Store> {
  if (!/^postgres(?:ql)?:/.test(address)) {
    throw new WorkflowError("COMMAND_INVALID", "--cluster needs a Postgres database: --store postgres://user@host/name.");
  }
  const { openCluster } = await import("../../cluster/dbos.ts");
  return openCluster(address, { onWarning });
}

async function findSecret(store: Store, options: KeyOptions): Promise<StoreSecret | undefined> {
  const { terminal, asksNobody, isEncrypted, environment = process.env } = options;
  const key = environment[KEY_VARIABLE];
  if (key) return { key: keyBytes(key) };
  const isSealed = (await store.head(KEY_RUN)) !== undefined;
  const passphrase = await readPassphrase(
    { ...terminal, interactive: terminal.interactive && !asksNobody },
    {
      of: "store",
      isNew: !isSealed,
      isNeeded: isSealed || isEncrypted,
      environment,
    },
  );
  return passphrase === undefined ? undefined : { passphrase };
}

function keyBytes(text: string): Uint8Array {
  const bytes = decodeBase64(text.trim());
  if (bytes?.length === KEY_BYTES) return bytes;
  throw new WorkflowError("COMMAND_INVALID", `${KEY_VARIABLE} holds no key: it is the base64 of ${KEY_BYTES} random bytes.`);
}
