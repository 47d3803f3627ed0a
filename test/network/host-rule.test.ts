import { describe, expect, test } from "vitest";
import { allowHosts } from "wavepoint/network";
import { covers, readHostRules } from "../../src/network/host-rule.ts";

const covered = (pattern: string, url: string) => readHostRules(pattern).some((rule) => covers(rule, new URL(url)));

describe("a host", () => {
  test.each([
    ["api.example.com", "https://api.example.com/v1?x=1"],
    ["api.example.com", "https://API.example.COM:443/"],
    ["API.Example.com.", "https://api.example.com/"],
    ["api.example.com", "https://api.example.com./"],
    ["https://api.example.com", "https://api.example.com/"],
    ["api.example.com:443", "https://api.example.com/"],
    ["api.example.com:8443", "https://api.example.com:8443/"],
    ["http://printer.example", "http://printer.example/"],
    ["http://printer.example:8080", "http://printer.example:8080/"],
    ["exämple.com", "https://xn--exmple-cua.com/"],
    ["xn--exmple-cua.com", "https://exämple.com/"],
    ["localhost:3000", "http://localhost:3000/"],
    ["localhost:3000", "https://localhost:3000/"],
    ["127.0.0.1:80", "http://127.0.0.1/"],
    ["127.0.0.1", "http://0x7f.1/"],
    ["127.0.0.1", "http://2130706433/"],
    ["0177.0.0.1", "http://127.0.0.1./"],
    ["[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000/"],
    ["*.example.com", "https://api.example.com/"],
    ["*.example.com", "https://a.b.example.com./"],
    ["*.example.com:8443", "https://a.example.com:8443/"],
    ["http://*.intranet.example", "http://wiki.intranet.example/"],
  ])("%s covers %s", (pattern, url) => {
    expect(covered(pattern, url)).toBe(true);
  });

  test.each([
    ["api.example.com", "http://api.example.com/"],
    ["api.example.com", "https://api.example.com:8443/"],
    ["api.example.com:8443", "https://api.example.com/"],
    ["api.example.com:21", "https://api.example.com/"],
    ["api.example.com:80", "https://api.example.com/"],
    ["api.example.com", "https://api.example.com.evil.test/"],
    ["api.example.com", "https://evil-api.example.com/"],
    ["api.example.com", "https://example.com/"],
    ["api.example.com", "https://api.example.com../"],
    ["api.example.com", "https://api.exampIe.com/"],
    ["http://printer.example", "https://printer.example/"],
    ["*.example.com", "https://example.com/"],
    ["*.example.com", "https://notexample.com/"],
    ["*.example.com", "https://.example.com/"],
    ["*.example.com", "https://a..example.com/"],
    ["*.example.com", "https://example.com.evil.test/"],
    ["*.example.com", "http://a.example.com/"],
    ["localhost", "http://127.0.0.1/"],
    ["localhost", "http://app.localhost/"],
    ["127.0.0.1", "http://127.0.0.2/"],
    ["127.0.0.1", "http://[::ffff:127.0.0.1]/"],
    ["127.0.0.1", "http://[::1]/"],
  ])("%s does not cover %s", (pattern, url) => {
    expect(covered(pattern, url)).toBe(false);
  });

  test.each([
    "*",
    "*.com",
    "*.",
    "*.127.0.0.1",
    "*.0.1",
    "*.app.localhost",
    "*.*.example.com",
    "a*.example.com",
    "",
    ".",
    "exa mple.com",
    "example.com/path",
    "example.com?x",
    "user@example.com",
    "user:pass@example.com",
    "ftp://example.com",
    "//example.com",
    "example.com:",
    "example.com:0",
    "example.com:99999",
    "[::1",
    "example.com\n",
  ])("cannot be written %j", (pattern) => {
    expect(() => allowHosts([pattern])).toThrow(expect.objectContaining({ code: "HOST_INVALID" }));
  });
});
