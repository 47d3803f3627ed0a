/// <reference types="vite/client" />
import { readCase } from "./case.ts";
import type { Case } from "./case.ts";

/** Every case of the two folders, in Node and in pages. */
export const CASES: readonly Case[] = [
  ...Object.values(import.meta.glob("./cases/*.json", { eager: true, import: "default" })),
  ...Object.values(import.meta.glob("./cases-own/*.json", { eager: true, import: "default" })),
].map(readCase);

/** Fewer than these were not found by accident. */
export const LEAST_CASES = 150;
