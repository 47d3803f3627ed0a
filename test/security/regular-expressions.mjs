/**
 * Tries every regular expression of the sources on long texts made of what it looks for: one that backtracks does not come to an end.
 * Says which it tries before it tries it, and at last how many there were.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseAst, transformWithOxc } from "vite";

/** Where an expression takes this long for a short text, it is tried on a long one. Most do not, which saves the time. */
const SUSPICIOUS_MS = 4;
const SHORT = 4_000;
/** On this many characters work that grows with the square of the text takes hours, work that grows with the text milliseconds. */
const LONG = 1_000_000;
/** Applied to texts of the package's own making, none longer than a key. */
const BOUNDED = new Set(["/0+$/"]);

const sources = fileURLToPath(new URL("../../src/", import.meta.url));
const seen = new Set();

for (const entry of readdirSync(sources, { recursive: true })) {
  if (!entry.endsWith(".ts")) continue;
  const path = join(sources, entry);
  const { code } = await transformWithOxc(readFileSync(path, "utf8"), path, { sourcemap: false, tsconfig: false });
  visit(parseAst(code), ({ pattern, flags }) => {
    const key = `/${pattern}/${flags}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (BOUNDED.has(key)) return;
    process.stdout.write(`${entry} ${key}\n`);
    tryOut(pattern, flags);
  });
}
process.stdout.write(`${seen.size} expressions\n`);

function tryOut(pattern, flags) {
  const expression = new RegExp(pattern, flags.includes("g") || flags.includes("y") ? flags : `${flags}g`);
  // A text of forty characters is enough for an expression that doubles its work with each of them.
  for (const text of textsFor(pattern, 40)) text.replace(expression, "");
  for (const [i, text] of textsFor(pattern, SHORT).entries()) {
    // Of the processor, not of the clock: on a busy machine every expression would be a suspicious one.
    const started = process.cpuUsage();
    text.replace(expression, "");
    const { user, system } = process.cpuUsage(started);
    if (user + system > SUSPICIOUS_MS * 1_000) textsFor(pattern, LONG, i)[0].replace(expression, "");
  }
}

function visit(node, see) {
  if (Array.isArray(node)) for (const item of node) visit(item, see);
  else if (typeof node === "object" && node !== null) {
    if (node.type === "Literal" && node.regex) see(node.regex);
    for (const [name, child] of Object.entries(node)) if (name !== "regex") visit(child, see);
  }
}

/** Repetitions of what stands in a pattern and of what stands in texts, with beginnings; of all of them or of one. */
function textsFor(pattern, length, only) {
  const single = new Set("a0A- ./\n\t:#\"'%\\${}[](),");
  for (const [piece] of pattern.matchAll(/[\w!-/:-@[-`{-~]/g)) single.add(piece);
  const pieces = [...single].flatMap((piece) => ["", "a", " ", ".", "\n", "/"].map((other) => piece + other));
  const made = pieces.flatMap((piece) => ["", "-", "a", "a@", '"', "'"].map((start) => [start, piece]));
  const wanted = only === undefined ? made : [made[only]];
  return wanted.map(([start, piece]) => `${start}${piece.repeat(length / piece.length)}\u0001!`);
}
