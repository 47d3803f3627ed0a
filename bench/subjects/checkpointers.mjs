// Other engines that keep each step of 1 kB in a database, one step after another.
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { Mastra } from "@mastra/core";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { LibSQLStore } from "@mastra/libsql";
import { z } from "zod";
import { payload } from "./payload.mjs";

let made = 0;

/** A workflow of so many steps on DBOS, which keeps what each gave in Postgres. */
export async function openDbos(address, steps) {
  const walk = DBOS.registerWorkflow(
    async () => {
      for (let i = 0; i < steps; i++) await DBOS.runStep(async () => ({ data: payload(made++) }), { name: "step" });
    },
    { name: "walk" },
  );
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: address, logLevel: "error" });
  await DBOS.launch();
  return { walk, close: () => DBOS.shutdown() };
}

/** A graph of LangGraph whose node runs so many times, each in a superstep with a checkpoint of its own. Its state holds the newest step only. */
async function openGraph(saver, steps) {
  const State = Annotation.Root({ count: Annotation(), data: Annotation() });
  const graph = new StateGraph(State)
    .addNode("step", async ({ count }) => ({ count: count + 1, data: payload(made++) }))
    .addEdge(START, "step")
    .addConditionalEdges("step", ({ count }) => (count < steps ? "step" : END))
    .compile({ checkpointer: saver });
  let threads = 0;
  return async () => {
    const configurable = { thread_id: `thread_${threads++}` };
    const { count } = await graph.invoke({ count: 0, data: "" }, { configurable, recursionLimit: steps + 10, durability: "sync" });
    if (count !== steps) throw new Error(`LangGraph ran ${count} steps.`);
  };
}

export async function openGraphOnPostgres(address, steps) {
  const saver = PostgresSaver.fromConnString(address);
  await saver.setup();
  return { walk: await openGraph(saver, steps), close: () => saver.end() };
}

export async function openGraphOnSqlite(path, steps) {
  const saver = SqliteSaver.fromConnString(path);
  return { walk: await openGraph(saver, steps), close: () => saver.db.close() };
}

/** A workflow of Mastra with so many steps, whose snapshot is kept after each. */
export async function openMastra(path, steps) {
  const given = z.object({ data: z.string() });
  const storage = new LibSQLStore({ url: `file:${path}` });
  let workflow = createWorkflow({ id: "walk", inputSchema: given, outputSchema: given });
  for (let i = 0; i < steps; i++) {
    const step = createStep({ id: `step${i}`, inputSchema: given, outputSchema: given, execute: async () => ({ data: payload(made++) }) });
    workflow = workflow.then(step);
  }
  const mastra = new Mastra({ workflows: { walk: workflow.commit() }, storage, logger: false });
  return {
    async walk() {
      const run = await mastra.getWorkflow("walk").createRunAsync();
      const { status } = await run.start({ inputData: { data: "" } });
      if (status !== "success") throw new Error(`Mastra's run is ${status}.`);
    },
    close: () => {},
  };
}
