import { afterEach, describe, expect, test } from "vitest";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createExecutor, type Store } from "wavepoint";
import { mcpHttp, type McpHttp, type McpHttpOptions } from "wavepoint/mcp";
import { memoryStore } from "wavepoint/store/memory";
import { callTool, ERAS, newClient, type Era, type Person } from "./clients.ts";
import { deploy } from "./workflows.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const URL_OF_SERVER = "http://localhost:4711/mcp";
const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

function serve(options: McpHttpOptions = {}, store: Store = memoryStore()): McpHttp {
  const executor = createExecutor({ store, workflows: [deploy] });
  const http = mcpHttp({ executor, workflows: [deploy], key: KEY, ...options });
  open.push(executor, http);
  return http;
}

/** The server that a client reaches: another one may take its place. */
interface Place {
  http: McpHttp;
}

async function connectTo(place: Place, era: Era, { person, token }: { readonly person?: Person; readonly token?: string } = {}) {
  const client = newClient(era, person);
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF_SERVER), {
    fetch: (url, init) => {
      const request = new Request(url, init as RequestInit);
      request.headers.set("host", "localhost:4711");
      return place.http.fetch(request);
    },
    ...(token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  });
  await client.connect(transport);
  open.push(client);
  return client;
}

const person: Person = ({ message }) => ({
  action: "accept",
  content: { answer: message.includes("How much") ? "half" : message.includes("note") ? "go" : "yes" },
});
const START = { workflow: "deploy", inputs: { service: "shop" } };

describe.each(ERAS)("over HTTP, in the protocol of %s", (era) => {
  test("a client with forms is asked, and gets the outputs", async () => {
    const client = await connectTo({ http: serve() }, era, { person });
    expect(await callTool(client, "execute_workflow", START)).toMatchObject({
      status: "success",
      outputs: { confirmed: true, traffic: "half", note: "go" },
    });
  });

  test("a client without forms answers by tools", async () => {
    const client = await connectTo({ http: serve() }, era);
    const paused = await callTool(client, "execute_workflow", START);
    for (const { checkpoint_id, prompt } of paused.pauses) {
      await callTool(client, "resume_workflow", { checkpoint_id, llm_response: prompt.includes("How much") ? "2" : "no" });
    }
    expect(await callTool(client, "get_run_status", { run_id: paused.run_id })).toMatchObject({ status: "success" });
  });

  test("a token is asked for, and the right one alone is taken", async () => {
    const http = serve({ token: "let me in".replaceAll(" ", "-") });
    await expect(connectTo({ http }, era)).rejects.toThrow(/token|401/i);
    await expect(connectTo({ http }, era, { token: "let-me-i" })).rejects.toThrow(/token|401/i);
    const client = await connectTo({ http }, era, { token: "let-me-in" });
    expect((await callTool(client, "list_workflows")).workflows).toHaveLength(1);
  });
});

describe("requests that are refused before they are read", () => {
  const initialize = (headers: Record<string, string>) =>
    new Request(URL_OF_SERVER, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", host: "localhost", ...headers },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      }),
    });

  test.each([
    ["another host, as a rebound name has it", { host: "evil.example" }, 403],
    ["a page of another origin", { origin: "https://evil.example" }, 403],
    ["an origin that is none", { origin: "null" }, 403],
    ["an unknown session", { "mcp-session-id": "guessed" }, 404],
    ["a page of this machine", { origin: "http://localhost:5173" }, 200],
  ] as const)("%s", async (_, headers, status) => {
    expect((await serve().fetch(initialize(headers))).status).toBe(status);
  });

  test("a body that is no JSON, or is too large", async () => {
    const http = serve();
    for (const [body, status] of [
      ["{", 400],
      ["x".repeat(5_000_000), 413],
      ["[]", 400],
    ] as const) {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", host: "localhost" };
      expect((await http.fetch(new Request(URL_OF_SERVER, { method: "POST", headers, body }))).status).toBe(status);
    }
  });
});

test("a page of an origin that may call may read the answers, also that it lacks the token; one of another origin may not ask what it may send", async () => {
  const http = serve({ token: "sesame", origins: ["app.example.com"] });
  const send = (method: string, origin: string, more: Readonly<Record<string, string>> = {}) =>
    http.fetch(new Request(URL_OF_SERVER, { method, headers: { host: "localhost", origin, ...more } }));
  const asked = await send("OPTIONS", "https://app.example.com", { "access-control-request-headers": "authorization,mcp-session-id" });
  expect(asked.status).toBe(204);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    "access-control-allow-origin": "https://app.example.com",
    "access-control-allow-headers": "authorization,mcp-session-id",
    vary: "origin",
  });
  const refused = await send("POST", "https://app.example.com");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
  for (const method of ["OPTIONS", "POST"]) {
    const foreign = await send(method, "https://evil.example");
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("a server that dies between two calls of 2026 is replaced by the next one, unnoticed", async () => {
  const store = memoryStore();
  const place: Place = { http: serve({}, store) };
  const client = await connectTo(place, "2026");
  const paused = await callTool(client, "execute_workflow", START);
  await place.http.close();
  place.http = serve({}, store);
  expect(await callTool(client, "get_run_status", { run_id: paused.run_id })).toMatchObject({ status: "paused" });
});

test("sessions of 2025 are bounded: the one used longest ago makes room", async () => {
  const place: Place = { http: serve() };
  const first = await connectTo(place, "2025");
  for (let i = 0; i < 100; i += 1) await connectTo(place, "2025");
  await expect(callTool(first, "list_workflows")).rejects.toThrow(/session/i);
});
