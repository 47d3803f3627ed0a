/** Whether what stands under this name is taken for a secret. */
export type IsSecretKey = (key: string) => boolean;

const ENDINGS = /(?:password|secret|token|credential|apikey|secretkey|secretaccesskey)s?$/;
/** More of a name than any of the endings takes, with what may stand between its words. */
const LONGEST_ENDING = 64;
/** Names come from services and people too: what is remembered of them has a bound. */
const MOST_KNOWN = 10_000;

/**
 * Knows the names under which secrets stand: those that end with `password`, `secret`, `token`, `credential` or `api_key` (also with an "s"), however
 * they are written (`access_token`, `accessToken`, `X-Api-Key`). A name that begins with "$" is a keyword of some format: what stands under it is
 * data. Names in `except` count as none of these, in exactly this spelling.
 */
export function secretKeys(except: readonly string[] = []): IsSecretKey {
  const exempt = new Set(except);
  const known = new Map<string, boolean>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) {
      const ending = key
        .slice(-LONGEST_ENDING)
        .toLowerCase()
        .replaceAll(/[^a-z]/g, "");
      found = !key.startsWith("$") && ENDINGS.test(ending) && !exempt.has(key);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(key, found);
    }
    return found;
  };
}
