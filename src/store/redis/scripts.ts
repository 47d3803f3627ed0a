import { UNLIST_ROW, UNLIST_RUN } from "./rows.ts";
import { STANDS } from "./standing.ts";

/** Returns the count of entries, the base and a range of entries; nothing if there is no such run. ARGV: the run, from, to. */
export const READ_ENTRIES: string = `
local place, run = KEYS[1], ARGV[1]
local had = redis.call('HGET', place .. ':run:' .. run, 'stands')
if not had then return false end
local _, entries, base = string.match(had, '${STANDS}')
local first = math.max(0, base - 1)
local from, to = math.max(0, tonumber(ARGV[2]) - first), tonumber(ARGV[3]) - first - 1
return {entries, base, to < from and {} or redis.call('LRANGE', place .. ':entries:' .. run, from, to)}
`;

/** Deletes a run with all that belongs to it. ARGV: the run, the channel, the message. */
export const DELETE_RUN: string = `${UNLIST_ROW}${UNLIST_RUN}
local place, run = KEYS[1], ARGV[1]
local had = redis.call('HGET', place .. ':run:' .. run, 'stands')
if not had then return end
unlist_run(place, run, (select(5, string.match(had, '${STANDS}'))))
for _, field in ipairs(redis.call('HKEYS', place .. ':rows:' .. run)) do unlist_row(place, run, field) end
for _, name in ipairs({':run:', ':entries:', ':notes:'}) do redis.call('DEL', place .. name .. run) end
redis.call('PUBLISH', ARGV[2], ARGV[3])
`;

/** Keeps a note of a run that is there. ARGV: the run, the key, the channel, the message, the text. */
export const PUT_NOTE = `
local place, run, key, channel, message, text = KEYS[1], unpack(ARGV)
if redis.call('EXISTS', place .. ':run:' .. run) == 0 then return end
redis.call('HSET', place .. ':notes:' .. run, key, text)
redis.call('PUBLISH', channel, message)
`;

/** ARGV: the run, the key, the channel, the message. */
export const REMOVE_NOTE = `
redis.call('HDEL', KEYS[1] .. ':notes:' .. ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[4])
`;

/** Gives keys and texts of the notes of a run whose keys begin with a prefix. ARGV: the run, the prefix. */
export const READ_NOTES = `
local notes, prefix, found = KEYS[1] .. ':notes:' .. ARGV[1], ARGV[2], {}
for _, key in ipairs(redis.call('HKEYS', notes)) do
  if string.sub(key, 1, #prefix) == prefix then
    found[#found + 1] = key
    found[#found + 1] = redis.call('HGET', notes, key)
  end
end
return found
`;

/** Keeps a blob or a text of the cache, and the instant by which it is swept. ARGV: blob or cache, the key, the instant, the content. */
export const KEEP = `
redis.call('SET', KEYS[1] .. ':' .. ARGV[1] .. ':' .. ARGV[2], ARGV[4])
redis.call('ZADD', KEYS[1] .. ':' .. ARGV[1] .. 's', ARGV[3], ARGV[2])
`;

/** Deletes blobs that were last kept before an instant. ARGV: the instant, the hashes. */
export const SWEEP_BLOBS = `
local swept = 0
for i = 2, #ARGV do
  local kept_at = redis.call('ZSCORE', KEYS[1] .. ':blobs', ARGV[i])
  if kept_at and tonumber(kept_at) < tonumber(ARGV[1]) then
    redis.call('ZREM', KEYS[1] .. ':blobs', ARGV[i])
    redis.call('DEL', KEYS[1] .. ':blob:' .. ARGV[i])
    swept = swept + 1
  end
end
return swept
`;

/**
 * Deletes results from the cache: those that ended before an instant, and those that end first if there are too many. ARGV: the instant, how many may stay.
 */
export const SWEEP_CACHE = `
local ends = KEYS[1] .. ':caches'
local ended, all = redis.call('ZCOUNT', ends, '-inf', '(' .. ARGV[1]), redis.call('ZCARD', ends)
local surplus = math.max(0, all - ended - tonumber(ARGV[2]))
local gone = {}
if ended + surplus > 0 then gone = redis.call('ZRANGE', ends, 0, ended + surplus - 1) end
for _, key in ipairs(gone) do
  redis.call('ZREM', ends, key)
  redis.call('DEL', KEYS[1] .. ':cache:' .. key)
end
return #gone
`;

/** Counts the runs. ARGV: all statuses. */
export const COUNT_RUNS = `
local runs = 0
for _, status in ipairs(ARGV) do
  for called = 0, 1 do runs = runs + redis.call('ZCARD', KEYS[1] .. ':runs:' .. status .. ':' .. called) end
end
return runs
`;
