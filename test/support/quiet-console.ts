import { afterEach } from "vitest";

// A library that talks on the console talks in somebody's page: every word written during a test fails it.
const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const written: string[] = [];

for (const method of METHODS) {
  const write = console[method].bind(console);
  console[method] = (...values: unknown[]) => {
    written.push(`console.${method}: ${values.map(String).join(" ")}`);
    write(...values);
  };
}

afterEach(() => {
  const lines = written.splice(0);
  if (lines.length > 0) throw new Error(`The console was written to during this test:\n${lines.join("\n")}`);
});
