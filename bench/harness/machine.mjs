import { readFileSync } from "node:fs";
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { ensureChromium } from "../../scripts/browser.mjs";

const PEERS = {
  XState: "xstate",
  Effect: "effect",
  Mastra: "@mastra/core",
  libsql: "libsql",
  DBOS: "@dbos-inc/dbos-sdk",
  LangGraph: "@langchain/langgraph",
  "LangGraph, PostgresSaver": "@langchain/langgraph-checkpoint-postgres",
  "LangGraph, SqliteSaver": "@langchain/langgraph-checkpoint-sqlite",
  "Mastra, libsql": "@mastra/libsql",
};

const versionOf = (path) => JSON.parse(readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8")).version;

/** Load average of the last minute. */
export function loadNow() {
  return loadavg()[0];
}

/** What the figures were made on. */
export function describeMachine() {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? "unknown",
    memoryBytes: totalmem(),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.versions.node,
    chromium: execFileSync(ensureChromium(), ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim(),
    wavepoint: versionOf("../../package.json"),
    peers: Object.fromEntries(Object.entries(PEERS).map(([peer, name]) => [peer, versionOf(`../node_modules/${name}/package.json`)])),
    loadAtEnd: loadNow(),
    date: new Date().toISOString().slice(0, 10),
  };
}
