import type Database from "libsql";
import { type BlockType, defineBlock, success } from "wavepoint";

type Param = string | number | null;

const INPUTS = {
  jsonSchema: {
    type: "object",
    properties: {
      sql: { type: "string", minLength: 1 },
      params: { type: "array", items: { type: ["string", "number", "null"] }, default: [] },
    },
    required: ["sql"],
    additionalProperties: false,
  },
} as const;

/** Reads rows. Values go in by `params` and are never a part of the statement. */
export function sqlQuery(database: Database.Database): BlockType {
  return defineBlock({
    type: "SqlQuery",
    inputs: INPUTS,
    checkInputs: (_, written) => literalOnly(written["sql"]),
    execute({ inputs: { sql, params = [] } }) {
      const statement = database.prepare(sql);
      if (!statement.reader) throw new Error("This statement reads nothing. Take SqlWrite.");
      return success({ rows: statement.all(...(params as readonly Param[])) });
    },
  });
}

/** Changes rows, once: what was done is noted under the key of the step in the same transaction, so that a second try finds it. */
export function sqlWrite(database: Database.Database): BlockType {
  database.exec("CREATE TABLE IF NOT EXISTS steps_done (key TEXT PRIMARY KEY, changes INTEGER NOT NULL)");
  return defineBlock({
    type: "SqlWrite",
    effect: "repeatable",
    inputs: INPUTS,
    checkInputs: (_, written) => literalOnly(written["sql"]),
    execute({ inputs: { sql, params = [] }, idempotencyKey }) {
      const write = database.transaction((): number => {
        const done = database.prepare("SELECT changes FROM steps_done WHERE key = ?").get(idempotencyKey) as
          { changes: number } | undefined;
        if (done) return done.changes;
        const { changes } = database.prepare(sql).run(...(params as readonly Param[]));
        database.prepare("INSERT INTO steps_done VALUES (?, ?)").run(idempotencyKey, changes);
        return changes;
      });
      return success({ changes: write() });
    },
  });
}

/** A statement is the author's: a reference in it would make answers a part of it. */
function literalOnly(sql: unknown) {
  if (typeof sql !== "string" || !sql.includes("${")) return [];
  return [{ input: "sql", code: "BLOCK_INPUT_INVALID" as const, message: "Write ? in the statement, and give the value in params." }];
}
