export const fault = {
  promise: "D1",
  what: "a store has its id before the names of its directories last",
  module: "src/store/filesystem/directories.ts",
  changes: [
    {
      from: "    await syncUp(disk, root, dirname(outermost));\n    await nameStore(disk, directories, temporary());\n",
      to: "    await nameStore(disk, directories, temporary());\n    await syncUp(disk, root, dirname(outermost));\n",
    },
  ],
  foundBy: [
    {
      file: "test/store/filesystem/synced-names.node.test.ts",
      test: "what is acknowledged lasts wherever the process died that made the store",
    },
  ],
};
