import type { Commit } from "../../core/ports/store.ts";
import { checkExpected, conflict } from "../check-commit.ts";
import { storedText } from "../stored-text.ts";
import type { Connection } from "./connection.ts";
import { NEW_RUN, STANDS, standsAs } from "./standing.ts";
import { rowField, UNLIST_ROW, UNLIST_RUN } from "./rows.ts";

/** Of how many writers a run knows the last commit: more do not write to one run while a connection is made anew. */
const KEPT_WRITERS = 32;

/**
 * One round trip for a commit. ARGV: the run, who commits and the number of the commit, revision and epoch before, how the run then stands, the head, what most
 * commits do not have as JSON (or empty), the text of the base, the entries. Gives 1 where it was made, else how the run
 * stands: then nothing was changed. A client may send it again when it lost the connection, and others may have written meanwhile: the run keeps the number of the
 * last commit of each of its latest writers. The first write is one that a server without room refuses; what comes after it in the same script it lets pass.
 * A script that fails is not taken back: nothing here may fail once it has written.
 */
const COMMIT = `${UNLIST_ROW}${UNLIST_RUN}
local place, id, by, more = KEYS[1], ARGV[1], ARGV[2], ARGV[6] ~= '' and cjson.decode(ARGV[6]) or {}
local run, journal, rows = place .. ':run:' .. id, place .. ':entries:' .. id, place .. ':rows:' .. id
local had = redis.call('HGET', run, 'stands') or '${NEW_RUN}'
local stood, entries, base, changed, listed, writers = string.match(had, '${STANDS}')
local own, kept = string.match(by, '%S+'), {by}
for writer, number in string.gmatch(writers, '(%S+) (%S+)') do
  if writer ~= own then kept[#kept + 1] = writer .. ' ' .. number
  elseif writer .. ' ' .. number == by then return 1 end
end
local _, count, new_base, changed_at, to_list = string.match(ARGV[4], '${STANDS}')
entries, base = tonumber(entries), tonumber(base)
local at, first = more.at, count - #ARGV + 7
local fits = stood == ARGV[3]
if at then fits = fits and (first == entries or first > entries and first <= at) and base <= at
else fits = fits and first == entries and tonumber(new_base) == base end
if not fits then return had end

redis.call('HSET', run, 'head', ARGV[5], 'stands', ARGV[4] .. table.concat(kept, ' ', 1, math.min(#kept, ${KEPT_WRITERS})))
if listed ~= to_list or changed ~= changed_at then
  if listed ~= '' and listed ~= to_list then unlist_run(place, id, listed) end
  redis.call('ZADD', place .. ':runs:' .. string.match(to_list, '^[^:]*:[^:]*'), changed_at, id)
  redis.call('ZADD', place .. ':runs:' .. to_list, changed_at, id)
end

local from = 8
if at then
  if first > entries then redis.call('DEL', journal)
  else redis.call('LTRIM', journal, at - math.max(0, base - 1), -1) end
  redis.call('LPUSH', journal, ARGV[7])
  from = from + math.max(0, at - first)
end
for i = from, #ARGV, 1000 do redis.call('RPUSH', journal, unpack(ARGV, i, math.min(i + 999, #ARGV))) end

for _, key in ipairs(more.dropNotes or {}) do redis.call('HDEL', place .. ':notes:' .. id, key) end
for _, field in ipairs(more.forgotten or {}) do unlist_row(place, id, field) end
for _, row in ipairs(more.checkpoints or {}) do
  local field, kind, of, created_at, text = unpack(row)
  if redis.call('HSETNX', rows, field, text) == 0 then
    unlist_row(place, id, field)
    redis.call('HSET', rows, field, text)
  end
  redis.call('ZADD', place .. ':checkpoints:' .. kind, created_at, id .. ' ' .. field)
  redis.call('ZADD', place .. ':checkpoints:' .. kind .. ':' .. of, created_at, id .. ' ' .. field)
  redis.call('ZADD', place .. ':checkpoints-of:' .. id .. ':' .. kind, created_at, id .. ' ' .. field)
end
-- A client may set a prefix before its keys, which channels do not have.
redis.call('PUBLISH', string.match(place, '{[^{}]*}$') .. ':changes', own .. ' ' .. id)
return 1
`;

/** Writes a commit; `by` is the store and a number that no other commit has, with a blank in between. Throws the errors of the port if it does not fit. */
export async function writeCommit(connection: Connection, commit: Commit, by: string): Promise<void> {
  const { run, expected, head, entries, base } = commit;
  const seen = `${expected?.revision ?? 0} ${expected?.epoch ?? 0}`;
  const texts = [run, by, seen, standsAs(head), JSON.stringify(head), moreOf(commit), base ? storedText(base.text) : ""];
  const answer = String(await connection.run(COMMIT, ...texts, ...entries.map(storedText)));
  if (answer === "1") return;
  const [revision, epoch, known, before] = answer.split(/[ \n]/, 4).map(Number) as [number, number, number, number];
  checkExpected(commit, revision === 0 ? undefined : { revision, epoch, entries: known, ...(before > 0 && { base: before }) });
  // It fits what stands there now: another writer came and went between.
  throw conflict(run);
}

function moreOf({ base, dropNotes = [], forgotten = [], checkpoints = [] }: Commit): string {
  if (base === undefined && dropNotes.length + forgotten.length + checkpoints.length === 0) return "";
  return JSON.stringify({
    at: base?.at,
    dropNotes: listOrNone(dropNotes),
    forgotten: listOrNone(forgotten.map(rowField)),
    checkpoints: listOrNone(checkpoints.map((row) => [rowField(row), row.kind, row.workflow, row.createdAt, JSON.stringify(row)])),
  });
}

/** An empty list is an object to Lua. */
function listOrNone<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
