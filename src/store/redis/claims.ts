import type { LeaseRows } from "../leases.ts";
import type { Connection } from "./connection.ts";

/** By the clock of the server: those of the machines around it may differ. ARGV: the holder, the time of a lease, the runs. */
const NOW = `
local claims, time = KEYS[1] .. ':claims', redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local until_then = string.format('%.0f ', now + tonumber(ARGV[2])) .. ARGV[1]
`;

const TAKE = `${NOW}
local held = redis.call('HGET', claims, ARGV[3])
if held and tonumber(string.match(held, '^%d+')) >= now then return 0 end
redis.call('HSET', claims, ARGV[3], until_then)
return 1
`;

const RENEW = `${NOW}
local still = {}
for i = 3, #ARGV do
  local held = redis.call('HGET', claims, ARGV[i])
  if held and string.match(held, ' (.*)$') == ARGV[1] then
    redis.call('HSET', claims, ARGV[i], until_then)
    still[#still + 1] = ARGV[i]
  end
end
return still
`;

const DROP = `
local held = redis.call('HGET', KEYS[1] .. ':claims', ARGV[2])
if held and string.match(held, ' (.*)$') == ARGV[1] then redis.call('HDEL', KEYS[1] .. ':claims', ARGV[2]) end
`;

/** The claims of one store, in one hash: by run, until when and by whom. */
export function claimRows(connection: () => Promise<Connection>, holder: string, leaseMs: number): LeaseRows {
  const taken = new Set<string>();
  return {
    async take(run) {
      if ((await (await connection()).run(TAKE, holder, String(leaseMs), run)) !== 1) return false;
      taken.add(run);
      return true;
    },
    async renew() {
      const still = (await (await connection()).run(RENEW, holder, String(leaseMs), ...taken)) as readonly string[];
      return new Set(still);
    },
    async drop(run) {
      taken.delete(run);
      await (await connection()).run(DROP, holder, run);
    },
  };
}
