import { expect, test } from "vitest";
import { postgresStore } from "wavepoint/store/postgres";
import { redisStore } from "wavepoint/store/redis";
import { s3Store } from "wavepoint/store/s3";
import { sqliteStore } from "wavepoint/store/sqlite";

// As callers without types hand them in.
const { sqlite, postgres, redis, s3 } = { sqlite: sqliteStore, postgres: postgresStore, redis: redisStore, s3: s3Store } as unknown as {
  readonly [kind: string]: (client: unknown) => unknown;
};

test.each([
  ["a path in place of a database", () => sqlite!("runs.db"), "sqliteStore takes an open database", "prepare()"],
  ["a `sql` of another package", () => postgres!(() => []), "postgresStore takes a Pool of pg", "query()"],
  ["nothing", () => postgres!(undefined), "postgresStore takes a Pool of pg", "query()"],
  [
    "a client of `redis`",
    () => redis!({ sendCommand: () => undefined, duplicate: () => undefined }),
    "redisStore takes a client of ioredis",
    "call()",
  ],
  ["a bucket without `fetch`", () => s3!({ bucket: "https://host/bucket" }), "s3Store takes a function that signs", "fetch()"],
])("%s is refused before anything is asked, with what is taken", (_, make, takes, missing) => {
  expect(make).toThrow(expect.objectContaining({ code: "POLICY_INVALID", message: expect.stringContaining(takes) }));
  expect(make).toThrow(missing);
});
