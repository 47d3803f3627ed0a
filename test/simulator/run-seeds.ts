import { memoryStore } from "wavepoint/store/memory";
import { simulate } from "wavepoint/testing";

// A process that simulates seeds from one number up to another on memory, and says on its output what came of it.
const [from, to] = process.argv.slice(2).map(Number) as [number, number];
const told = { simulations: 0, crashes: 0, failures: 0, executions: 0, forks: 0, revisions: 0, problems: [] as string[] };

for (let seed = from; seed < to; seed += 1) {
  const makePlace = async () => {
    const store = memoryStore();
    return { open: async () => store, dispose: async () => {} };
  };
  try {
    const { crashes, failures, executions, forks, revisions } = await simulate({ seed, makePlace });
    told.crashes += crashes;
    told.failures += failures;
    told.executions += executions;
    told.forks += forks;
    told.revisions += revisions;
  } catch (error) {
    told.problems.push((error as Error).message);
  }
  told.simulations += 1;
}
process.stdout.write(JSON.stringify(told));
