import { readFileSync } from "node:fs";
import * as api from "@opentelemetry/api";
import { expect, test } from "vitest";
import { bulkRuns, copyStore, createExecutor, pause, transferRun, waitFor, type Executor, type Run } from "wavepoint";
import { agentBlocks, browserModel } from "wavepoint/ai";
import { keepStorage, opfsFiles, questionHistory } from "wavepoint/browser";
import { openCluster } from "wavepoint/cluster/dbos";
import { dashboard } from "wavepoint/dashboard";
import { encryptedStore, rotateKey } from "wavepoint/encryption";
import { mcpHttp, mcpServer } from "wavepoint/mcp";
import { mcpTool } from "wavepoint/mcp/client";
import { offerTools } from "wavepoint/mcp/page";
import { loadDirectories, nodeFiles, nodeShell } from "wavepoint/node";
import { createRegistry, loadManifest } from "wavepoint/registry";
import { filesystemStore } from "wavepoint/store/filesystem";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { openStore } from "wavepoint/store/open";
import { openPostgresStore, postgresStore } from "wavepoint/store/postgres";
import { openRedisStore, redisStore } from "wavepoint/store/redis";
import { openS3Store, s3Store } from "wavepoint/store/s3";
import { openSqliteStore, sqliteStore } from "wavepoint/store/sqlite";
import { remoteExecutor } from "wavepoint/remote";
import { serve } from "wavepoint/server";
import { wizardStore } from "wavepoint/svelte";
import { telemetry } from "wavepoint/telemetry";
import { crashDisk, failAt, fakeHost, runWriter, simulate, storeConformance, tryCrashes } from "wavepoint/testing";
import { workerExecutor } from "wavepoint/worker";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { listPublicEntries } from "./public-entries.ts";
import { ROOT } from "./source-files.ts";

const executor: Executor = createExecutor({ store: memoryStore(), host: fakeHost() });
const run: Run = await executor.start({ name: "w", blocks: [] });
await run.settled();
const registry = createRegistry();
const text = "name: w\nblocks: []\n";

function fail(): never {
  throw new Error("Nothing is asked here.");
}

type Call = (options: never) => unknown;

