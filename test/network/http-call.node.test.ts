import { afterEach, expect, test } from "vitest";
import { createExecutor, defineWorkflow, type Values, type Workflow } from "wavepoint";
import { allowHosts } from "wavepoint/network";
import { memoryStore } from "wavepoint/store/memory";
import { startService, type Service } from "./service.ts";

let service: Service | undefined;

afterEach(() => service?.close());

const order = defineWorkflow({
  name: "order",
  inputs: { shop: { type: "string" }, title: { type: "string" } },
  blocks: [
    { id: "book", type: "HttpCall", inputs: { url: "${inputs.shop}/books", query: { title: "${inputs.title}" } } },
    {
      id: "order",
      type: "HttpCall",
      dependsOn: ["book"],
      inputs: { url: "${inputs.shop}/orders", method: "POST", json: { id: "${blocks.book.json.id}" }, expect: [201] },
    },
  ],
  outputs: { order: "${blocks.order.json.number}", status: "${blocks.order.status}" },
});

test("a workflow asks a service, and a repeated request is known by its key", async () => {
  let refusals = 1;
  service = await startService(({ method }, response) => {
    if (method === "GET") response.end('{"id": 7}');
    else if (refusals-- > 0) response.writeHead(503).end("busy");
    else response.writeHead(201).end('{"number": "A-1"}');
  });
  const executor = createExecutor({ store: memoryStore(), grants: { network: allowHosts([service.host]) } });
  const run = await executor.start(order, { shop: `http://${service.host}`, title: "R&D" });
  expect((await run.settled()).error).toMatchObject({ details: { block: "order", status: 503 } });

  expect((await run.resume()).outputs).toEqual({ order: "A-1", status: 201 });
  expect(service.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", "/books?title=R%26D", ""],
    ["POST", "/orders", '{"id":7}'],
    ["POST", "/orders", '{"id":7}'],
  ]);
  const [, first, second] = service.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(first).toBe(`${run.id}/order`);
  expect(second).toBe(first);
});

test("what was asked for is taken over by another run, and what changes something is refused that", async () => {
  service = await startService((_, response) => response.end('{"rate": 1.08}'));
  const executor = createExecutor({ store: memoryStore(), grants: { network: allowHosts([service.host]) } });
  const url = `http://${service.host}/rates`;
  const rates = (inputs: Values): Workflow => ({
    name: "rates",
    blocks: [{ id: "rate", type: "HttpCall", inputs: { url, ...inputs }, cache: { ttlMs: 60_000 } }],
  });
  for (const from of [undefined, "another"]) {
    const run = await executor.start(rates({}));
    await run.settled();
    const [step] = await run.steps();
    expect([step!.status, step!.cached && "another"]).toEqual(["completed", from]);
  }
  expect(service.seen).toHaveLength(1);
  for (const method of ["POST", "${inputs.method}"]) {
    await expect(
      executor.load({ ...rates({ method }), name: `rates-${method.length}`, inputs: { method: { type: "string" } } }),
    ).rejects.toMatchObject({
      message: expect.stringContaining("changes something outside of its run"),
    });
  }
});

test("an answer that is too slow fails the block, and the others of its wave are kept", async () => {
  service = await startService(({ url }, response) => {
    if (url === "/slow") response.writeHead(200).write("half");
    else response.end("whole");
  });
  const url = `http://${service.host}`;
  const executor = createExecutor({ store: memoryStore(), grants: { network: allowHosts([service.host]) } });
  const run = await executor.start({
    name: "two",
    blocks: [
      { id: "slow", type: "HttpCall", inputs: { url: `${url}/slow`, timeout: 0.2 }, continueOnError: true },
      { id: "quick", type: "HttpCall", inputs: { url } },
    ],
    outputs: { quick: "${blocks.quick.body}", failed: "${blocks.slow.failed}" },
  });
  expect((await run.settled()).outputs).toEqual({ quick: "whole", failed: true });
  const steps = await run.steps();
  expect(steps.find(({ block }) => block === "slow")?.error).toMatchObject({ code: "BLOCK_TIMEOUT" });
});

test("cancelling a run gives its requests up", async () => {
  let hasGone = false;
  service = await startService((_seen, response) => {
    response.on("close", () => {
      hasGone = true;
    });
  });
  const { seen, host } = service;
  const executor = createExecutor({ store: memoryStore(), grants: { network: allowHosts([host]) } });
  const run = await executor.start({ name: "endless", blocks: [{ id: "ask", type: "HttpCall", inputs: { url: `http://${host}` } }] });
  await expect.poll(() => seen.length).toBe(1);
  expect((await run.cancel()).error).toMatchObject({ code: "RUN_CANCELLED" });
  await expect.poll(() => hasGone).toBe(true);
});
