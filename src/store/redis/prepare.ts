import { WorkflowError } from "../../core/model/errors.ts";
import { RUN_STATUSES } from "../../core/model/run.ts";
import type { Connection } from "./connection.ts";

/** The version of the keys. */
const VERSION = 2;

/** Makes of the keys of version 1, in which a run had a field for each thing it stands by, those of version 2. ARGV: all statuses. */
const FROM_VERSION_1 = `
local place, fields = KEYS[1], {'revision', 'epoch', 'entries', 'base', 'changedAt', 'listed', 'writers'}
if redis.call('GET', place .. ':version') ~= '1' then return end
for _, status in ipairs(ARGV) do
  for called = 0, 1 do
    for _, id in ipairs(redis.call('ZRANGE', place .. ':runs:' .. status .. ':' .. called, 0, -1)) do
      local run = place .. ':run:' .. id
      local had = redis.call('HMGET', run, unpack(fields))
      local base = had[4] == '' and '0' or had[4]
      redis.call('HSET', run, 'stands', table.concat({had[1], had[2], had[3], base, had[5]}, ' ') .. '\\n' .. had[6] .. '\\n' .. had[7])
      redis.call('HDEL', run, unpack(fields))
    end
  end
end
redis.call('SET', place .. ':version', '2')
`;

/** How often a server must sync its append-only file: after each commit, once a second, or not at all; `unchecked` if it does not say. */
export type Appendfsync = "always" | "everysec" | "no" | "unchecked";

/** All of them, from the strictest to the one that asks for nothing. */
export const APPENDFSYNC: readonly Appendfsync[] = ["always", "everysec", "no", "unchecked"];

/** What of its settings a server tells. */
type Settings = ReadonlyMap<string, string>;

/** Migrates keys of an older version. Throws `STORE_FAILED` if a newer version made the keys, or if the server keeps less than was asked for. */
export async function prepareServer(connection: Connection, appendfsync: Appendfsync, channel: string): Promise<void> {
  await checkSettings(connection, appendfsync);
  // A script that may not publish would fail after its writes.
  await connection.call("publish", channel, "");
  await connection.call("set", `${connection.place}:version`, String(VERSION), "nx");
  const version = Number(await connection.call("get", `${connection.place}:version`));
  if (version < VERSION) await connection.run(FROM_VERSION_1, ...RUN_STATUSES);
  if (version <= VERSION) return;
  throw new WorkflowError(
    "STORE_FAILED",
    `The keys have version ${version}; this version of the package reads ${VERSION}. Use a newer one. Nothing was changed.`,
  );
}

async function checkSettings(connection: Connection, wanted: Appendfsync): Promise<void> {
  if (wanted === "unchecked") return;
  const settings = await settingsOf(connection);
  const policy = settings.get("maxmemory-policy") ?? "noeviction";
  if (settings.get("maxmemory") !== "0" && policy.startsWith("allkeys")) {
    throw tooWeak(`removes keys when it is full (maxmemory-policy ${policy})`, "CONFIG SET maxmemory-policy noeviction");
  }
  const isSkipped = wanted === "always" && settings.get("no-appendfsync-on-rewrite") === "yes";
  const kept = settings.get("appendonly") === "yes" ? (settings.get("appendfsync") ?? "no") : "no";
  if (APPENDFSYNC.indexOf(kept as Appendfsync) > APPENDFSYNC.indexOf(wanted)) {
    throw tooWeak(
      settings.get("appendonly") === "yes" ? `syncs its append-only file less often: ${kept}` : "has no append-only file",
      `CONFIG SET appendonly yes and CONFIG SET appendfsync ${wanted}, or take what it keeps: { appendfsync: "${kept}" }`,
    );
  }
  if (isSkipped) throw tooWeak("does not sync while it rewrites its append-only file", "CONFIG SET no-appendfsync-on-rewrite no");
}

function tooWeak(what: string, wayOut: string): WorkflowError {
  return new WorkflowError(
    "STORE_FAILED",
    `This Redis ${what}, so that what is stored may get lost. Change it: ${wayOut}. Nothing was changed.`,
  );
}

async function settingsOf(connection: Connection): Promise<Settings> {
  try {
    return new Map([
      ...pairs(await connection.call("config", "get", "*append*")),
      ...pairs(await connection.call("config", "get", "maxmemory*")),
    ]);
  } catch (cause) {
    if (!/unknown command|NOPERM|not (allowed|supported)/i.test(String((cause as Error).message))) throw cause;
    const message =
      'This Redis does not tell how it keeps what is stored (CONFIG GET). Look it up (it should sync with "appendfsync always" and evict nothing), and say so: { appendfsync: "unchecked" }.';
    throw new WorkflowError("STORE_FAILED", message, { cause });
  }
}

/** Names and values, which clients give as a list or as an object. */
function pairs(answer: unknown): [string, string][] {
  if (!Array.isArray(answer)) return Object.entries(answer as { readonly [name: string]: string });
  return Array.from({ length: answer.length / 2 }, (_, i) => [String(answer[i * 2]), String(answer[i * 2 + 1])]);
}
