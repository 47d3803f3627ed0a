export const fault = {
  promise: "D21",
  what: "what changes an answer is loaded when it is first called, not before the first block",
  module: "src/create-executor.ts",
  changes: [
    {
      from: 'import { historyRoom } from "./core/history/history.ts";\n',
      to: 'const loadHistory = () => import("./core/history/history.ts");\n',
    },
    {
      from: "      history: historyRoom,\n",
      to: "      history: new Proxy({}, { get: (_, name) => async (...given) => (await loadHistory()).historyRoom[name](...given) }),\n",
    },
  ],
  foundBy: [
    {
      file: "test/package/begun-run.node.test.ts",
      test: "a run that has begun goes on to its end, with back and revise, where the server has none of its files any more",
    },
  ],
};
