import { encodeBase64 } from "../core/model/base64.ts";
import type { CheckpointRow } from "../core/model/checkpoint.ts";
import type { Keyring } from "./keyring.ts";
import { tampered } from "./tampering.ts";
import { webCrypto } from "./web-crypto.ts";

/** Bytes kept of a row's code. */
const CODE_BYTES = 18;

/** The row with a code that only the store's key can make: it stays in the clear, and cannot be changed. */
export async function sealRow(keyring: Keyring, row: CheckpointRow): Promise<CheckpointRow> {
  return { ...row, sealed: await codeOf(keyring, row) };
}

/** The row that was sealed. Throws `STORE_TAMPERED`. */
export async function openRow(keyring: Keyring, { sealed, ...row }: CheckpointRow): Promise<CheckpointRow> {
  if (sealed === (await codeOf(keyring, row))) return row;
  throw tampered(`A row of run ${row.run} in the index of checkpoints`, { run: row.run });
}

async function codeOf(keyring: Keyring, { run, workflow, kind, number, createdAt, entries }: CheckpointRow): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([run, workflow, kind, number, createdAt, entries]));
  const code = await webCrypto().subtle.sign("HMAC", keyring.rows, text);
  return encodeBase64(new Uint8Array(code, 0, CODE_BYTES));
}
