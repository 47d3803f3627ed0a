import { describe, expect, test } from "vitest";
import { createRegistry, loadManifest, type ManifestOptions } from "wavepoint/registry";

const echo = (name: string) => `name: ${name}\nblocks:\n  - { id: a, type: EchoBlock, inputs: { message: hi } }\n`;

const BASE = "https://flows.example/lib/";

/** Serves texts and bytes by their address, and keeps what was asked for. */
function serve(files: { readonly [address: string]: string | Uint8Array<ArrayBuffer> }) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    asked.push(String(url));
    const file = files[String(url)];
    return file === undefined ? new Response("gone", { status: 404 }) : new Response(file);
  };
  return { fetch, asked };
}

const manifest = (...workflows: readonly unknown[]) => JSON.stringify({ workflows });

async function load(files: Parameters<typeof serve>[0], options: ManifestOptions = {}) {
  const { fetch, asked } = serve(files);
  const registry = createRegistry();
  const report = await loadManifest(registry, `${BASE}index.json`, { fetch, ...options });
  return { report, asked, names: registry.list().map(({ name }) => name) };
}

test("adds what a manifest names, by addresses relative to its own, in its order", async () => {
  const { report, names } = await load({
    [`${BASE}index.json`]: manifest("b.yaml", "more/a.yaml", "../c.yaml", "b-again.yaml"),
    [`${BASE}b.yaml`]: echo("b"),
    [`${BASE}more/a.yaml`]: echo("a"),
    "https://flows.example/c.yaml": echo("c"),
    [`${BASE}b-again.yaml`]: echo("b"),
  });
  expect(names).toEqual(["a", "b", "c"]);
  expect(report.loaded.map(({ source }) => source)).toEqual(["b.yaml", "more/a.yaml", "../c.yaml"]);
  expect(report.skipped).toMatchObject([{ source: "b-again.yaml", other: "b.yaml" }]);
});

test("adds the rest where some cannot be read or are broken", async () => {
  const { report, names } = await load({
    [`${BASE}index.json`]: manifest("good.yaml", "missing.yaml", "broken.yaml", "bytes.yaml", "long.yaml", "longer.yaml"),
    [`${BASE}good.yaml`]: echo("good"),
    [`${BASE}broken.yaml`]: "name: 1",
    [`${BASE}bytes.yaml`]: new Uint8Array([0x6e, 0xff, 0xfe]),
    [`${BASE}long.yaml`]: `${echo("long")}# ${"x".repeat(300_000)}`,
    [`${BASE}longer.yaml`]: new Uint8Array(2_000_000).fill(0x23),
  });
  expect(names).toEqual(["good"]);
  expect(report.failed.map(({ source, problems }) => [source, problems[0]!.code])).toEqual([
    ["missing.yaml", "HTTP_FAILED"],
    ["broken.yaml", "SCHEMA_INVALID"],
    ["bytes.yaml", "FILE_ENCODING"],
    ["long.yaml", "LIMIT_EXCEEDED"],
    ["longer.yaml", "LIMIT_EXCEEDED"],
  ]);
});

describe("other origins", () => {
  const files = {
    [`${BASE}index.json`]: manifest("https://cdn.example/a.yaml", "//evil.example/b.yaml", "data:text/plain,name", "file:///etc/passwd"),
    "https://cdn.example/a.yaml": echo("a"),
  };

  test("are not asked", async () => {
    const { report, asked } = await load(files);
    expect(asked).toEqual([`${BASE}index.json`]);
    expect(report.failed.map(({ problems }) => problems[0]!.code)).toEqual(Array.from({ length: 4 }, () => "HOST_FORBIDDEN"));
  });

  test("are asked where they are named", async () => {
    const { asked, names } = await load(files, { origins: ["https://cdn.example", "null"] });
    expect(asked).toEqual([`${BASE}index.json`, "https://cdn.example/a.yaml"]);
    expect(names).toEqual(["a"]);
  });
});

describe("a manifest that cannot be used", () => {
  test.each([
    ["is no JSON", "workflows: []", "SCHEMA_INVALID"],
    ["is a list", '["a.yaml"]', "SCHEMA_INVALID"],
    ["names a number", manifest("a.yaml", 5), "SCHEMA_INVALID"],
    ["is no text", new Uint8Array([0xff]), "FILE_ENCODING"],
  ])("because it %s is a failure that nothing was loaded for", async (_, text, code) => {
    const { report } = await load({ [`${BASE}index.json`]: text });
    expect(report.loaded).toEqual([]);
    expect(report.failed).toMatchObject([{ source: `${BASE}index.json`, problems: [{ code }] }]);
  });

  test("because it is not there, or its address is none, is a failure", async () => {
    expect((await load({})).report.failed).toMatchObject([{ problems: [{ code: "HTTP_FAILED" }] }]);
    expect((await loadManifest(createRegistry(), "https://")).failed).toMatchObject([{ problems: [{ code: "HTTP_FAILED" }] }]);
  });

  test("because it names too much is used up to the limit", async () => {
    const addresses = Array.from({ length: 1_001 }, (_, i) => `${i}.yaml`);
    const { report } = await load({
      [`${BASE}index.json`]: manifest(...addresses),
      [`${BASE}999.yaml`]: echo("last"),
      [`${BASE}1000.yaml`]: echo("beyond"),
    });
    expect(report.loaded).toMatchObject([{ name: "last" }]);
    expect(report.failed.at(-1)).toMatchObject({ source: `${BASE}index.json`, problems: [{ code: "LIMIT_EXCEEDED" }] });
  });
});

test("an abort ends the loading, and nothing was added", async () => {
  const stop = new AbortController();
  const registry = createRegistry();
  const { fetch } = serve({ [`${BASE}index.json`]: manifest("a.yaml", "b.yaml"), [`${BASE}a.yaml`]: echo("a") });
  const loading = loadManifest(registry, `${BASE}index.json`, {
    fetch(url) {
      if (String(url).endsWith("b.yaml")) stop.abort(new Error("enough"));
      return fetch(url);
    },
    signal: stop.signal,
  });
  await expect(loading).rejects.toMatchObject({ code: "ABORTED" });
  expect(registry.list()).toEqual([]);
});
