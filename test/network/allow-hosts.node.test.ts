import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { HttpRequest } from "wavepoint";
import { allowHosts } from "wavepoint/network";
import { startService, type Seen, type Service } from "./service.ts";

const services: Service[] = [];

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});

async function serve(answer: (seen: Seen, response: ServerResponse) => void): Promise<Service> {
  const service = await startService(answer);
  services.push(service);
  return service;
}

function ask(hosts: readonly string[], url: string, more: Partial<HttpRequest> = {}) {
  const signal = new AbortController().signal;
  return allowHosts(hosts).request({ url, method: "GET", headers: {}, followRedirects: true, timeoutMs: 10_000, signal, ...more });
}

const redirectTo =
  (location: string, status = 302) =>
  (_seen: Seen, response: ServerResponse) => {
    response.writeHead(status, { location }).end("moved");
  };

describe("a request to a granted host", () => {
  test("gives status, headers in lower case, bytes and text", async () => {
    const { host, seen } = await serve((_seen, response) => {
      response
        .writeHead(201, { "X-Colour": "blue", "content-type": "text/plain; charset=iso-8859-1" })
        .end(Buffer.from([0x67, 0xfc, 0x6e]));
    });
    const response = await ask([host], `http://${host}/a?b=1`, { method: "POST", headers: { "X-One": "1" }, body: "söt" });
    expect(response).toMatchObject({ status: 201, headers: { "x-colour": "blue" }, text: "gün", url: `http://${host}/a?b=1` });
    expect(response.body).toEqual(new Uint8Array([0x67, 0xfc, 0x6e]));
    expect(seen).toEqual([{ method: "POST", url: "/a?b=1", headers: expect.objectContaining({ "x-one": "1" }), body: "söt" }]);
  });

  test("gives no text where the bytes are none", async () => {
    const { host } = await serve((_seen, response) => void response.end(Buffer.from([0xff, 0xfe, 0x00])));
    const response = await ask([host], `http://${host}/`);
    expect(response.text).toBeUndefined();
    expect(response.body).toHaveLength(3);
  });

  test("takes compression apart", async () => {
    const { host } = await serve((_seen, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("hello")));
    expect((await ask([host], `http://${host}/`)).text).toBe("hello");
  });
});

