import { CHECKPOINT_KINDS, type CheckpointRow } from "../../core/model/checkpoint.ts";
import type { RunHead } from "../../core/model/run.ts";
import type { CheckpointQuery, Page, RunQuery } from "../../core/ports/store.ts";
import { cutPage, pageOfHeads } from "../listed-heads.ts";
import { afterRow, matchesRow, pageLimit, startOfRows, startOfRuns, wantedStatuses } from "../listing.ts";
import type { Connection } from "./connection.ts";
import { rowMember } from "./rows.ts";

/**
 * Merges the beginnings of several sorted sets behind a place. ARGV: the order, how many, the score and the member of the place (empty for the
 * first page), and the sets. Gives score, member and value of each. A page reads no more of a set than it shows, and finds its place
 * by halves. Names are compared by their bytes: Lua would compare them by the language of the server.
 */
const LIST = `
local place, is_rising, count, score, member = KEYS[1], ARGV[1] == 'rising', tonumber(ARGV[2]), ARGV[3], ARGV[4]

local function less(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

local function rank(set)
  local low, high = redis.call('ZCOUNT', set, '-inf', '(' .. score), redis.call('ZCOUNT', set, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if less(redis.call('ZRANGE', set, middle, middle)[1], member) then low = middle + 1 else high = middle end
  end
  return low
end

-- Where a part of a set begins and ends, counted from its beginning, or below 0 from its end.
local function part(set)
  if score == '' then
    if is_rising then return 0, count - 1 end
    return -count, -1
  end
  local at = rank(set)
  if not is_rising then return math.max(0, at - count), at - 1, at == 0 end
  if redis.call('ZRANGE', set, at, at)[1] == member then at = at + 1 end
  return at, at + count - 1
end

local found = {}
for i = 5, #ARGV do
  local set = place .. ':' .. ARGV[i]
  local from, to, is_empty = part(set)
  local list = is_empty and {} or redis.call('ZRANGE', set, from, to, 'WITHSCORES')
  for j = 1, #list, 2 do found[#found + 1] = {list[j + 1], list[j], tonumber(list[j + 1])} end
end
table.sort(found, function(a, b)
  if not is_rising then a, b = b, a end
  if a[3] ~= b[3] then return a[3] < b[3] end
  return less(a[2], b[2])
end)

local answer = {}
for i = 1, math.min(count, #found) do
  local run, field = string.match(found[i][2], '^(%S+) ?(.*)$')
  local value = field == '' and redis.call('HGET', place .. ':run:' .. run, 'head') or redis.call('HGET', place .. ':rows:' .. run, field)
  for _, part in ipairs({found[i][1], found[i][2], value or ''}) do answer[#answer + 1] = part end
end
return answer
`;

interface Listed {
  readonly score: number;
  readonly member: string;
  readonly value: string;
}

interface Place {
  readonly score: number;
  readonly member: string;
}

async function list(
  connection: Connection,
  order: "rising" | "falling",
  count: number,
  after: Place | undefined,
  sets: readonly string[],
): Promise<readonly Listed[]> {
  if (sets.length === 0) return [];
  const from = after ? [String(after.score), after.member] : ["", ""];
  const answer = (await connection.run(LIST, order, String(count), ...from, ...sets)) as readonly string[];
  return Array.from({ length: answer.length / 3 }, (_, i) => ({
    score: Number(answer[i * 3]),
    member: answer[i * 3 + 1]!,
    value: answer[i * 3 + 2]!,
  }));
}

/** A page of runs: each status, of runs that were called and of those that were not, is a sorted set, and so it is for each workflow. */
export async function listRuns(connection: Connection, query: RunQuery): Promise<Page<RunHead>> {
  const after = startOfRuns(query);
  const ofWorkflow = query.workflow === undefined ? "" : `:${query.workflow}`;
  const sets = wantedStatuses(query).flatMap((status) =>
    (query.topLevel === true ? [0] : [0, 1]).map((called) => `runs:${status}:${called}${ofWorkflow}`),
  );
  const order = query.oldestFirst === true ? "rising" : "falling";
  const place = after && { score: after.changedAt, member: after.id };
  const found = await list(connection, order, pageLimit(query.limit) + 1, place, sets);
  return pageOfHeads(
    found.map(({ score, member, value }) => ({ changed_at: score, id: member, head: value })),
    query,
  );
}

/** A page of rows: each kind is a sorted set, and so it is for each run and for each workflow. */
export async function listRows(connection: Connection, query: CheckpointQuery): Promise<Page<CheckpointRow>> {
  const { run, workflow, kind } = query;
  const kinds = CHECKPOINT_KINDS.filter((one) => kind === undefined || kind === one);
  const sets = kinds.map((one) =>
    run !== undefined ? `checkpoints-of:${run}:${one}` : `checkpoints:${one}${workflow === undefined ? "" : `:${workflow}`}`,
  );
  const count = pageLimit(query.limit) + 1;
  const start = startOfRows(query);
  let after = start && { score: start.createdAt, member: rowMember(start) };
  const rows: CheckpointRow[] = [];
  for (;;) {
    const found = await list(connection, "falling", count, after, sets);
    // A run has rows of one workflow, as a rule: where both are asked for, more pages are seldom read.
    for (const { value } of found) {
      const row = JSON.parse(value) as CheckpointRow;
      if (matchesRow(query, row)) rows.push(row);
    }
    if (found.length < count || rows.length >= count) break;
    after = found.at(-1);
  }
  const { shown, last } = cutPage(rows, query);
  return { items: shown, ...(last && { next: afterRow(last) }) };
}
