import { afterAll, expect, vi } from "vitest";
import { guardStates } from "./guarded-state.ts";

// Each test file loads this anew; what it imports is done once a process. Guards take a fifth of the time of a test that plays many runs, and the tests of the
// engine go through all of its code: those of what is built on it do without, but for the long tier.
guardStates(process.env.WAVEPOINT_LONG !== undefined || expect.getState().testPath!.includes("/test/core/"));

// The next file in this process finds it as this one did.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
