import type { LeaseRows } from "../leases.ts";
import type { Connection } from "./connection.ts";

/** By the clock of the server: those of the machines around it may differ. ARGV: the time of a lease, then runs, each with the name of its claim. */
const NOW = `
local claims, time = KEYS[1] .. ':claims', redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local until_then = string.format('%.0f ', now + tonumber(ARGV[1]))
`;

/** Whether a run is held under a name. A client may send a command again when it lost the connection: it finds the claim that it made. */
const IS_OWN = `
local function is_own(held, name) return held and string.match(held, ' (.*)$') == name end
`;

const TAKE = `${IS_OWN}${NOW}
local held = redis.call('HGET', claims, ARGV[2])
if held and tonumber(string.match(held, '^%d+')) >= now and not is_own(held, ARGV[3]) then return 0 end
redis.call('HSET', claims, ARGV[2], until_then .. ARGV[3])
return 1
`;

const RENEW = `${IS_OWN}${NOW}
local still = {}
for i = 2, #ARGV, 2 do
  if is_own(redis.call('HGET', claims, ARGV[i]), ARGV[i + 1]) then
    redis.call('HSET', claims, ARGV[i], until_then .. ARGV[i + 1])
    still[#still + 1] = ARGV[i]
  end
end
return still
`;

const DROP = `${IS_OWN}
local claims = KEYS[1] .. ':claims'
if is_own(redis.call('HGET', claims, ARGV[1]), ARGV[2]) then redis.call('HDEL', claims, ARGV[1]) end
`;

/** The claims of one store, in one hash: by run, until when and under which name, which no other claim has. */
export function claimRows(connection: () => Promise<Connection>, holder: string, leaseMs: number): LeaseRows {
  const taken = new Map<string, string>();
  let count = 0;
  return {
    async take(run) {
      const name = `${holder} ${(count += 1)}`;
      if (Number(await (await connection()).run(TAKE, String(leaseMs), run, name)) !== 1) return false;
      taken.set(run, name);
      return true;
    },
    async renew() {
      const asked = [...taken];
      const still = new Set((await (await connection()).run(RENEW, String(leaseMs), ...asked.flat())) as readonly string[]);
      for (const [run, name] of asked) if (!still.has(run) && taken.get(run) === name) taken.delete(run);
      return still;
    },
    async drop(run) {
      const name = taken.get(run);
      taken.delete(run);
      if (name !== undefined) await (await connection()).run(DROP, run, name);
    },
  };
}
