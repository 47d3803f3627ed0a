export const fault = {
  promise: "S9",
  what: "a run file is taken in without comparing its checksum",
  module: "src/core/transfer/read-run-file.ts",
  changes: [
    { from: '  if ((await host.hash(content)) !== checksum[1]) throw invalidFile("it was changed since it was written");\n', to: "" },
  ],
  foundBy: [{ file: "test/core/transfer/hostile-files.test.ts", test: "a file with any bit changed is refused" }],
};
