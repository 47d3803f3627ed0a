import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encryptedStore, rotateKey } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";
import { CANARIES, formsOf, playCanaries } from "./canary.ts";
import { keyBytes } from "./keys.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function readAllFiles(): Promise<string> {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const texts = files.map(async ({ parentPath, name }) => name + (await readFile(join(parentPath, name), "latin1")));
  return (await Promise.all(texts)).join("\n");
}

test("S9: no file of an encrypted store has what people say, in no form", async () => {
  const store = await encryptedStore(filesystemStore(directory), { key: keyBytes(1) });
  const seen = await playCanaries(store);
  await store.close();
  const inner = filesystemStore(directory);
  await rotateKey(inner, { from: { key: keyBytes(1) }, to: { key: keyBytes(2) } });
  await inner.close();
  const files = await readAllFiles();
  for (const canary of Object.values(CANARIES)) {
    expect(seen).toContain(canary);
    for (const form of formsOf(canary)) expect(files).not.toContain(form);
  }
  expect(files.length).toBeGreaterThan(5_000);
});

test("S9: the bytes of a key are in no file", async () => {
  const key = crypto.getRandomValues(new Uint8Array(32)).map((byte) => byte | 0x10);
  const store = await encryptedStore(filesystemStore(directory), { key });
  await playCanaries(store);
  await store.close();
  const files = await readAllFiles();
  for (const form of formsOf(String.fromCharCode(...key.subarray(0, 12))).slice(0, 7)) expect(files).not.toContain(form);
});
