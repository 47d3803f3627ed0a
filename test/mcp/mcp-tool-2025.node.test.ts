import { afterEach, describe, expect, test } from "vitest";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { fromJsonSchema, McpServer, type ElicitResult } from "@modelcontextprotocol/server";
import { createExecutor, type Executor, type Store, type Workflow } from "wavepoint";
import { mcpTool, type GrantedServer } from "wavepoint/mcp/client";
import { memoryStore } from "wavepoint/store/memory";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

interface Told {
  /** Answers that reached the tool. */
  readonly answers: ElicitResult[];
  connections: number;
}

const field = (name: string) => ({ type: "object" as const, properties: { [name]: { type: "string" as const } }, required: [name] });

/** A server of 2025, with a tool that asks in the middle of its call: when, then a question that depends on that. */
function bookings(told: Told, second = "Window or aisle?"): GrantedServer {
  return {
    transport() {
      const server = new McpServer({ name: "bookings", version: "1" });
      const inputSchema = fromJsonSchema<{ to: string }>({ type: "object", properties: { to: { type: "string" } }, required: ["to"] });
      server.registerTool("book", { description: "Books a seat.", inputSchema }, async ({ to }, { mcpReq }) => {
        const ask = async (message: string, name: string) => {
          const answer = await mcpReq.elicitInput({ message, requestedSchema: field(name) });
          told.answers.push(answer);
          return answer;
        };
        const when = await ask(`When to ${to}?`, "day");
        if (when.action !== "accept") return { content: [{ type: "text", text: "Nothing was booked." }] };
        const seat = await ask(second, "seat");
        return {
          content: [{ type: "text", text: `${to} on ${String(when.content!["day"])}, ${String(seat.content?.["seat"] ?? "any seat")}` }],
        };
      });
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      told.connections += 1;
      void server.connect(theirs);
      return ours;
    },
  };
}

const trip: Workflow = {
  name: "trip",
  blocks: [{ id: "book", type: "McpTool", inputs: { server: "bookings", tool: "book", arguments: { to: "Turin" } } }],
  outputs: { booked: "${blocks.book.outputs.result}" },
};

function executorFor(store: Store, server: GrantedServer, workflow: Workflow = trip): Executor {
  const executor = createExecutor({ store, workflows: [workflow], blocks: [mcpTool({ servers: { bookings: server } })] });
  open.push(executor);
  return executor;
}

describe("a server of 2025 that asks in the middle of a call", () => {
  test("D1 asks the person of the run, in any process that answers, and is called again with what was answered", async () => {
    const store = memoryStore();
    const told: Told = { answers: [], connections: 0 };
    const asked = await (await executorFor(store, bookings(told)).start("trip")).settled();
    expect(asked).toMatchObject({ status: "paused", pauses: [{ prompt: "When to Turin?", schema: { required: ["day"] } }] });
    expect(told.answers).toEqual([]);
    const again = await executorFor(store, bookings(told)).answer(asked.pauses![0]!.id, { day: "Monday" });
    expect(again).toMatchObject({ status: "paused", pauses: [{ prompt: "Window or aisle?" }] });
    const done = await executorFor(store, bookings(told)).answer(again.pauses![0]!.id, { seat: "aisle" });
    expect(done).toMatchObject({ status: "success", outputs: { booked: "Turin on Monday, aisle" } });
    expect(told.answers.map(({ content }) => content)).toEqual([{ day: "Monday" }, { day: "Monday" }, { seat: "aisle" }]);
    expect(told.connections).toBe(3);
  });

  test("hears a decline", async () => {
    const executor = executorFor(memoryStore(), bookings({ answers: [], connections: 0 }));
    const run = await executor.start("trip");
    const { pauses } = await run.settled();
    expect(await run.decline(pauses![0]!.id)).toMatchObject({ status: "success", outputs: { booked: "Nothing was booked." } });
  });

  test("is not given an answer to a question that it asks otherwise now: that is asked anew", async () => {
    const store = memoryStore();
    const told: Told = { answers: [], connections: 0 };
    const asked = await (await executorFor(store, bookings(told)).start("trip")).settled();
    const second = await executorFor(store, bookings(told)).answer(asked.pauses![0]!.id, { day: "Monday" });
    const other = await executorFor(store, bookings(told, "Do you need a meal?")).answer(second.pauses![0]!.id, { seat: "aisle" });
    expect(other).toMatchObject({ status: "paused", pauses: [{ prompt: "Do you need a meal?" }] });
    expect(told.answers.map(({ content }) => content)).toEqual([{ day: "Monday" }, { day: "Monday" }]);
  });

  test("asks for each of several calls apart", async () => {
    const both: Workflow = {
      name: "both",
      blocks: ["Turin", "Oslo"].map((to) => ({ id: to, type: "McpTool", inputs: { server: "bookings", tool: "book", arguments: { to } } })),
      outputs: { turin: "${blocks.Turin.outputs.result}", oslo: "${blocks.Oslo.outputs.result}" },
    };
    const executor = executorFor(memoryStore(), bookings({ answers: [], connections: 0 }), both);
    const run = await executor.start("both");
    let result = await run.settled();
    const prompts: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      const [pause] = result.pauses!;
      prompts.push(pause!.prompt);
      const isDay = pause!.prompt.startsWith("When");
      const answer = isDay ? { day: pause!.path[0] === "Turin" ? "Monday" : "Friday" } : { seat: "aisle" };
      result = await run.answer(pause!.id, answer as never);
    }
    expect(prompts.toSorted()).toEqual(["When to Oslo?", "When to Turin?", "Window or aisle?", "Window or aisle?"]);
    expect(result).toMatchObject({ status: "success", outputs: { turin: "Turin on Monday, aisle", oslo: "Oslo on Friday, aisle" } });
  });
});
