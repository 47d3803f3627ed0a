import { expect, test } from "vitest";
import { checkAddress } from "../../src/network/address.ts";
import { readHostRules } from "../../src/network/host-rule.ts";

const rules = ["bank.example", "http://bank.example"].flatMap(readHostRules);

test("a redirect from https to http is refused, even to a host whose plain http is granted", () => {
  expect(checkAddress("http://bank.example/", rules).href).toBe("http://bank.example/");
  expect(() => checkAddress("http://bank.example/", rules, new URL("https://bank.example/"))).toThrow(
    "https://bank.example redirects from https to http",
  );
});

test("a redirect is read from where it stands", () => {
  expect(checkAddress("../b?c", rules, new URL("https://bank.example/x/y/z")).href).toBe("https://bank.example/x/b?c");
  expect(() => checkAddress("//evil.test/", rules, new URL("https://bank.example/"))).toThrow(
    "https://bank.example redirects to https://evil.test",
  );
});

test("a refusal names the host and how to grant it, and neither path nor query", () => {
  expect(() => checkAddress("https://api.example.com:8443/hook/T0KEN?key=secret", rules)).toThrow(
    'https://api.example.com:8443 was not granted. Name it in allowHosts, if it is to be trusted: "api.example.com:8443".',
  );
});
