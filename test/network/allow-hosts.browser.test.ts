import { afterEach, describe, expect, test, vi } from "vitest";
import { allowHosts } from "wavepoint/network";

const signal = new AbortController().signal;
const request = { method: "GET", headers: {}, followRedirects: true, timeoutMs: 10_000, signal };

afterEach(() => vi.unstubAllGlobals());

describe("in a page", () => {
  test("a granted host is asked", async () => {
    const url = new URL("/package.json", location.href);
    const response = await allowHosts([url.origin]).request({ ...request, url: url.href });
    expect(response.status).toBe(200);
    expect(response.url).toBe(url.href);
    expect(response.text).toContain('"name": "wavepoint"');
  });

  test("even the page's own host must be granted", async () => {
    await expect(allowHosts(["api.example.com"]).request({ ...request, url: location.href })).rejects.toMatchObject({
      code: "HOST_FORBIDDEN",
    });
  });

  test("a body is counted", async () => {
    const url = new URL("/package.json", location.href);
    await expect(allowHosts([url.origin]).request({ ...request, url: url.href, maxBytes: 100 })).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
    });
  });

  test("a host that does not answer is reported with what a page can do about it", async () => {
    await expect(allowHosts(["127.0.0.1:9"]).request({ ...request, url: "http://127.0.0.1:9/?token=abc" })).rejects.toMatchObject({
      code: "HTTP_FAILED",
      message: expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:9 got no whole answer\. .*CORS/),
    });
  });

  test("a redirect is refused: the page is not told where it leads", async () => {
    vi.stubGlobal("fetch", async (_url: URL, { redirect }: RequestInit) => {
      expect(redirect).toBe("manual");
      // What a browser makes of a redirect; no page can construct one.
      return Object.defineProperties(new Response(), { type: { value: "opaqueredirect" }, status: { value: 0 } });
    });
    await expect(allowHosts(["api.example.com"]).request({ ...request, url: "https://api.example.com/old" })).rejects.toMatchObject({
      code: "HTTP_FAILED",
      message: expect.stringContaining("https://api.example.com redirects, and a browser does not say where to"),
    });
  });
});
