// `DATABASE_URL=postgres://… node bench/cluster.mjs [SIZE…]`: starts, answers and lists a second of a cluster with one worker, in databases that hold so many runs which
// wait, beside plain DBOS doing the same work on the same server. Needs an empty database, and `npm run build` before.
import { fork } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { openDbos } from "./cluster/dbos.mjs";
import { openWavepoint } from "./cluster/wavepoint.mjs";

const address = process.env.DATABASE_URL;
if (!address) throw new Error("DATABASE_URL names an empty database.");
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000];
/** Runs that are started and answered in a turn, how many are started at once, and lists that are read. */
const RUNS = 200;
const AT_ONCE = 32;
const LISTS = 50;
/** Runs that wait while a subject warms up. */
const FEW = 100;
/** Turns of each size, of which the median counts. */
const TURNS = 3;
const LOOK_MS = 5;

/** A database of its own for each subject: the settings of the server are the same. */
async function newDatabase(name) {
  const admin = new pg.Client({ connectionString: address });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(address);
  url.pathname = `/${name}`;
  return String(url);
}

/** Calls with each number up to `RUNS`, so many at once. */
async function forEachRun(atOnce, call) {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < RUNS) await call(next++);
    }),
  );
}

async function timed(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

async function until(isDone) {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** One turn: what a subject does in a second. */
async function measure(subject, turn) {
  const ids = Array.from({ length: RUNS }, (_, i) => `${turn}-${i}`);
  let recorded;
  const asked = await timed(async () => {
    recorded = await timed(() => forEachRun(AT_ONCE, (i) => subject.start(ids[i])));
    await until(() => subject.isAsked(ids));
  });
  const answered = await timed(async () => {
    // An answer of ours waits for what the run comes to.
    await forEachRun(RUNS, (i) => subject.answer(ids[i]));
    await until(() => subject.isCompleted(ids));
  });
  const listed = await timed(async () => {
    for (let i = 0; i < LISTS; i++) if ((await subject.list()) !== 20) throw new Error("A list has too few runs.");
  });
  return { recorded: RUNS / recorded, asked: RUNS / asked, answered: RUNS / answered, listed: LISTS / listed };
}

function startWorker(kind, database) {
  const child = fork(fileURLToPath(new URL(`cluster/${kind}.mjs`, import.meta.url)), ["worker", database]);
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`The worker of ${kind} ended with ${code}.`)));
  });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const subjects = { wavepoint: openWavepoint, dbos: openDbos };
const opened = {};
for (const [kind, open] of Object.entries(subjects)) {
  const database = await newDatabase(`${kind}_${process.pid}`);
  const subject = await open(database);
  opened[kind] = { subject, worker: await startWorker(kind, database) };
  await subject.fill(FEW);
  await measure(subject, `${kind}-warm`);
}
const rows = [];
for (const size of sizes) {
  for (const { subject } of Object.values(opened)) await subject.fill(size);
  const turns = Object.fromEntries(Object.keys(opened).map((kind) => [kind, []]));
  for (let turn = 0; turn < TURNS; turn++)
    for (const [kind, { subject }] of Object.entries(opened)) turns[kind].push(await measure(subject, `${size}-${turn}`));
  for (const [kind, list] of Object.entries(turns)) {
    const rates = Object.keys(list[0]).map((name) => [name, Math.round(median(list.map((one) => one[name])))]);
    rows.push({ size, kind, ...Object.fromEntries(rates), bytes: await opened[kind].subject.bytesOfRun() });
    console.log(JSON.stringify(rows.at(-1)));
  }
}
for (const { subject, worker } of Object.values(opened)) {
  worker.removeAllListeners("exit");
  worker.kill("SIGTERM");
  await new Promise((resolve) => worker.once("exit", resolve));
  await subject.close();
}
console.table(rows);
