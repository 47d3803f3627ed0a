import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isWorkflowError } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";
import { runWriter } from "wavepoint/testing";
import { seededChance } from "../support/seeded.ts";
import { keyBytes } from "./keys.ts";

const LONG = process.env.WAVEPOINT_LONG !== undefined;
const FLIPS = LONG ? 5_000 : 150;
const TEXTS = Array.from({ length: 6 }, (_, number) => `{"entry":${number},"words":"what a person said"}`);

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rmSync(place, { recursive: true }));

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size > 0)
    .toSorted();
}

/** What a call gives, or the code of the error. */
async function told<T>(call: () => Promise<T>): Promise<T | string> {
  try {
    return await call();
  } catch (error) {
    if (isWorkflowError(error)) return error.code;
    throw error;
  }
}

test("S9: after a change of any bit of any file, what is read is true, or older, or an error", async () => {
  const [whole, damaged] = [join(place, "whole"), join(place, "damaged")];
  const made = await encryptedStore(filesystemStore(whole), { key: keyBytes(1) });
  const writer = runWriter(made, "run_a");
  for (const text of TEXTS) await writer.commit([text]);
  await made.putBlob("f00d", "a blob");
  await made.close();
  const { seed, between } = seededChance();
  let errors = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    rmSync(damaged, { recursive: true, force: true });
    cpSync(whole, damaged, { recursive: true });
    const files = filesIn(damaged);
    const file = files[between(0, files.length - 1)]!;
    const bytes = readFileSync(file);
    const at = between(0, bytes.length - 1);
    bytes[at]! ^= 1 << between(0, 7);
    writeFileSync(file, bytes);
    const inner = filesystemStore(damaged, { onWarning: () => {} });
    const where = `seed ${seed}, flip ${flip}, ${file.slice(damaged.length)}`;
    const store = await told(() => encryptedStore(inner, { key: keyBytes(1) }));
    if (typeof store === "string") {
      errors += 1;
      await inner.close();
      continue;
    }
    const [read, blob] = [await told(() => store.read("run_a")), await told(() => store.getBlob("f00d"))];
    if (typeof read === "string") expect(read, where).toMatch(/^STORE_(TAMPERED|DATA_CORRUPT)$/);
    else expect(TEXTS.slice(0, read.length), where).toEqual(read);
    expect(blob, where).toMatch(/^(a blob|STORE_(TAMPERED|DATA_CORRUPT))$/);
    if (typeof read === "string" || blob !== "a blob") errors += 1;
    await store.close();
  }
  expect(errors).toBeGreaterThan(FLIPS / 10);
});
