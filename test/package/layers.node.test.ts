import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { BUNDLED } from "../../scripts/build/manifest.mjs";
import { findCircular, readImports, type Import } from "./read-imports.ts";
import { readSources, ROOT } from "./source-files.ts";

/**
 * The rooms from the ground up: each may import those that stand before it, and itself. Rooms of one line do not know each other. "entry" is
 * the public entry and the files beside it. CONTRIBUTING.md says the same in words.
 */
const ORDER: readonly (readonly string[])[] = [
  ["core/model/"],
  ["core/expression/", "core/ports/"],
  ["core/definition/", "core/blocks/"],
  ["core/machine/"],
  ["core/journal/"],
  ["core/runner/"],
  ["core/run/"],
  ["core/history/", "core/secrets/", "core/transfer/", "core/migration/", "core/maintenance/"],
  ["yaml/", "graph/", "store/", "network/", "encryption/", "testing/"],
  ["browser/", "registry/"],
  ["mcp/", "ai/", "server/", "cluster/"],
  ["bindings/", "node/"],
  ["entry"],
];

/** Rooms that know less than what stands below them. */
const NARROW: ReadonlyMap<string, readonly string[]> = new Map([
  ["core/machine/", ["core/model/", "core/expression/", "core/ports/", "core/definition/"]],
  ["core/definition/", ["core/model/", "core/expression/", "core/ports/"]],
  ["core/blocks/", ["core/model/", "core/expression/", "core/ports/"]],
  ["graph/", ["core/model/", "core/definition/", "core/machine/"]],
  ["store/", ["core/model/", "core/ports/"]],
  ["network/", ["core/model/", "core/ports/"]],
  ["encryption/", ["core/model/", "core/ports/"]],
]);

/** The command line is an application: it may import all that is public, the entry included. */
const COMMAND_LINE = "node/cli/";

/**
 * The borders behind which something is loaded when it is used: each is one `import()` at one place. All else is imported as its importer is.
 * What a run may need after it has begun is loaded before its first block.
 */
const BORDERS: readonly (readonly [from: string, specifier: string, what: string])[] = [
  ["ai/ask-models.ts", "ai", "the package of language models"],
  ["browser/elements/waves-element.ts", "./graph/graph.ts", "the graph of a run"],
  ["browser/elements/history-element.ts", "./run-history.ts", "the history of a run"],
  ["browser/elements/rare-kind.ts", "./rare/controls.ts", "controls that most forms do without"],
  ["core/blocks/compute.ts", "./compute/formulas.ts", "formulas"],
  ["core/blocks/template/inputs.ts", "./render.ts", "Jinja"],
  ["core/machine/added-part.ts", "./fold-added.ts", "what folds blocks that others add"],
  ["core/machine/channel-scope.ts", "./channels.ts", "what channels hold"],
  ["core/journal/load-states.ts", "./states/states.ts", "states that are kept whole"],
  ["core/journal/values/rich-values.ts", "./rich-codec.ts", "values that JSON cannot hold"],
  ["core/runner/parts.ts", "./acting-blocks.ts", "what blocks need that do more than ask"],
  ["core/expression/pattern.ts", "./read-pattern.ts", "patterns"],
  ["core/expression/ready-schema.ts", "./rare-keywords.ts", "schema keywords that few questions have: conditions, unions, references"],
  ["browser/form-conditions.ts", "../core/expression/form-conditions.ts", "forms with conditions"],
  ["create-executor.ts", "./core/blocks/host-blocks.ts", "blocks that need files or hosts"],
  ["create-executor.ts", "./core/blocks/pure-blocks.ts", "blocks that do more than ask one thing"],
  ["create-executor.ts", "./core/blocks/shell.ts", "commands, with the shell reader"],
  ["create-executor.ts", "./core/history/past.ts", "steps, states and checkpoints, what differs between them, and forks"],
  ["create-executor.ts", "./core/maintenance/maintenance.ts", "maintenance"],
  ["create-executor.ts", "./core/migration/migration.ts", "migration"],
  ["create-executor.ts", "./core/transfer/transfer.ts", "transfer"],
  ["create-executor.ts", "./core/maintenance/schedules.ts", "schedules, which need a reader of cron"],
  ["create-executor.ts", "./core/secrets/secrets.ts", "secrets"],
  ["create-executor.ts", "./seal-text.ts", "encryption of files"],
  ["default-host.ts", "./sha256.ts", "hashes where the platform has none"],
  ["mcp/page/offer-tools.ts", "./page-tools.ts", "the tools of a page, where the browser takes them"],
  ["node/cli/ask-person.ts", "@clack/prompts", "questions in a terminal"],
  ["node/cli/commands/mcp.ts", "../mcp/serve.ts", "servers of the Model Context Protocol"],
  ["node/cli/commands/mcp.ts", "../mcp/serve-http.ts", "the same over HTTP"],
  ["node/cli/commands/serve.ts", "../../../server/index.ts", "the server of runs over HTTP"],
  ["node/cli/keyed-store.ts", "../../cluster/dbos.ts", "workers of a cluster"],
  ["node/cli/keyed-store.ts", "../../encryption/encrypted-store.ts", "encryption of stores"],
  ["store/open.ts", "./filesystem.ts", "a store by its address"],
  ["store/open.ts", "./indexeddb.ts", "a store by its address"],
  ["store/open.ts", "./postgres.ts", "a store by its address"],
  ["store/open.ts", "./redis.ts", "a store by its address"],
  ["store/open.ts", "./s3.ts", "a store by its address"],
  ["store/open.ts", "./sqlite.ts", "a store by its address"],
];

