import { afterEach } from "vitest";
import { takeWritten } from "./written-lines.ts";

// A library must not write to the console of a page: a test fails when anything is written during it.
afterEach(() => {
  const lines = takeWritten();
  if (lines.length > 0) throw new Error(`The console was written to during this test:\n${lines.join("\n")}`);
});
