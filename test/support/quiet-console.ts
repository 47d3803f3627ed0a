import { afterEach } from "vitest";
import { takeWritten } from "./written-lines.ts";

// A library that talks on the console talks in somebody's page: every word written during a test fails it.
afterEach(() => {
  const lines = takeWritten();
  if (lines.length > 0) throw new Error(`The console was written to during this test:\n${lines.join("\n")}`);
});
