import { expect, test } from "vitest";
import { remoteExecutor } from "wavepoint/remote";

test("a server has an address, not options that hold one", () => {
  const given = { url: "http://server.test" } as unknown as string;
  expect(() => remoteExecutor(given)).toThrow(
    expect.objectContaining({
      code: "STORE_ADDRESS_INVALID",
      message: expect.stringContaining("remoteExecutor(url, { headers })") as string,
    }),
  );
  expect(() => remoteExecutor(undefined as unknown as string)).toThrow(expect.objectContaining({ code: "STORE_ADDRESS_INVALID" }));
});

test("an address may be a URL", async () => {
  const asked: string[] = [];
  const fetch = async (address: string | URL | Request): Promise<Response> => {
    asked.push(String(address));
    return Response.json({ items: [] });
  };
  const executor = remoteExecutor(new URL("http://server.test/wavepoint/"), { fetch });
  await executor.runs.list();
  expect(asked).toEqual(["http://server.test/wavepoint/runs"]);
  await executor.close();
});
