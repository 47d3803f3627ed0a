import { readFileSync } from "node:fs";

/** Bytes that this process has read from files and written to them so far, by the count of the system (Linux). */
export function bytesMoved() {
  const text = readFileSync("/proc/self/io", "utf8");
  const count = (name) => Number(new RegExp(`${name}: (\\d+)`).exec(text)[1]);
  return { read: count("rchar"), written: count("wchar") };
}