describe("a request is refused before anything is sent", () => {
  test.each([
    ["to another port", (host: string) => `http://${host.replace(/\d+$/, (port) => String(Number(port) ^ 1))}/`],
    ["to another name of the same machine", (host: string) => `http://${host.replace("127.0.0.1", "localhost")}/`],
    ["with a user", (host: string) => `http://user:secret@${host}/`],
    ["with another scheme", (host: string) => `ftp://${host}/`],
    ["with a file", () => "file:///etc/passwd"],
    ["with data", () => "data:text/plain,hello"],
    ["to a relative address", () => "/path"],
    ["to the host behind a backslash", (host: string) => `http://evil.test\\@${host}/`],
  ])("%s", async (_what, url) => {
    const { host, seen } = await serve((_seen, response) => void response.end());
    await expect(ask([host], url(host))).rejects.toMatchObject({ code: "HOST_FORBIDDEN", message: expect.not.stringContaining("secret") });
    expect(seen).toEqual([]);
  });

  test.each([
    [{ "X-A": "1\r\nX-Evil: 1" }],
    [{ "X-A\r\nX-Evil": "1" }],
    [{ "X-A": "\u2028" }],
    [{ "": "1" }],
    [{ Host: "internal.example" }],
    [{ "content-length": "3" }],
    [{ "Transfer-Encoding": "chunked" }],
  ])("with the headers %j", async (headers) => {
    const { host, seen } = await serve((_seen, response) => void response.end());
    await expect(ask([host], `http://${host}/`, { headers })).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
    expect(seen).toEqual([]);
  });

  test("once it was called off", async () => {
    const { host, seen } = await serve((_seen, response) => void response.end());
    const reason = new Error("no more");
    await expect(ask([host], `http://${host}/`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(seen).toEqual([]);
  });
});

describe("a redirect", () => {
  test("is followed to granted hosts, and the answer tells where it led", async () => {
    const last = await serve((_seen, response) => void response.end("here"));
    const first = await serve(redirectTo(`http://${last.host}/there`));
    const response = await ask([first.host, last.host], `http://${first.host}/`);
    expect(response).toMatchObject({ status: 200, text: "here", url: `http://${last.host}/there` });
  });

  test("to a host that was not granted is refused, and that host sees nothing", async () => {
    const inner = await serve((_seen, response) => void response.end("metadata"));
    const first = await serve(redirectTo(`http://${inner.host}/latest/meta-data?token=1`));
    await expect(ask([first.host], `http://${first.host}/`)).rejects.toMatchObject({
      code: "HOST_FORBIDDEN",
      message: `http://${first.host} redirects to http://${inner.host}, which was not granted. Name it in allowHosts, if it is to be trusted: "http://${inner.host}".`,
    });
    expect(inner.seen).toEqual([]);
  });

  test.each(["file:///etc/passwd", "ftp://127.0.0.1/", "http://user:pass@127.0.0.1/", "http://"])("to %s is refused", async (location) => {
    const { host } = await serve(redirectTo(location));
    await expect(ask([host, "127.0.0.1"], `http://${host}/`)).rejects.toMatchObject({ code: "HOST_FORBIDDEN" });
  });

  test("leaves credentials of any name behind when the origin changes", async () => {
    const last = await serve((_seen, response) => void response.end());
    const first = await serve((seen, response) => redirectTo(seen.url === "/" ? "/same" : `http://${last.host}/`)(seen, response));
    const headers = { Authorization: "Bearer x", Cookie: "a=b", "X-Api-Key": "k", Accept: "text/plain" };
    await ask([first.host, last.host], `http://${first.host}/`, { headers });
    const carried = { authorization: "Bearer x", cookie: "a=b", "x-api-key": "k", accept: "text/plain" };
    expect(first.seen.map((seen) => seen.headers)).toEqual([expect.objectContaining(carried), expect.objectContaining(carried)]);
    expect(last.seen[0]!.headers["accept"]).toBe("text/plain");
    for (const name of ["authorization", "cookie", "x-api-key"]) expect(last.seen[0]!.headers).not.toHaveProperty(name);
  });

  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [302, "PUT", "PUT", "data"],
    [307, "POST", "POST", "data"],
    [308, "POST", "POST", "data"],
  ])("with %i makes of %s %s", async (status, method, then, body) => {
    const { host, seen } = await serve((one, response) => {
      if (one.url === "/") redirectTo("/next", status)(one, response);
      else response.end();
    });
    await ask([host], `http://${host}/`, { method, body: "data", headers: { "content-type": "text/csv" } });
    expect(seen[1]).toMatchObject({ method: then, body });
    expect(seen[1]!.headers["content-type"]).toBe(body === "" ? undefined : "text/csv");
  });

  test("is followed five times, not six", async () => {
    const { host, seen } = await serve((one, response) => {
      const left = Number(one.url!.slice(1));
      if (left === 0) response.end("done");
      else redirectTo(`/${left - 1}`)(one, response);
    });
    expect((await ask([host], `http://${host}/5`)).text).toBe("done");
    expect(seen).toHaveLength(6);
    await expect(ask([host], `http://${host}/6`)).rejects.toMatchObject({ code: "HTTP_FAILED" });
    expect(seen).toHaveLength(12);
  });

  test("is the answer itself where none is to be followed", async () => {
    const { host } = await serve(redirectTo("http://elsewhere.test/"));
    const response = await ask([host], `http://${host}/`, { followRedirects: false });
    expect(response).toMatchObject({ status: 302, headers: { location: "http://elsewhere.test/" }, text: "moved" });
  });
});

describe("a body", () => {
  test("that never comes is given up when the time is over", async () => {
    const { host } = await serve((_seen, response) => void response.writeHead(200).write("half"));
    await expect(ask([host], `http://${host}/x?token=abc`, { timeoutMs: 150 })).rejects.toMatchObject({
      code: "BLOCK_TIMEOUT",
      message: `GET http://${host} took longer than 0.15 s, the body included. Give it a longer timeout, or retry.`,
    });
  });

  test("is given up when the request is called off", async () => {
    const controller = new AbortController();
    const { host } = await serve((_seen, response) => {
      response.writeHead(200).write("half");
      setImmediate(() => controller.abort(new Error("no more")));
    });
    await expect(ask([host], `http://${host}/`, { signal: controller.signal })).rejects.toThrow("no more");
  });

  test("without an end is refused at the limit", async () => {
    const { host } = await serve((_seen, response) => {
      response.writeHead(200, { "content-length": "9000000000" });
      const more = () => {
        while (response.writable && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    });
    await expect(ask([host], `http://${host}/`, { maxBytes: 100_000 })).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      details: { limit: 100_000 },
    });
  });

  test("that grows when it is unpacked is counted as it comes out", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576));
    expect(bomb.length).toBeLessThan(100_000);
    const { host } = await serve((_seen, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    await expect(ask([host], `http://${host}/`)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", details: { limit: 10_485_760 } });
  });

  test("that breaks off is no whole answer", async () => {
    const { host } = await serve((_seen, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
    });
    await expect(ask([host], `http://${host}/?token=abc`)).rejects.toMatchObject({
      code: "HTTP_FAILED",
      message: expect.not.stringContaining("token"),
    });
  });
});

test("a service that is not there is reported with the platform's reason", async () => {
  const { host, close } = await startService(() => {});
  await close();
  await expect(ask([host], `http://${host}/?token=abc`)).rejects.toMatchObject({
    code: "HTTP_FAILED",
    message: expect.stringContaining(`GET http://${host} got no whole answer (ECONNREFUSED)`),
    details: { reason: "ECONNREFUSED" },
  });
});
