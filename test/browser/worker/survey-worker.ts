// The executor of the tests in a worker. The name of the worker is the name of its database; without one it keeps its runs in memory.
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { serveExecutor } from "wavepoint/worker";
import { surveyExecutor } from "./survey.ts";

const store = self.name === "" ? memoryStore() : indexedDbStore({ name: self.name });
serveExecutor(surveyExecutor(store));
