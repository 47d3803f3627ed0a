import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { examplesIn } from "../../docs/documents.ts";
import { type BuiltCommand, buildCommand } from "./built-command.ts";

/** Modules as users write them, in processes as users start them: what imports them is Node, and not the test runner. */
let command: BuiltCommand;

/** The module and the workflow of the docs. */
const [BLOCKS, LETTERS] = ["js", "yaml"].map((language) => examplesIn(language).find(({ marks }) => marks.includes("own"))!.text);

beforeAll(() => {
  command = buildCommand();
});

beforeEach(() => {
  command.clear();
  command.install();
  command.write("package.json", '{ "type": "module" }');
  command.write("blocks.js", BLOCKS!);
  command.write("letters.yaml", LETTERS!);
});

afterAll(() => command.remove());

test("a run has the blocks of a module wherever it goes on", async () => {
  const asked = await command.run("run", "letters.yaml", "--blocks", "blocks.js");
  expect(asked.code).toBe(3);
  const [, resume] = /Answer with: (?:npx )?wavepoint (resume .*) ANSWER/.exec(asked.err)!;
  expect(resume).toContain("--blocks blocks.js");
  const [, pause] = resume!.split(" ");
  expect(await command.run("resume", pause!, "Ada", "--blocks", "blocks.js")).toMatchObject({ code: 0, out: "letters: 3\n" });
});

test("what looks at workflows knows them too", async () => {
  command.write("letters.cases.yaml", "cases: [{ name: a, answers: [Ada], expect: { outputs: { letters: 3 } } }]\n");
  const looks = [["validate", "."], ["info", "letters"], ["graph", "letters.yaml"], ["test", "letters.cases.yaml"], ["schema"]];
  // They change nothing, so they need not wait for each other.
  const [unknown, ...known] = await Promise.all([
    command.run("validate", "letters.yaml"),
    ...looks.map((args) => command.run(...args, "--blocks", "blocks.js")),
  ]);
  for (const [i, { code, out, err }] of known.entries()) expect(code, `${looks[i]!.join(" ")}: ${out}${err}`).toBe(0);
  expect(known.at(-1)!.out).toContain('"Count"');
  expect(unknown.code).toBe(2);
  expect(unknown.out).toContain('There is no block type "Count". One of your own goes into a module that --blocks names.');
});

/** Has the command write declarations, and the compiler look at a module that uses them. */
async function useTypes(workflow: string, blocks: string, text: string, { skipLibCheck = false } = {}): Promise<string> {
  expect(await command.run("types", workflow, "--blocks", blocks, "--output", "known.d.ts")).toMatchObject({ code: 0 });
  command.write(
    "use.ts",
    `import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import "./known.d.ts";
const executor = createExecutor({ store: memoryStore() });
${text}`,
  );
  command.write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: { module: "nodenext", target: "es2022", strict: true, noEmit: true, allowJs: true, skipLibCheck, types: [] },
      files: ["use.ts"],
    }),
  );
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "-p", "."], { cwd: command.directory, encoding: "utf8" }).stdout;
}

test("declarations have the types of own blocks", async () => {
  const told = await useTypes(
    "letters.yaml",
    "blocks.js",
    `const { outputs } = await (await executor.start("letters")).settled();
const right: number | undefined = outputs?.letters;
// @ts-expect-error A count is no text.
const wrong: string | undefined = outputs?.letters;
`,
  );
  expect(told).toBe("");
});

test("declarations have the types of the tools of known servers", async () => {
  command.write(
    "servers.js",
    `import { mcpTool } from "wavepoint/mcp/client";
const transport = () => Promise.reject(new Error("Nothing is called here."));
export default [
  mcpTool({
    servers: {
      tickets: {
        transport,
        tools: [
          {
            name: "comment",
            inputSchema: { type: "object", properties: { ticket: { type: "integer" } }, required: ["ticket"] },
            outputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
          },
        ],
      },
    },
  }),
];
`,
  );
  command.write(
    "ticket.yaml",
    `name: ticket
blocks:
  - { id: call, type: McpTool, inputs: { server: tickets, tool: comment, arguments: { ticket: 7 } } }
outputs:
  result: \${blocks.call.outputs.result}
`,
  );
  const told = await useTypes(
    "ticket.yaml",
    "servers.js",
    `const { outputs } = await (await executor.start("ticket")).settled();
const right: string | undefined = outputs?.result.url;
// @ts-expect-error An address is no number.
const wrong: number | undefined = outputs?.result.url;
`,
    // The package of the protocol speaks of Node's types.
    { skipLibCheck: true },
  );
  expect(told).toBe("");
});

