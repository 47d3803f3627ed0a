/**
 * `npm run cases -- DIR [--store memory|filesystem|sqlite|postgres|redis|s3|indexeddb]`: plays every acceptance case of a folder through the public API. The cases of
 * Postgres are played on PGlite, or with `--address postgres://user@host/name` on that server, each in a schema of its own that is removed.
 */
import "./corpus/run-from-source.mjs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** A case that is not over by then hangs. */
const CASE_TIMEOUT_MS = 20_000;

const STORES = {
  memory: playInMemory,
  filesystem: playOnFiles,
  sqlite: playInSqlite,
  postgres: playInPostgres,
  redis: playInRedis,
  s3: playInS3,
  indexeddb: playInChromium,
};

function stopWithUsage(problem) {
  console.error(`${problem}\nUsage: npm run cases -- DIR [--store ${Object.keys(STORES).join("|")}] [--address postgres://user@host/name]`);
  process.exit(2);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { store: { type: "string", default: "memory" }, address: { type: "string" } },
    });
    if (positionals.length !== 1) stopWithUsage("Name one folder with cases.");
    if (!Object.hasOwn(STORES, values.store)) stopWithUsage(`There is no store "${values.store}".`);
    if (values.address !== undefined && values.store !== "postgres") stopWithUsage("An address is that of a Postgres database.");
    return { folder: resolve(positionals[0]), store: values.store, address: values.address };
  } catch (error) {
    return stopWithUsage(error.message);
  }
}

async function listCases(folder) {
  const names = await readdir(folder).catch((error) => stopWithUsage(`${folder} cannot be read: ${error.code ?? error.message}.`));
  const cases = names.filter((name) => name.endsWith(".json")).toSorted();
  return cases.length > 0 ? cases : stopWithUsage(`${folder} holds no *.json file.`);
}

async function playInMemory() {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { memoryStore } = await import("wavepoint/store/memory");
  return { play: (theCase) => runCase(theCase, async () => memoryStore()), async close() {} };
}

async function playOnFiles() {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { filesystemStore } = await import("wavepoint/store/filesystem");
  const root = await mkdtemp(join(tmpdir(), "wavepoint-cases-"));
  return {
    play: async (theCase, name) => runCase(theCase, async () => filesystemStore(join(root, name))),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

async function playInSqlite() {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { openSqliteStore } = await import("wavepoint/store/sqlite");
  const root = await mkdtemp(join(tmpdir(), "wavepoint-cases-"));
  return {
    play: async (theCase, name) => runCase(theCase, () => openSqliteStore(join(root, `${name}.db`))),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

async function playInRedis() {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { openRedisStore } = await import("wavepoint/store/redis");
  const { hasRedis, startRedis } = await import("../test/support/redis-server.ts");
  if (!hasRedis) stopWithUsage("There is no redis-server here. Install it: node scripts/servers.mjs");
  const server = await startRedis();
  return {
    play: async (theCase) => {
      const place = server.newPlace();
      return runCase(theCase, () => openRedisStore(place));
    },
    close: () => server.stop(),
  };
}

async function playInPostgres(at) {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { postgresStore } = await import("wavepoint/store/postgres");
  const { openSchema, close } = at === undefined ? await embeddedSchemas() : await schemasOf(at);
  return {
    async play(theCase, name) {
      const { pool, remove } = await openSchema(`"${name}"`);
      try {
        return await runCase(theCase, async () => postgresStore(pool));
      } finally {
        await remove();
      }
    },
    close,
  };
}

async function embeddedSchemas() {
  const { PGlite } = await import("@electric-sql/pglite");
  const database = await PGlite.create();
  return {
    async openSchema(schema) {
      await database.exec(`create schema ${schema}; set search_path = ${schema}`);
      return { pool: database, remove: () => database.exec(`drop schema ${schema} cascade`) };
    },
    close: () => database.close(),
  };
}

async function schemasOf(connectionString) {
  const { default: pg } = await import("pg");
  const owner = new pg.Pool({ connectionString });
  return {
    async openSchema(schema) {
      await owner.query(`create schema ${schema}`);
      const pool = new pg.Pool({ connectionString, options: `-c search_path=${schema}` });
      return {
        pool,
        async remove() {
          await pool.end();
          await owner.query(`drop schema ${schema} cascade`);
        },
      };
    },
    close: () => owner.end(),
  };
}

async function playInS3() {
  const { runCase } = await import("../test/corpus/run-case.ts");
  const { s3Store } = await import("wavepoint/store/s3");
  const { signedFetch, startS3Stub } = await import("../test/support/s3-stub.ts");
  const stub = await startS3Stub();
  return {
    play: (theCase, name) => runCase(theCase, async () => s3Store({ bucket: stub.bucket, prefix: name, fetch: signedFetch })),
    close: () => stub.stop(),
  };
}

async function playInChromium() {
  const { openPage } = await import("./corpus/chromium-page.mjs");
  const { page, close } = await openPage(fileURLToPath(new URL("../test/corpus/page.ts", import.meta.url)));
  return { play: (theCase, name) => page.evaluate(([value, database]) => window.playCase(value, database), [theCase, name]), close };
}

function withinTime(playing) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the case was not over after ${CASE_TIMEOUT_MS / 1_000} s`)), CASE_TIMEOUT_MS);
  });
  return Promise.race([playing, late]).finally(() => clearTimeout(timer));
}

const { folder, store, address } = readArguments();
const names = await listCases(folder);
const { readCase } = await import("../test/corpus/case.ts");
const player = await STORES[store](address);
let failed = 0;

for (const name of names) {
  let differences;
  try {
    const theCase = readCase(JSON.parse(await readFile(join(folder, name), "utf8")));
    differences = await withinTime(player.play(theCase, `case-${name.replace(/[^A-Za-z0-9]+/g, "-")}`));
  } catch (error) {
    differences = [error instanceof Error ? error.message : String(error)];
  }
  if (differences.length > 0) {
    failed += 1;
    console.log(`FAILED ${name}: ${differences.join("; ").replaceAll("\n", " / ")}`);
  }
}

await player.close();
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
