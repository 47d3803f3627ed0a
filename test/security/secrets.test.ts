import { describe, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import type { HttpRequest, Network } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";

const SECRET = "c4n4ry-s3cret-zz";

/** A service that sends back its request's headers. */
function echoService(): Network & { readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    async request(request) {
      requests.push(request);
      const text = JSON.stringify(request.headers);
      return { status: 200, headers: { "x-told": text }, body: new TextEncoder().encode(text), text, url: request.url };
    },
  };
}

/** Runs a workflow whose first block sends a secret to a service, and more blocks after it. Gives everything that can be seen of it. */
async function runAfterCall(more: string) {
  const network = echoService();
  const store = memoryStore();
  const events: unknown[] = [];
  const executor = createExecutor({ store, grants: { network }, secrets: () => SECRET, onEvent: (event) => events.push(event) });
  const call = `name: w\nblocks:\n  - {id: call, type: HttpCall, inputs: {url: "https://a.example/", headers: {authorization: "\${secrets.KEY}"}}}\n`;
  const run = await executor.start(loadWorkflow(call + more));
  const result = await run.settled();
  const seen = JSON.stringify([result, await run.steps(), run.getSnapshot(), events, await store.read(run.id), await store.head(run.id)]);
  await executor.close();
  expect(network.requests[0]?.headers["authorization"]).toBe(SECRET);
  return { result, seen, sent: JSON.stringify(network.requests.slice(1)) };
}

const HEADER = "${blocks.call.inputs.headers.authorization}";

describe("a secret that stands in the inputs of a block is three asterisks to every other block", () => {
  test.each([
    ["'c4n4' in", false],
    ["'***' in", true],
    ["'b' <", false],
  ])("a condition cannot ask about it: %s …", async (question, expected) => {
    const { result, seen } = await runAfterCall(
      `  - {id: b, type: EchoBlock, depends_on: [call], condition: "${question} ${HEADER}", inputs: {message: x}}\noutputs: {ran: {value: "\${blocks.b.succeeded}"}}\n`,
    );
    expect(result).toMatchObject({ status: "success", outputs: { ran: expected } });
    expect(seen).not.toContain(SECRET);
  });

  test.each([
    ["in an address", `inputs: {url: "https://b.example/?q=${HEADER}"}`],
    ["in a body", `inputs: {url: "https://b.example/", method: POST, json: "\${blocks.call.inputs.headers}"}`],
    ["as an item", `for_each: ["${HEADER}"], inputs: {url: "https://b.example/?q=\${each.value}"}`],
    ["as what the service said back", `inputs: {url: "https://b.example/", method: POST, body: "\${blocks.call.body}"}`],
  ])("it is not sent elsewhere %s", async (_where, block) => {
    const { sent, seen } = await runAfterCall(`  - {id: b, type: HttpCall, depends_on: [call], ${block}}\n`);
    expect(sent).toContain("***");
    expect(sent + seen).not.toContain(SECRET);
  });
});