/** Each function that takes options, by the type of its options, with a key that is nearly one. */
const CALLS: { readonly [type: string]: readonly (readonly [Call, nearly: string, meant: string])[] } = {
  ServeOptions: [[serve, "hostes", "hosts"]],
  LinkOptions: [[(options) => serve({ executor, authorize: () => true, linkKey: "0".repeat(32) }).link(options), "puase", "pause"]],
  ClusterOptions: [[(options) => openCluster("postgres://127.0.0.1:1/none", options), "concurency", "concurrency"]],
  TelemetryOptions: [[(options) => telemetry(api, options), "helth", "health"]],
  RemoteExecutorOptions: [[(options) => remoteExecutor("http://localhost", options), "header", "headers"]],
  AgentOptions: [[agentBlocks, "tool", "tools"]],
  BrowserModelOptions: [[browserModel, "language", "languages"]],
  ExecutorOptions: [[createExecutor, "polcy", "policy"]],
  CheckpointPolicy: [[(policy) => createExecutor({ store: memoryStore(), policy }), "retenton", "retention"]],
  RunPolicy: [[(policy) => executor.start("w", {}, { policy }), "durabilty", "durability"]],
  StartOptions: [[(options) => executor.start("w", {}, options), "di", "id"]],
  WaitOptions: [
    [(options) => executor.open(run.id, options), "signl", "signal"],
    [(options) => executor.answer("pause_x.0", "y", options), "signl", "signal"],
    [(options) => run.settled(options), "signl", "signal"],
    [(options) => run.answer("pause_x.0", "y", options), "signl", "signal"],
    [(options) => run.answer({}, options), "signl", "signal"],
    [(options) => run.revise("pause_x.0", "y", options), "signl", "signal"],
    [(options) => run.back(options), "signl", "signal"],
  ],
  TransferRunOptions: [[(options) => transferRun("run_x", options), "plase", "place"]],
  ResumeOptions: [[(options) => executor.resume("chk_x.0", undefined, options), "frok", "fork"]],
  ResumeRunOptions: [[(options) => run.resume(options), "definiton", "definition"]],
  ForkOptions: [[(options) => executor.fork("chk_x.0", options), "answer", "answers"]],
  SignalOptions: [[(options) => run.signal("paid", 1, options), "idd", "id"]],
  WaitForOptions: [[(options) => waitFor("paid", options), "untill", "until"]],
  DeclineOptions: [[(options) => run.decline("pause_x.0", options), "acton", "action"]],
  SuperstepOptions: [
    [(options) => run.steps(options), "superSteps", "superstep"],
    [(options) => run.state(options), "superSteps", "superstep"],
  ],
  CleanupOptions: [[(options) => executor.cleanup(options), "ttlms", "ttlMs"]],
  RecoverOptions: [[(options) => executor.recover(options), "wach", "watch"]],
  BulkOptions: [[(options) => bulkRuns(executor, { do: "cancel" }, {}, options), "onprogress", "onProgress"]],
  CopyOptions: [[(options) => copyStore(memoryStore(), memoryStore(), options), "onProgres", "onProgress"]],
  ExportOptions: [[(options) => executor.runs.export(run.id, options), "draft", "drafts"]],
  ImportOptions: [[(options) => executor.runs.import("", options), "acept", "accept"]],
  TransferOptions: [[(options) => executor.runs.transfer(run.id, options), "too", "to"]],
  RunListQuery: [[(options) => executor.runs.list(options), "statuss", "status"]],
  JournalQuery: [[(query) => run.journal(query), "limt", "limit"]],
  DashboardOptions: [[(options) => dashboard({} as HTMLElement, options), "executr", "executor"]],
  CheckpointListQuery: [[(options) => executor.checkpoints.list(options), "knid", "kind"]],
  LoadOptions: [[(options) => loadWorkflow(text, options), "sorce", "source"]],
  CheckOptions: [[(options) => checkWorkflow(text, options), "grant", "grants"]],
  RegistryOptions: [[createRegistry, "block", "blocks"]],
  AddOptions: [
    [(options) => registry.add({ name: "w", blocks: [] }, options), "sorce", "source"],
    [(options) => registry.addText(text, options), "sorce", "source"],
  ],
  DuplicateOptions: [[(options) => registry.addTexts({}, options), "onDuplicates", "onDuplicate"]],
  ManifestOptions: [[(options) => loadManifest(registry, "https://example.invalid", options), "fech", "fetch"]],
  DirectoryOptions: [[(options) => loadDirectories(registry, [], options), "signl", "signal"]],
  ToolHostOptions: [
    [mcpServer, "excutor", "executor"],
    [offerTools, "workflowTool", "workflowTools"],
  ],
  McpServerOptions: [[mcpServer, "nam", "name"]],
  McpToolOptions: [[mcpTool, "server", "servers"]],
  McpHttpOptions: [[mcpHttp, "tokn", "token"]],
  NodeFilesOptions: [[nodeFiles, "rot", "root"]],
  NodeShellOptions: [[nodeShell, "inherits", "inherit"]],
  IndexedDbStoreOptions: [[indexedDbStore, "onreset", "onReset"]],
  FilesystemStoreOptions: [[(options) => filesystemStore("nowhere", options), "onWarn", "onWarning"]],
  PostgresStoreOptions: [
    [(options) => postgresStore({ query: () => fail() }, options), "leasMs", "leaseMs"],
    [(options) => openPostgresStore("postgres://127.0.0.1:1/none", options), "leasMs", "leaseMs"],
  ],
  RedisStoreOptions: [
    [(options) => redisStore({ call: fail, getBuffer: fail, duplicate: fail }, options), "prefx", "prefix"],
    [(options) => openRedisStore("redis://127.0.0.1:1", options), "apendfsync", "appendfsync"],
  ],
  S3StoreOptions: [
    [s3Store, "prefx", "prefix"],
    [(options) => openS3Store("s3://bucket", options), "leasMs", "leaseMs"],
  ],
  SqliteStoreOptions: [
    [(options) => sqliteStore({ prepare: () => fail() }, options), "leasMs", "leaseMs"],
    [(options) => openSqliteStore(":memory:", options), "leasMs", "leaseMs"],
  ],
  OpenStoreOptions: [[(options) => openStore("memory:", options), "ormemory", "orMemory"]],
  RotateKeyOptions: [[(options) => rotateKey(memoryStore(), options), "form", "from"]],
  KeepStorageOptions: [[(options) => keepStorage(executor, options), "signl", "signal"]],
  QuestionHistoryOptions: [[(options) => questionHistory(run as never, options), "nam", "name"]],
  OpfsFilesOptions: [[opfsFiles, "foldr", "folder"]],
  WorkerExecutorOptions: [[(options) => workerExecutor(() => ({}) as never, options), "onEvnt", "onEvent"]],
  WizardOptions: [[(options) => wizardStore(executor, "w", options), "input", "inputs"]],
  FakeHostOptions: [[fakeHost, "sed", "seed"]],
  FaultOptions: [[(options) => failAt(1, options), "time", "times"]],
  CrashDiskOptions: [[crashDisk, "beforesync", "beforeSync"]],
  WriterOptions: [[(options) => runWriter(memoryStore(), "run_x").commit([], options), "checkpoint", "checkpoints"]],
  SimulationOptions: [[simulate, "sead", "seed"]],
  ConformanceOptions: [[(options) => storeConformance(async () => ({}) as never, options), "scael", "scale"]],
};

