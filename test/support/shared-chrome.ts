import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright";
import { startChrome } from "./chrome.ts";

let started: Promise<Browser> | undefined;

/**
 * A Chromium for the files that this process tests one after another. Each opens contexts of its own in it and closes them; the browser ends with the
 * process.
 */
export function sharedChrome(): Promise<Browser> {
  started ??= start();
  return started;
}

async function start(): Promise<Browser> {
  // Removed with what else the tests of this run share.
  const path = mkdtempSync(join(tmpdir(), "wavepoint-profile-"));
  const { context } = await startChrome({ path });
  return context.browser()!;
}
