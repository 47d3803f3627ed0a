import { readdirSync } from "node:fs";

const FOLDER = new URL("../faults/pages/", import.meta.url);

/** The pages of the tests of faults, by name. All are built at once: each is little beside the engine, which they share. */
export const FAULT_PAGES: Readonly<Record<string, URL>> = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [file.replace(/\.ts$/, ""), new URL(file, FOLDER)]),
);
