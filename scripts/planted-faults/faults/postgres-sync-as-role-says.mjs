export const fault = {
  promise: "D1",
  what: "Postgres acknowledges what is not on the disk where the role says so",
  module: "src/store/postgres/schema.ts",
  changes: [{ from: "if current_setting('synchronous_commit') = 'off' then", to: "if false then" }],
  foundBy: [{ file: "test/store/postgres-races.node.test.ts", test: "a commit, a blob and a deletion are on the disk" }],
};
