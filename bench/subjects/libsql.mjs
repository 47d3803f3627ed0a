import Database from "libsql";

/** A table of texts in a database that syncs each insert before it returns. */
export function openTable(path) {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE TABLE steps (step INTEGER PRIMARY KEY, entry TEXT NOT NULL)");
  const statement = database.prepare("INSERT INTO steps (entry) VALUES (?)");
  const insert = (text) => statement.run(text);
  return {
    insert,
    /** All of them in one transaction. */
    fill: database.transaction((texts) => texts.forEach(insert)),
    close: () => database.close(),
  };
}