/** The one file that knows several stores: it picks one by the form of its address. */
const STORE_CHOOSER = "store/open.ts";
/** Second doors of their rooms, each loaded by itself: no run needs its past to go on, and schedules bring a package that nothing else needs. */
const OWN_CHUNKS: readonly string[] = ["core/history/past.ts", "core/maintenance/schedules.ts"];

const sources = readSources();
const imports = sources.flatMap(readImports);
const local = imports.filter((found): found is Import & { readonly target: string } => found.target !== undefined);
const foreign = imports.filter((found) => found.target === undefined);

const standsIn = (part: string, path: string) => (part === "entry" ? !path.includes("/") : path.startsWith(part));
const rooms = ORDER.flat();
const partOf = (path: string) => rooms.find((part) => standsIn(part, path));
const allowedFor = (own: string) =>
  NARROW.get(own) ??
  ORDER.slice(
    0,
    ORDER.findIndex((line) => line.includes(own)),
  ).flat();
const show = ({ from, specifier }: Import) => `${from} imports ${specifier}`;

/** `store/filesystem.ts` and everything in `store/filesystem/` are one store. */
const storeOf = (path: string) => path.split("/")[1]?.replace(/\.ts$/, "");
const storeEntries = new Set(readStoreEntries());

function readStoreEntries(): string[] {
  const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { exports: Record<string, unknown> };
  return Object.keys(exports).flatMap((subpath) => /^\.\/store\/(.+)$/.exec(subpath)?.[1] ?? []);
}

describe("the scan itself", () => {
  test("saw the package", () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(local.length).toBeGreaterThan(100);
    expect(foreign.length).toBeGreaterThan(5);
    expect(storeEntries.size).toBeGreaterThan(2);
  });

  test("sees every way to import, and none in a comment", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type {\n  B,\n} from "../b.ts";',
      'export * from "c";',
      'import "./d.ts";',
      'const e = await import("e");',
      '// import { f } from "f";',
      '/** import { g } from "g"; */',
    ].join("\n");
    const found = readImports({ path: "x/y.ts", text });
    expect(found.map(({ specifier }) => specifier)).toEqual(["./a.ts", "../b.ts", "c", "./d.ts", "e"]);
    expect(found.map(({ target }) => target)).toEqual(["x/a.ts", "b.ts", undefined, "x/d.ts", undefined]);
    expect(found.map(({ isDynamic }) => isDynamic)).toEqual([false, false, false, false, true]);
  });

  test("finds circles, through types and import() too, and nothing else", () => {
    const texts = [
      'import { b } from "./b.ts";',
      'import type { C } from "./c.ts";',
      'await import("./a.ts");',
      'import "./a.ts";\nexport {};',
    ];
    const found = texts.flatMap((text, i) => readImports({ path: `${"abcd"[i]}.ts`, text }));
    expect(findCircular(found)).toEqual(["a.ts", "b.ts", "c.ts"]);
    expect(findCircular(found.filter(({ isDynamic }) => !isDynamic))).toEqual([]);
  });

  test("knows the place of every file", () => {
    expect(sources.map(({ path }) => path).filter((path) => partOf(path) === undefined)).toEqual([]);
  });
});

