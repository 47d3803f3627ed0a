import { afterEach, expect, test, vi } from "vitest";
import type { Call } from "../../../src/node/cli/command.ts";
import { commandText } from "../../../src/node/cli/workspace.ts";

const call: Call = {
  places: [],
  value: () => undefined,
  values: (option) => (option === "store" ? ["my runs"] : []),
  has: () => false,
};

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["npx, or another package manager", "npm/11.0.0 node/v20", "npx wavepoint resume run_1 --store 'my runs'"],
  ["a shell", undefined, "wavepoint resume run_1 --store 'my runs'"],
])("a command to go on with is one that the shell finds too: started by %s", (_by, agent, text) => {
  vi.stubEnv("npm_config_user_agent", agent);
  expect(commandText(call, "resume", "run_1")).toBe(text);
});
