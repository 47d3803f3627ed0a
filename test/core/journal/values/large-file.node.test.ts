import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { keepLargeFile } from "./large-file.ts";

const root = await mkdtemp(join(tmpdir(), "wavepoint-large-file-"));
afterAll(() => rm(root, { recursive: true, force: true }));

test("a file of 20 MB goes through the filesystem store", async () => {
  await keepLargeFile(() => filesystemStore(root));
});