describe("the direction of imports", () => {
  test("each part imports only what stands below it", () => {
    const wrong = local.filter(({ from, target }) => {
      const own = partOf(from);
      if (own === undefined) return true;
      const allowed = from.startsWith(COMMAND_LINE) ? rooms : [own, ...allowedFor(own)];
      return !allowed.some((part) => standsIn(part, target));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test("other rooms reach those with a front file through it alone", () => {
    const fronts = ["definition", "machine", "journal", "runner", "run", "history", "secrets", "transfer", "migration", "maintenance"].map(
      (name) => ({
        room: `core/${name}/`,
        front: `core/${name}/${name}.ts`,
      }),
    );
    const paths = new Set(sources.map(({ path }) => path));
    expect(fronts.filter(({ front }) => !paths.has(front))).toEqual([]);
    const wrong = local.filter(({ from, target }) => {
      const front = fronts.find(({ room }) => target.startsWith(room));
      return front !== undefined && !from.startsWith(front.room) && target !== front.front && !OWN_CHUNKS.includes(target);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test("no store imports another", () => {
    const wrong = local.filter(({ from, target }) => {
      if (!from.startsWith("store/") || !target.startsWith("store/") || from === STORE_CHOOSER) return false;
      const imported = storeOf(target);
      return imported !== undefined && storeEntries.has(imported) && imported !== storeOf(from);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test("every relative import names a file that exists", () => {
    const paths = new Set(sources.map(({ path }) => path));
    expect(local.filter(({ target }) => !paths.has(target)).map(show)).toEqual([]);
  });
});

describe("circles", () => {
  test.each(["src", "demo", "scripts"] as const)("no module of %s imports itself in the end", (folder) => {
    const found = readSources(folder).flatMap(readImports);
    expect(found.filter(({ target }) => target !== undefined).length).toBeGreaterThan(20);
    expect(findCircular(found)).toEqual([]);
  });
});

describe("dynamic imports", () => {
  const dynamic = imports.filter(({ isDynamic }) => isDynamic);

  test("stand at the borders alone, each at one place", () => {
    const found = dynamic.map(({ from, specifier }) => `${from}: ${specifier}`);
    expect(found.toSorted()).toEqual(BORDERS.map(([from, specifier]) => `${from}: ${specifier}`).toSorted());
  });

  test("what stands behind a border is reached through it alone, from all that a page loads at once", () => {
    const entries = ["index.ts"];
    const reached = new Set(entries);
    // A set may grow while it is walked: what is added is visited too.
    for (const path of reached) {
      for (const { from, target, isDynamic, isType } of local) if (from === path && !isDynamic && !isType) reached.add(target);
    }
    expect(reached.size).toBeGreaterThan(100);
    const behind = BORDERS.map(([from, specifier]) => posix.join(posix.dirname(from), specifier)).filter((path) => path.endsWith(".ts"));
    expect(behind.filter((path) => reached.has(path))).toEqual([]);
  });

  test("there are few in the core", () => {
    expect(dynamic.filter(({ from }) => from.startsWith("core/")).length).toBeLessThanOrEqual(10);
  });
});

describe("packages", () => {
  test("only declared ones are imported, and those that the build makes part of the package", () => {
    const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as Record<string, Record<string, string> | undefined>;
    const declared = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {}), ...BUNDLED];
    expect(declared.length).toBeGreaterThan(3);
    const undeclared = foreign.filter(
      ({ specifier }) => !specifier.startsWith("node:") && !declared.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
    );
    expect(undeclared.map(show)).toEqual([]);
  });

  test("Node's own modules are imported only where only Node loads them", () => {
    const nodeOnly = ["node/", "store/filesystem.ts", "store/filesystem/", "store/sqlite.ts", "store/sqlite/", "store/process-name.ts"];
    const misplaced = foreign.filter(
      ({ from, specifier }) => specifier.startsWith("node:") && !nodeOnly.some((place) => from.startsWith(place)),
    );
    expect(misplaced.map(show)).toEqual([]);
  });
});

describe("the size of files", () => {
  const lengths = sources.map(({ text }) => text.trimEnd().split("\n").length).toSorted((a, b) => a - b);

  test("half of the files stay under 130 lines", () => {
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(130);
  });

  test("nine in ten stay under 300", () => {
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThan(300);
  });

  test("no name says nothing", () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|types|common|misc|shared)(?:\/|\.ts$)/;
    expect(sources.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
  });
});
