import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { remoteExecutor } from "wavepoint/remote";
import { buildCommand, type BuiltCommand, type Started } from "./built-command.ts";

const ORDER = `name: order
blocks:
  - { id: dish, type: GetInput, inputs: { prompt: What will it be? } }
  - { id: cook, type: EchoBlock, depends_on: [dish], inputs: { message: "\${blocks.dish.input_value}" } }
outputs: { served: "\${blocks.cook.echoed}" }
`;

let wavepoint: BuiltCommand;
beforeAll(() => {
  wavepoint = buildCommand();
  wavepoint.write("order.yaml", ORDER);
}, 120_000);
afterAll(() => wavepoint.remove());

function startServer(...options: readonly string[]): Started {
  const server = wavepoint.start("serve", ...options);
  onTestFinished(() => void server.process.kill("SIGKILL"));
  return server;
}

const urlOf = async (server: Started) => /Listening at (\S+)\n/.exec(await server.said("Listening at"))![1]!;

test("a run whose server is killed at a question goes on with the next one, in the page that follows it", async () => {
  const killed = startServer("--port", "0");
  const url = await urlOf(killed);
  const remote = remoteExecutor(url);
  const run = await remote.start("order");
  run.subscribe(() => {});
  await expect.poll(() => run.getSnapshot().pauses.length).toBe(1);
  const question = run.getSnapshot().pauses[0]!.id;

  killed.process.kill("SIGKILL");
  await killed.ended;
  await expect.poll(() => run.getSnapshot().error?.code).toBe("STORE_UNREACHABLE");
  const next = startServer("--port", new URL(url).port);
  expect(await urlOf(next)).toBe(url);
  await expect.poll(() => run.getSnapshot().error).toBeUndefined();
  expect(await run.answer(question, "soup")).toMatchObject({ status: "success", outputs: { served: "soup" } });
  await expect.poll(() => run.getSnapshot().status).toBe("completed");

  // The page still follows the run.
  next.process.kill("SIGINT");
  const { code, err } = await next.ended;
  expect(code, err).toBe(0);
  expect(err).toContain(`${run.id} completed`);
  await remote.close();
});

test("clients may do what is allowed, and no more", async () => {
  const server = startServer("--store", "none", "--port", "0", "--allow", "read");
  const remote = remoteExecutor(await urlOf(server));
  expect((await remote.runs.list()).items).toEqual([]);
  await expect(remote.start("order")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  await remote.close();
  server.process.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});

test("who has the token of a server that others reach may call it", async () => {
  vi.stubEnv("WAVEPOINT_TOKEN", "long-and-random");
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = await urlOf(startServer("--port", "0", "--host", "forms.example.com"));
  const statusOf = async (headers: Record<string, string>) => (await fetch(`${url}/runs`, { headers })).status;
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ authorization: "Bearer another" })).toBe(401);
  expect(await statusOf({ authorization: "Bearer long-and-random" })).toBe(200);
});

test("pages of a named origin may call it, and clients make links where it has a key", async () => {
  vi.stubEnv("WAVEPOINT_LINK_KEY", "0123456789abcdef0123456789abcdef");
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = await urlOf(startServer("--port", "0", "--store", "none", "--origin", "https://app.example"));
  const from = async (origin: string) => (await fetch(`${url}/runs`, { headers: { origin } })).headers.get("access-control-allow-origin");
  expect([await from("https://app.example"), await from("https://other.example")]).toEqual(["https://app.example", null]);

  const remote = remoteExecutor(url);
  const { id } = await remote.start("order");
  const made = await fetch(`${url}/links`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ run: id }),
  });
  const holder = remoteExecutor(url, { headers: { authorization: `Bearer ${(await made.json()) as string}` } });
  expect((await holder.open(id)).getSnapshot().workflow).toBe("order");
  await expect(holder.start("order")).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  await Promise.all([remote.close(), holder.close()]);
});

test.each([
  ["others reach its address", ["--listen", "0.0.0.0"], "Others can reach 0.0.0.0. Set WAVEPOINT_TOKEN"],
  ["others reach it by a name", ["--host", "forms.example.com"], "Others can reach forms.example.com. Set WAVEPOINT_TOKEN"],
  ["a right is none", ["--allow", "all"], "--allow all is no right."],
  ["an origin is none", ["--origin", "https://app.example/page"], "--origin https://app.example/page is no origin."],
  ["a port is none", ["--port", "http"], "--port http is no port."],
])("it does not start where %s", async (_, options, message) => {
  const { code, err } = await wavepoint.run("serve", ...options);
  expect(err).toContain(message);
  expect(code).toBe(2);
});
