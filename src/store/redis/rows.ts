import type { CheckpointRow } from "../../core/model/checkpoint.ts";

/** Of a row of a run: the name under which the run keeps it. In the order of the alphabet it is in the order of lists. */
export function rowField({ number, kind }: Pick<CheckpointRow, "number" | "kind">): string {
  return `${String(number).padStart(16, "0")} ${kind}`;
}

/** Its name in the lists of all runs. A blank stands before every character of a run's id. */
export function rowMember(row: Pick<CheckpointRow, "run" | "number" | "kind">): string {
  return `${row.run} ${rowField(row)}`;
}

/** A part of scripts: takes a row out of the lists. */
export const UNLIST_ROW = `
local function unlist_row(place, run, field)
  local rows = place .. ':rows:' .. run
  local known = redis.call('HGET', rows, field)
  if not known then return end
  local row = cjson.decode(known)
  redis.call('ZREM', place .. ':checkpoints:' .. row.kind, run .. ' ' .. field)
  redis.call('ZREM', place .. ':checkpoints:' .. row.kind .. ':' .. row.workflow, run .. ' ' .. field)
  redis.call('ZREM', place .. ':checkpoints-of:' .. run .. ':' .. row.kind, run .. ' ' .. field)
  redis.call('HDEL', rows, field)
end
`;

/** A part of scripts: removes a run from the lists of its status, of called runs and of its workflow. */
export const UNLIST_RUN = `
local function unlist_run(place, run, listed)
  redis.call('ZREM', place .. ':runs:' .. string.match(listed, '^[^:]*:[^:]*'), run)
  redis.call('ZREM', place .. ':runs:' .. listed, run)
end
`;
