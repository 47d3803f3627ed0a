import type { Commit } from "../../core/ports/store.ts";
import { checkExpected, conflict } from "../check-commit.ts";
import { storedText } from "../stored-text.ts";
import type { Connection } from "./connection.ts";
import { rowField, UNLIST_ROW, UNLIST_RUN } from "./rows.ts";

/** Of how many writers a run knows the last commit: more do not write to one run while a connection is made anew. */
const KEPT_WRITERS = 32;

/**
 * One round trip for a commit. ARGV: what is small as JSON, the head, the text of the base, the entries. Gives 1 where it was made, else how the run
 * stands: then nothing was changed. A client may send it again when it lost the connection, and others may have written meanwhile: the run keeps the number of the
 * last commit of each of its latest writers. The first write is one that a server without room refuses; what comes after it in the same script it lets pass.
 * A script that fails is not taken back: nothing here may fail once it has written.
 */
const COMMIT = `${UNLIST_ROW}${UNLIST_RUN}
local place, c = KEYS[1], cjson.decode(ARGV[1])
local run, journal, rows = place .. ':run:' .. c.run, place .. ':entries:' .. c.run, place .. ':rows:' .. c.run
local had = redis.call('HMGET', run, 'writers', 'revision', 'epoch', 'entries', 'base', 'listed', 'changedAt')
local writers = {c.holder .. ' ' .. c.commit}
for holder, commit in string.gmatch(had[1] or '', '(%S+) (%S+)') do
  if holder ~= c.holder then writers[#writers + 1] = holder .. ' ' .. commit
  elseif commit == c.commit then return 1 end
end
local entries, base = tonumber(had[4]) or 0, tonumber(had[5])
local fits = tonumber(had[2]) == c.seenRevision and tonumber(had[3]) == c.seenEpoch
if c.at then fits = fits and (c.first == entries or c.first > entries and c.first <= c.at) and (not base or base <= c.at)
else fits = fits and c.first == entries and c.base == base end
if not fits then return {had[2], had[3], had[4], had[5]} end

redis.call('HSET', run, 'head', ARGV[2], 'writers', table.concat(writers, ' ', 1, math.min(#writers, ${KEPT_WRITERS})), 'revision', c.revision, 'epoch', c.epoch, 'entries', c.entries, 'base', c.base or '')
if had[6] ~= c.listed or tonumber(had[7]) ~= c.changedAt then
  if had[6] and had[6] ~= c.listed then unlist_run(place, c.run, had[6]) end
  redis.call('HSET', run, 'listed', c.listed, 'changedAt', c.changedAt)
  redis.call('ZADD', place .. ':runs:' .. string.match(c.listed, '^[^:]*:[^:]*'), c.changedAt, c.run)
  redis.call('ZADD', place .. ':runs:' .. c.listed, c.changedAt, c.run)
end

local from = 4
if c.at then
  if c.first > entries then redis.call('DEL', journal)
  else redis.call('LTRIM', journal, c.at - (base and base - 1 or 0), -1) end
  redis.call('LPUSH', journal, ARGV[3])
  from = from + math.max(0, c.at - c.first)
end
for i = from, #ARGV, 1000 do redis.call('RPUSH', journal, unpack(ARGV, i, math.min(i + 999, #ARGV))) end

for _, key in ipairs(c.dropNotes or {}) do redis.call('HDEL', place .. ':notes:' .. c.run, key) end
for _, field in ipairs(c.forgotten or {}) do unlist_row(place, c.run, field) end
for _, row in ipairs(c.checkpoints or {}) do
  local field, kind, workflow, created_at, text = unpack(row)
  if redis.call('HSETNX', rows, field, text) == 0 then
    unlist_row(place, c.run, field)
    redis.call('HSET', rows, field, text)
  end
  redis.call('ZADD', place .. ':checkpoints:' .. kind, created_at, c.run .. ' ' .. field)
  redis.call('ZADD', place .. ':checkpoints:' .. kind .. ':' .. workflow, created_at, c.run .. ' ' .. field)
  redis.call('ZADD', place .. ':checkpoints-of:' .. c.run .. ':' .. kind, created_at, c.run .. ' ' .. field)
end
redis.call('PUBLISH', c.channel, c.message)
return 1
`;

/** What a run is listed under, and how it stands. */
type Refusal = readonly (string | null)[];

/** Writes a commit. Throws what the port says where it does not fit. */
export async function writeCommit(
  connection: Connection,
  commit: Commit,
  how: { readonly holder: string; readonly commit: string; readonly channel: string; readonly message: string },
): Promise<void> {
  const { run, expected, head, entries, base, dropNotes, checkpoints, forgotten } = commit;
  const small = {
    ...how,
    run,
    seenRevision: expected?.revision,
    seenEpoch: expected?.epoch,
    revision: head.revision,
    epoch: head.epoch,
    entries: head.entries,
    base: head.base,
    changedAt: head.changedAt,
    listed: `${head.status}:${head.parent === undefined ? 0 : 1}:${head.workflow}`,
    first: head.entries - entries.length,
    at: base?.at,
    dropNotes: listOrNone(dropNotes),
    forgotten: listOrNone(forgotten?.map(rowField)),
    checkpoints: listOrNone(checkpoints?.map((row) => [rowField(row), row.kind, row.workflow, row.createdAt, JSON.stringify(row)])),
  };
  const texts = [JSON.stringify(head), base ? storedText(base.text) : "", ...entries.map(storedText)];
  const answer = await connection.run(COMMIT, JSON.stringify(small), ...texts);
  if (!Array.isArray(answer)) return;
  const [revision, epoch, known, before] = answer as Refusal;
  const stored = typeof revision !== "string" ? undefined : { revision: Number(revision), epoch: Number(epoch), entries: Number(known) };
  checkExpected(commit, stored && (before ? { ...stored, base: Number(before) } : stored));
  // It fits what stands there now: another writer came and went between.
  throw conflict(run);
}

function listOrNone<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}
