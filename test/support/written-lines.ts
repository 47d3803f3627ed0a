const METHODS = ["debug", "error", "info", "log", "trace", "warn"] as const;
const written: string[] = [];

// Once a process, which may run several test files.
for (const method of METHODS) {
  const write = console[method].bind(console);
  console[method] = (...values: unknown[]) => {
    written.push(`console.${method}: ${values.map(String).join(" ")}`);
    write(...values);
  };
}

/** What was written to the console since the last call. */
export function takeWritten(): string[] {
  return written.splice(0);
}