/** Types with such names that are no options of a call into the package, and why. */
const OTHERS: { readonly [type: string]: string } = {
  AccessOptions: "a part of ServeOptions",
  CachePolicy: "a part of a definition, which the loader checks",
  RetryPolicy: "a part of a definition, which the loader checks",
  ReadOptions: "what the package gives to the files of a host",
  WriteOptions: "what the package gives to the files of a host",
  RunQuery: "what the package gives to a store",
  CheckpointQuery: "what the package gives to a store",
};

test("every type of options that a public entry exports is in the table", () => {
  const exported = listPublicEntries().flatMap(({ source }) =>
    [...readFileSync(`${ROOT}${source}`, "utf8").matchAll(/\b[A-Z]\w*(?:Options|Query|Policy)\b/g)].map(([name]) => name),
  );
  const names = [...new Set(exported)];
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !Object.hasOwn(CALLS, name) && !Object.hasOwn(OTHERS, name))).toEqual([]);
  expect(Object.keys(CALLS).filter((name) => !names.includes(name))).toEqual([]);
});

/** Options whose types have other names. */
const NAMED_OTHERWISE: typeof CALLS = {
  Question: [[pause, "promt", "prompt"]],
  StoreSecret: [
    [(secret) => encryptedStore(memoryStore(), secret), "passphrse", "passphrase"],
    [(from) => rotateKey(memoryStore(), { from, to: { passphrase: "new" } }), "passphrse", "passphrase"],
    [(to) => rotateKey(memoryStore(), { from: { passphrase: "old" }, to }), "passphrse", "passphrase"],
  ],
  Access: [[(access) => mcpServer({ access }), "raed", "read"]],
  CrashTrial: [[tryCrashes, "killevery", "killEvery"]],
  CrashBounds: [[(bounds) => tryCrashes({ open: () => memoryStore(), bounds }), "file", "files"]],
};

const rows = Object.entries({ ...CALLS, ...NAMED_OTHERWISE }).flatMap(([type, calls]) =>
  calls.map(([call, nearly, meant], i) => ({ type, i, call, nearly, meant })),
);

test.each(rows)("$type: $nearly is refused, and $meant is named ($i)", async ({ call, nearly, meant }) => {
  const tried = (async () => call({ [nearly]: undefined } as never))();
  await expect(tried).rejects.toMatchObject({
    code: "KEY_UNKNOWN",
    message: expect.stringContaining(`"${meant}"`) as string,
    details: { suggestion: meant },
  });
});

test("cancel too", async () => {
  await expect(run.cancel({ reson: "x" } as never)).rejects.toMatchObject({ code: "KEY_UNKNOWN", details: { suggestion: "reason" } });
});

test("createExecutor without its store says what is missing", () => {
  for (const options of [undefined, {}]) {
    expect(() => createExecutor(options as never)).toThrow(/store.*memoryStore\(\)/s);
  }
});
