import { join } from "node:path";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { divide, interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { startServers } from "../harness/servers.mjs";
import { timeTwice } from "../harness/time-twice.mjs";
import { openDbos, openGraphOnPostgres, openGraphOnSqlite, openMastra } from "../subjects/checkpointers.mjs";
import { committer, CONNECTIONS, openPostgres, openRedis, openSqlite } from "../subjects/databases.mjs";
import { openWalk } from "../subjects/ours.mjs";

/** Steps of a workflow beside those of others, which grow with its length. */
const STEPS = 50;
/** Runs that are written to at once, and how often each is in a sample. */
const RUNS = 1_000;
const COMMITS = 3;
/** Milliseconds a commit: 3,000 a second. */
const MOST_MS = 1 / 3;

/** Commits and steps of 1 kB in databases, beside raw statements and beside engines that keep their steps there. */
export async function measure({ samples, stretch }) {
  const directory = newDirectory("databases");
  const servers = await startServers();
  const lines = [];
  try {
    if (servers.postgres) lines.push(...(await postgres(servers.postgres, { samples, stretch })));
    lines.push(...(await sqlite(directory, { samples, stretch })));
    if (servers.redis) lines.push(...(await redis(servers.redis, { samples, stretch })));
  } finally {
    await servers.postgres?.stop();
    await servers.redis?.stop();
    removeDirectory(directory);
  }
  return lines;
}

async function postgres(server, { samples, stretch }) {
  const database = await openPostgres(server.newPlace());
  const [dbos, graph] = [await openDbos(server.newPlace(), STEPS), await openGraphOnPostgres(server.newPlace(), STEPS)];
  const commits = await besideRaw("Postgres", database, { samples, stretch, most: 1.5, raw: "INSERT" });
  const steps = await besidePeers("Postgres", database.store, samples, [
    ["DBOS 5", dbos.walk],
    ["LangGraph, PostgresSaver", graph.walk],
  ]);
  const many = await manyRuns(database, samples);
  for (const { close } of [dbos, graph]) await close();
  await database.store.close();
  await database.close();
  return [...commits, ...many, ...steps];
}

async function sqlite(directory, { samples, stretch }) {
  const database = openSqlite(directory);
  const [graph, mastra] = [
    await openGraphOnSqlite(join(directory, "graph.db"), STEPS),
    await openMastra(join(directory, "mastra.db"), STEPS),
  ];
  const commits = await besideRaw("SQLite", database, { samples, stretch, most: 1.3, raw: "INSERT (WAL, `synchronous = FULL`)" });
  const steps = await besidePeers("SQLite", database.store, samples, [
    ["LangGraph, SqliteSaver", graph.walk],
    ["Mastra 0.24, libsql", mastra.walk],
  ]);
  for (const { close } of [graph, mastra]) await close();
  await database.store.close();
  database.close();
  return [...commits, ...steps];
}

async function redis(server, { samples, stretch }) {
  const database = await openRedis(server.port);
  const lines = await besideRaw("Redis", database, { samples, stretch, most: 1.3, raw: "script with RPUSH" });
  await database.store.close();
  database.close();
  return lines;
}

async function besideRaw(name, { store, insert }, { samples, stretch, most, raw }) {
  const commit = committer(store);
  const repeat = (action) => async () => {
    for (let i = 0; i < stretch; i++) await action();
  };
  const subjects = [
    { name: "ours", run: () => timeTwice(repeat(commit)) },
    { name: "raw", run: () => timeTwice(repeat(() => insert("alone"))) },
  ];
  const times = await interleave(subjects, { samples });
  return [
    line({
      what: `commit of 1 kB, ${name}`,
      unit: "ms",
      ours: divide(times.ours, stretch),
      reference: divide(times.raw, stretch),
      referenceName: raw,
      bar: `≤ ${most} × raw`,
      met: ({ reference }) => reference <= most,
      readme: true,
    }),
  ];
}

async function manyRuns({ store, insert }, samples) {
  const writers = Array.from({ length: RUNS }, (_, number) => committer(store, `run_many_${number}`));
  const together = (actions) => () =>
    Promise.all(
      actions.map(async (action) => {
        for (let i = 0; i < COMMITS; i++) await action();
      }),
    );
  const subjects = [
    { name: "ours", run: async () => void (await together(writers)()) },
    { name: "raw", run: async () => void (await together(writers.map((_, number) => () => insert(`many ${number}`)))()) },
  ];
  const times = await interleave(subjects, { samples });
  const each = (of) => divide(of, RUNS * COMMITS);
  const what = `commit of 1 kB, Postgres, ${RUNS.toLocaleString("en")} runs at once over ${CONNECTIONS} connections`;
  const met = ({ ours }) => ours <= MOST_MS;
  return [
    line({
      what,
      unit: "ms",
      ours: each(times.ours),
      reference: each(times.raw),
      referenceName: "INSERT",
      bar: "≥ 3,000 a second",
      met,
      readme: true,
    }),
  ];
}

async function besidePeers(name, store, samples, peers) {
  const walk = await openWalk(store, { prefix: 0, stretches: (samples + 1) * 2, length: STEPS, durability: "sync" });
  const subjects = [
    { name: "ours", run: () => timeTwice(() => walk.walk()) },
    ...peers.map(([peer, run]) => ({ name: peer, run: () => timeTwice(run) })),
  ];
  const times = await interleave(subjects, { samples });
  await walk.close();
  const perStep = (of) => divide(times[of], STEPS);
  return peers.map(([peer]) =>
    line({
      what: `durable step of 1 kB, ${name}, \`sync\``,
      unit: "ms",
      ours: perStep("ours"),
      peer: perStep(peer),
      peerName: peer,
      bar: "≤ peer",
      met: (ratio) => ratio.peer <= 1,
      readme: true,
    }),
  );
}