describe("a module that cannot be used", () => {
  test.each([
    ["is not there", "none.js", undefined, /none\.js .*cannot be loaded/s],
    ["throws", "throws.js", "\nthrow new Error('no luck')\n", /throws\.js:2:7 error\[COMMAND_INVALID\]\n {2}.*no luck/],
    ["exports no block type", "empty.js", "export const a = 1;\n", /empty\.js error\[COMMAND_INVALID\]\n {2}It exports no block type/],
    ["names a type twice", "twice.js", 'export default [1, 2].map(() => ({ type: "A", execute() {} }));\n', /named "A" too/],
  ])("that %s is named with the reason", async (_what, name, text, told) => {
    if (text !== undefined) command.write(name, text);
    const { code, err } = await command.run("validate", "letters.yaml", "--blocks", name);
    expect(code).toBe(2);
    expect(err).toMatch(told);
  });
});

describe("a workflow in a module", () => {
  const written = (export_: string) => `import { defineWorkflow } from "wavepoint";
import { count } from "./blocks.js";
${export_} defineWorkflow(
  { name: "size", inputs: { word: { type: "string" } }, blocks: [{ id: "size", type: "Count", inputs: { text: "\${inputs.word}" } }],
    outputs: { letters: "\${blocks.size.letters}" } },
  { blocks: [count] },
);
`;

  test("runs from its default export", async () => {
    command.write("size.js", written("export default"));
    expect(await command.run("run", "size.js", "--input", "word=four", "--blocks", "blocks.js")).toMatchObject({
      code: 0,
      out: "letters: 4\n",
    });
  });

  test("that is wrong is reported by file and path", async () => {
    command.write("size.js", written("export default"));
    const { code, err } = await command.run("run", "size.js", "--input", "word=four");
    expect(code).toBe(2);
    expect(err).toContain("size.js blocks[0].type error[BLOCK_TYPE_UNKNOWN]");
    command.write("named.js", written("export const size ="));
    expect((await command.run("graph", "named.js")).err).toContain("It has no workflow as its default export.");
  });

  test("in TypeScript wants a Node that reads it, or tsx", async () => {
    command.write(
      "size.ts",
      `const name: string = "size";\nexport default { name, blocks: [{ id: "e", type: "EchoBlock", inputs: { message: "hi" } }] };\n`,
    );
    const readsItself = "typescript" in process.features && Boolean(process.features.typescript);
    const alone = await command.run("validate", "size.ts");
    if (readsItself) expect(alone.code).toBe(0);
    else {
      expect(alone.code).toBe(2);
      expect(alone.err).toContain("npm install --save-dev tsx");
      // As tsx does it: a loader for all that is imported from then on.
      const hooks = `export const load = async (url, context, next) => url.endsWith(".ts")
  ? { format: "module", shortCircuit: true, source: String((await import("node:fs")).readFileSync(new URL(url))).replaceAll(": string", "") }
  : next(url, context);`;
      mkdirSync(join(command.directory, "node_modules/tsx"));
      command.write("node_modules/tsx/package.json", '{ "name": "tsx", "exports": "./loader.mjs" }');
      command.write("node_modules/tsx/hooks.mjs", hooks);
      command.write("node_modules/tsx/loader.mjs", 'import { register } from "node:module";\nregister("./hooks.mjs", import.meta.url);\n');
      expect(await command.run("validate", "size.ts")).toMatchObject({ code: 0, out: "size.ts: no problems\n" });
    }
  });
});

test.runIf(process.env["WAVEPOINT_LONG"])(
  "tsx itself reads TypeScript, in projects of both kinds",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wavepoint-tsx-"));
    try {
      for (const type of ["module", "commonjs"]) {
        writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
        execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "tsx"], { cwd: folder, stdio: "pipe" });
        writeFileSync(join(folder, "kind.ts"), `enum Kind { Echo = "EchoBlock" }\nexport default Kind;\n`);
        writeFileSync(
          join(folder, "echo.ts"),
          `import Kind from "./kind";\nexport default { name: "echo", blocks: [{ id: "e", type: Kind.Echo, inputs: { message: "hi" } }] };\n`,
        );
        expect(await command.run("validate", join(folder, "echo.ts")), pathToFileURL(folder).href).toMatchObject({ code: 0 });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
