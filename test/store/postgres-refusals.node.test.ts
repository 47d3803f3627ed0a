import { createServer, type Server, type Socket } from "node:net";
import pg from "pg";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "wavepoint/store/open";
import { hasPostgres, startPostgres } from "../support/postgres-server.ts";

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** The address of something that takes connections, and says no more than is given. */
async function listen(answer?: Buffer): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => answer && socket.write(answer));
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return `postgres://app@127.0.0.1:${(server.address() as { readonly port: number }).port}/app`;
}

test("an address that cannot be read is refused before anything is asked, without the password in the message", async () => {
  const refused = openStore("postgres://app:secret@127.0.0.1:99999/app");
  await expect(refused).rejects.toMatchObject({ code: "STORE_ADDRESS_INVALID", message: expect.not.stringContaining("secret") });
});

test("a connection that a wrong address cannot use is closed at once, so that the process can end", async () => {
  // "Authenticate with SASL, by a way that is none": as where a password is missing, it is the client that gives up.
  const address = await listen(Buffer.from("R\0\0\0\x0c\0\0\0\x0ano\0\0", "latin1"));
  const store = await openStore(address);
  const failed: string[] = [];
  const end = store.watch!(
    () => {},
    ({ message }) => failed.push(message),
  );
  const message = expect.stringMatching(/^Postgres does not let this process in: SASL.*Nothing was changed\.$/);
  await expect(store.head("run_a")).rejects.toMatchObject({ code: "STORE_FAILED", message });
  await expect.poll(() => failed.length).toBeGreaterThan(0);
  expect(failed).toEqual(failed.map(() => message));
  end();
  await store.close();
  await expect.poll(() => sockets.size).toBe(0);
});

test("a server that takes the connection and says nothing is given up after 30 seconds", async () => {
  const address = await listen();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const store = await openStore(address);
  const head = store.head("run_a").catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await head).toMatchObject({ code: "STORE_LOST" });
  await store.close();
});

describe.skipIf(!hasPostgres)("a Postgres server", () => {
  test("says what is wrong with who asks: the name, the database, the rights", async () => {
    const running = await startPostgres();
    onTestFinished(() => running.stop());
    const address = running.newPlace();
    const owner = await openStore(address);
    await owner.head("run_a");
    await owner.close();
    const refusal = async (change: (url: URL) => void): Promise<unknown> => {
      const url = new URL(address);
      change(url);
      const store = await openStore(url.href);
      const error: unknown = await store.head("run_a").catch((thrown: unknown) => thrown);
      await store.close();
      return error;
    };
    const notLetIn = { code: "STORE_FAILED", message: expect.stringContaining("Correct user, password or database in the address.") };
    expect(await refusal((url) => (url.username = "nobody"))).toMatchObject(notLetIn);
    expect(await refusal((url) => (url.pathname = "/none"))).toMatchObject(notLetIn);
    expect(await refusal((url) => url.searchParams.set("sslmode", "no-verify"))).toMatchObject(notLetIn);
    const other = (url: URL): void => url.searchParams.set("options", "-c role=pg_monitor -c search_path=place1");
    const noRight = expect.stringMatching(/all rights to the tables and functions "wavepoint_…".*Nothing was changed\.$/);
    expect(await refusal(other)).toMatchObject({ code: "STORE_FAILED", message: noRight });
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query("grant usage on schema place1 to pg_monitor");
    await client.end();
    expect(await refusal(other)).toMatchObject({ code: "STORE_FAILED", message: noRight, cause: { code: "42501" } });
  }, 60_000);
});
