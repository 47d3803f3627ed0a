import { describe, expect, test } from "vitest";
import { createExecutor, WorkflowError, type HttpRequest, type HttpResponse, type Network, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

/** A network that keeps what it was asked and answers always the same. */
function recordedNetwork(answer: Partial<HttpResponse> & { readonly text?: string } = {}): Network & { readonly asked: HttpRequest[] } {
  const asked: HttpRequest[] = [];
  return {
    asked,
    request: async (request) => {
      asked.push(request);
      return { status: 200, headers: {}, body: new Uint8Array(0), text: "", url: request.url, ...answer };
    },
  };
}

async function call(inputs: Values, network: Network = recordedNetwork(), more: object = {}) {
  const executor = createExecutor({ store: memoryStore(), grants: { network } });
  const run = await executor.start({
    name: "caller",
    inputs: { word: { type: "string", default: "é&=?#" } },
    blocks: [{ id: "ask", type: "HttpCall", inputs, ...more }],
    outputs: { all: "${blocks.ask.outputs}" },
  });
  const result = await run.settled();
  return { result, run, outputs: result.outputs?.["all"] };
}

async function sent(inputs: Values): Promise<HttpRequest> {
  const network = recordedNetwork();
  const { result } = await call(inputs, network);
  expect(result.error).toBeUndefined();
  expect(network.asked).toHaveLength(1);
  return network.asked[0]!;
}

const url = "https://api.example.com/v1";

describe("HttpCall sends", () => {
  test("a GET for thirty seconds at most, unless told otherwise", async () => {
    const request = await sent({ url });
    expect(request).toMatchObject({ url, method: "GET", headers: {}, followRedirects: true, timeoutMs: 30_000 });
    expect(request).not.toHaveProperty("body");
    expect(await sent({ url, method: "DELETE", timeout: 0.5, follow_redirects: false })).toMatchObject({
      method: "DELETE",
      timeoutMs: 500,
      followRedirects: false,
    });
  });

  test.each([
    [url, { q: "a b", n: 1, yes: true }, `${url}?q=a%20b&n=1&yes=true`],
    [`${url}?a=1`, { b: 2 }, `${url}?a=1&b=2`],
    [`${url}?`, { b: 2 }, `${url}?b=2`],
    [`${url}#part`, { b: 2 }, `${url}?b=2`],
    [url, { tag: ["x", "y&z"], none: null }, `${url}?tag=x&tag=y%26z`],
    [url, { word: "${inputs.word}" }, `${url}?word=%C3%A9%26%3D%3F%23`],
    [url, {}, url],
  ])("for %s with the query %j", async (address, query, whole) => {
    expect((await sent({ url: address, query })).url).toBe(whole);
  });

  test("JSON as JSON, under the author's content type if there is one", async () => {
    expect(await sent({ url, method: "POST", json: { word: "${inputs.word}" } })).toMatchObject({
      body: '{"word":"é&=?#"}',
      headers: { "content-type": "application/json" },
    });
    const headers = { "Content-Type": "application/vnd.api+json" };
    expect((await sent({ url, method: "POST", json: [], headers })).headers).toMatchObject({ "content-type": "application/vnd.api+json" });
  });

  test("a text as it is", async () => {
    expect(await sent({ url, method: "PUT", body: "a,b" })).toMatchObject({
      body: "a,b",
      headers: expect.not.objectContaining({ "content-type": "application/json" }),
    });
  });

  test("an idempotency key where something may change, which the author can replace or leave out", async () => {
    const key = async (inputs: Values) => (await sent({ url, ...inputs })).headers["idempotency-key"];
    expect(await key({ method: "POST" })).toMatch(/^run_[a-z0-9]+\/ask$/);
    expect(await key({ method: "GET" })).toBeUndefined();
    expect(await key({ method: "POST", headers: { "Idempotency-Key": "mine" } })).toBe("mine");
    expect(await key({ method: "POST", headers: { "Idempotency-Key": null } })).toBeUndefined();
  });
});

describe("HttpCall gives", () => {
  test("status, headers without cookies, the body, and what it says as JSON", async () => {
    const network = recordedNetwork({ status: 201, headers: { "x-a": "1", "set-cookie": "session=1" }, text: '{"id": 7}' });
    const { outputs } = await call({ url }, network);
    expect(outputs).toEqual({ status: 201, headers: { "x-a": "1" }, body: '{"id": 7}', json: { id: 7 }, success: true });
  });

  test("null as JSON where the body is none, and as body where it is no text", async () => {
    expect((await call({ url }, recordedNetwork({ text: "plain" }))).outputs).toMatchObject({ body: "plain", json: null });
    const bytes: Network = { request: async ({ url: from }) => ({ status: 200, headers: {}, body: new Uint8Array([255]), url: from }) };
    expect((await call({ url }, bytes)).outputs).toMatchObject({ body: null, json: null });
  });

  test("a failure for a status that is not expected, which tells nothing of path and query", async () => {
    const { result } = await call({ url: `${url}?key=abc` }, recordedNetwork({ status: 503 }));
    expect(result.error).toMatchObject({ code: "HTTP_FAILED", details: { status: 503 } });
    expect(result.error?.message).toContain("GET https://api.example.com was answered with status 503; 200 to 299 would do.");
    expect(result.error?.message).not.toMatch(/abc|v1/);
  });

  test("what came with such a status, where the block may fail", async () => {
    const network = recordedNetwork({ status: 404, text: '{"why":"gone"}' });
    const { outputs } = await call({ url }, network, { continueOnError: true });
    expect(outputs).toMatchObject({ status: 404, json: { why: "gone" }, success: false });
  });

  test("success for exactly the statuses that are expected", async () => {
    const expected = { url, expect: [404] };
    expect((await call(expected, recordedNetwork({ status: 404 }))).outputs).toMatchObject({ status: 404, success: true });
    expect((await call(expected, recordedNetwork({ status: 200 }))).result.error).toMatchObject({ code: "HTTP_FAILED" });
  });

  test("the network's refusal as its own", async () => {
    const network: Network = { request: () => Promise.reject(new WorkflowError("HOST_FORBIDDEN", "No.")) };
    expect((await call({ url }, network)).result.error).toMatchObject({ code: "HOST_FORBIDDEN" });
  });
});

describe("HttpCall is refused at load", () => {
  test.each([
    [{ url: "/relative" }, "no absolute address"],
    [{ url: "ftp://example.com/" }, "no absolute address"],
    [{ url: "https://user:pass@example.com/" }, "no absolute address"],
    [{ url: "https://example.com\\@evil.test/" }, "no absolute address"],
    [{ url: "https://example.com/a b" }, "no absolute address"],
    [{ url, method: "get" }, "must be one of: GET"],
    [{ url, json: {} }, "A GET request carries no body"],
    [{ url, method: "HEAD", body: "x" }, "A HEAD request carries no body"],
    [{ url, method: "POST", json: {}, body: "${inputs.word}" }, 'Both "json" and "body"'],
    [{ url, headers: { "X-A": "1\nX-B: 2" } }, 'The value of the header "X-A" holds a line break'],
    [{ url, headers: { "X A": "1" } }, "is no name of a header"],
    [{ url, headers: { host: "inner" } }, 'The header "host" follows'],
    [{ url, headers: { "X-A": "1", "x-a": "2" } }, 'The header "x-a" is given twice'],
    [{ url, timeout: 0 }, "must be 0.1 or more"],
    [{ url, expect: [99] }, "must be 100 or more"],
    [{ url, verify_ssl: false }, "is no input of this block type"],
  ])("with %j", async (inputs, message) => {
    await expect(call(inputs)).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID", message: expect.stringContaining(message) });
  });

  test("where no network was granted", async () => {
    const executor = createExecutor({ store: memoryStore() });
    const workflow = { name: "caller", blocks: [{ id: "ask", type: "HttpCall", inputs: { url } }] };
    await expect(executor.start(workflow)).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });
});

test("HttpCall refuses at run time what only the run brought, without a request", async () => {
  const network = recordedNetwork();
  const { result } = await call({ url, headers: { "X-A": "${inputs.word}\n" } }, network);
  expect(result.error).toMatchObject({ code: "BLOCK_INPUT_INVALID" });
  expect(network.asked).toEqual([]);
});
