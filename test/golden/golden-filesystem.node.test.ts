import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";
import { GOLDEN_CASES, GOLDEN_KEY } from "./golden-cases.ts";
import { finder, readRun, tryOut, type Findings } from "./golden-findings.ts";
import encrypted from "./v1/encrypted.json" with { type: "json" };
import plain from "./v1/filesystem.json" with { type: "json" };

let scratch: string;
let copies = 0;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "golden-"));
});
afterAll(() => rm(scratch, { recursive: true }));

async function copyOf(name: string): Promise<string> {
  const copy = join(scratch, String((copies += 1)));
  await cp(fileURLToPath(new URL(`./v1/${name}`, import.meta.url)), copy, { recursive: true });
  return copy;
}

/** A directory as it comes out of a repository may be open to others; that is said aloud, and it is used all the same. */
const onWarning = (): void => {};

const media: readonly {
  readonly name: string;
  readonly findings: { readonly [name: string]: Findings };
  open(directory: string): Promise<Store>;
}[] = [
  { name: "filesystem", findings: plain.findings as never, open: async (directory) => filesystemStore(directory, { onWarning }) },
  {
    name: "encrypted",
    findings: encrypted.findings as never,
    open: (directory) => encryptedStore(filesystemStore(directory, { onWarning }), { key: GOLDEN_KEY }),
  },
];

/** The bytes of every file that holds something of runs. */
async function bytesOf(directory: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(directory.length), await readFile(path, "base64")] as const;
  });
  return new Map(await Promise.all(read));
}

describe.each(media)("D11: a directory of version 1: $name", ({ name, findings, open }) => {
  test.each(GOLDEN_CASES)("its runs load as they were, and go on to the same end: $name", async (golden) => {
    const store = await open(await copyOf(name));
    const expected = findings[golden.name]!;
    expect(await tryOut(store, golden, expected.run)).toMatchObject(expected);
    await store.close();
  });

  test("reading its runs and lists changes no byte of it", async () => {
    const directory = await copyOf(name);
    const before = await bytesOf(directory);
    expect(before.size).toBeGreaterThan(GOLDEN_CASES.length);
    const store = await open(directory);
    expect((await store.runs()).damaged).toBeUndefined();
    for (const golden of GOLDEN_CASES) await readRun(finder(store, golden), findings[golden.name]!.run);
    await store.close();
    expect(await bytesOf(directory)).toEqual(before);
  });
});
