import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type BlockContext, type RunEvent, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder().decode(data);
const LARGE = new Uint8Array(100_000).fill(7);

/** A block that does what a test says, by the name of its id. */
function acts(deeds: { readonly [block: string]: (context: BlockContext<Record<string, unknown>>) => unknown }) {
  return defineBlock({
    type: "Act",
    async execute(context) {
      return success({ ...((await deeds[context.block]!(context as never)) as object | undefined) });
    },
  });
}

const chain = (...ids: readonly string[]): Workflow => ({
  name: "chain",
  blocks: ids.map((id, i) => ({ id, type: "Act", ...(i > 0 && { dependsOn: [ids[i - 1]!] }) })),
});

describe("files of a run", () => {
  test("are seen by the blocks of later waves, in this process and in the next", async () => {
    const store = memoryStore();
    const flow = chain("write", "read");
    const blocks = [
      acts({
        write: async ({ files }) => {
          await files.write("small.txt", bytes("few"), { type: "text/plain" });
          await files.write("large.bin", LARGE);
        },
        read: async ({ files }) => ({
          names: (await files.list()).map(({ name, size, type, block }) => [name, size, type, block]),
          small: text((await files.read("small.txt")).bytes),
          large: (await files.read("large.bin")).bytes.length,
        }),
      }),
    ];
    const run = await createExecutor({ store, blocks }).start(flow);
    expect(await run.settled()).toMatchObject({ status: "success" });
    const again = await createExecutor({ store, blocks }).open(run.id);
    expect((await again.state()).values["read"]).toEqual({
      names: [
        ["small.txt", 3, "text/plain", "write"],
        ["large.bin", 100_000, "", "write"],
      ],
      small: "few",
      large: 100_000,
    });
    expect(again.getSnapshot().files?.map(({ name }) => name)).toEqual(["small.txt", "large.bin"]);
    expect(await again.files()).toEqual(again.getSnapshot().files);
    expect((await again.readFile("large.bin")).bytes).toEqual(LARGE);
    expect(await again.files({ superstep: 0 })).toHaveLength(2);
    await expect(again.readFile("other")).rejects.toMatchObject({ code: "FILE_MISSING" });
    const journal = (await store.read(run.id)).join("");
    expect(journal.length).toBeLessThan(3_000);
    expect((await store.head(run.id))?.blobs).toHaveLength(1);
  });

  test("of blocks of one wave are not seen there, and the last block of the definition wins", async () => {
    const write = (own: string) => async (context: BlockContext<unknown>) => {
      await context.host.sleep(own === "a" ? 20 : 0);
      await context.files.write("f", bytes(own));
      return { seen: (await context.files.list()).map(({ block }) => block) };
    };
    const blocks = [acts({ a: write("a"), b: write("b"), c: async ({ files }) => ({ f: text((await files.read("f")).bytes) }) })];
    const run = await createExecutor({ store: memoryStore(), blocks }).start({
      name: "wave",
      blocks: [
        { id: "a", type: "Act" },
        { id: "b", type: "Act" },
        { id: "c", type: "Act", dependsOn: ["a", "b"] },
      ],
    });
    await run.settled();
    expect((await run.state()).values).toEqual({ a: { seen: ["a"] }, b: { seen: ["b"] }, c: { f: "b" } });
    expect((await run.files()).map(({ block }) => block)).toEqual(["b"]);
  });

  test("are given to inputs and outputs as files that were attached are", async () => {
    const look = defineBlock({
      type: "Look",
      inputs: { jsonSchema: { type: "object", properties: { file: { format: "file" } as never }, required: ["file"] } },
      execute: ({ inputs }) => success({ size: (inputs as { file: { bytes: Uint8Array } }).file.bytes.length, inputs }),
    });
    const blocks = [look, acts({ write: ({ files }) => files.write("report.bin", LARGE, { type: "a/b" }).then(() => undefined) })];
    const flow: Workflow = {
      name: "refer",
      blocks: [
        { id: "write", type: "Act" },
        {
          id: "look",
          type: "Look",
          dependsOn: ["write"],
          inputs: {
            file: '${blocks.write.files["report.bin"]}',
            bytes: '${blocks.write.files["report.bin"].bytes}',
            size: '${blocks.write.files["report.bin"].size}',
            text: 'It is ${blocks.write.files["report.bin"]}.',
          },
          condition: '${blocks.write.files["report.bin"].size} > 5',
        },
      ],
      outputs: { report: '${blocks.write.files["report.bin"]}' },
    };
    const store = memoryStore();
    const run = await createExecutor({ store, blocks }).start(flow);
    const result = await run.settled();
    expect(result).toMatchObject({ status: "success", outputs: { report: { name: "report.bin", type: "a/b", size: 100_000 } } });
    const { size, inputs } = (await run.state()).values["look"] as never as { size: number; inputs: Record<string, unknown> };
    expect(size).toBe(100_000);
    expect(inputs["bytes"]).toEqual(LARGE);
    expect(inputs["size"]).toBe(100_000);
    expect(inputs["text"]).toMatch(/^It is \{"name":"report.bin","type":"a\/b","size":100000,"hash":"[0-9a-f]{64}"\}\.$/);
    // The bytes stand in the store once.
    expect((await store.head(run.id))?.blobs).toHaveLength(1);
  });

  test.each([
    ["condition", { condition: "${blocks.write.files.f} == 1" }],
    ["for_each", { forEach: "${blocks.write.files.f.bytes}" }],
  ])("their bytes cannot stand in a %s", async (_, part) => {
    const flow = chain("write", "read");
    const executor = createExecutor({ store: memoryStore(), blocks: [acts({})] });
    const loading = executor.load({ ...flow, blocks: [flow.blocks[0]!, { ...flow.blocks[1]!, ...part }] });
    await expect(loading).rejects.toMatchObject({ code: "REFERENCE_FORBIDDEN", place: { path: expect.stringContaining("blocks[1]") } });
  });

  test("a missing one is named with those that there are", async () => {
    const flow: Workflow = {
      ...chain("write", "read"),
      outputs: { it: "${blocks.write.files.report}" },
    };
    const blocks = [acts({ write: ({ files }) => files.write("other", bytes("x")), read: () => undefined })];
    const run = await createExecutor({ store: memoryStore(), blocks }).start(flow);
    expect(await run.settled()).toMatchObject({ status: "failure", error: { message: expect.stringContaining('It has: "other"') } });
  });

  test("a block that fails leaves none, and one that asks has to write later", async () => {
    const asks = defineBlock({
      type: "Asks",
      async execute({ files }) {
        await files.write("f", bytes("x"));
        return pause({ prompt: "?" });
      },
      resume: () => success({}),
    });
    const flow: Workflow = {
      name: "fails",
      blocks: [
        { id: "broken", type: "Act", continueOnError: true },
        { id: "asks", type: "Asks", continueOnError: true },
      ],
    };
    const broken = acts({
      broken: async ({ files }) => {
        await files.write("f", bytes("x"));
        throw new Error("No.");
      },
    });
    const run = await createExecutor({ store: memoryStore(), blocks: [asks, broken] }).start(flow);
    await run.settled();
    expect(await run.files()).toEqual([]);
    expect((await run.steps()).find(({ block }) => block === "asks")?.error).toMatchObject({ code: "FILE_REFUSED" });
  });

  test.each([
    "",
    "a/b",
    "../up",
    "..",
    "/etc/passwd",
    "a\\b",
    "c:x",
    "a\nb",
    "\u202eexe.txt",
    "e\u0301",
    "\ud800",
    "nul",
    "con.txt",
    ".git",
    "x.",
    "./x",
    "x".repeat(256),
    "__proto__",
    "constructor",
    "__internal__",
    5,
  ])("a file cannot be called %j", async (name) => {
    const run = await createExecutor({
      store: memoryStore(),
      blocks: [acts({ a: ({ files }) => files.write(name as string, bytes("x")) })],
    }).start(chain("a"));
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "PATH_FORBIDDEN" } });
  });

  test.each(["report.pdf", "Bericht März.txt", "数据.csv", "-", "a..b", "~", "é"])("a file can be called %j", async (name) => {
    const blocks = [
      acts({ a: ({ files }) => files.write(name, bytes("x")), b: async ({ files }) => ({ size: (await files.read(name)).size }) }),
    ];
    const run = await createExecutor({ store: memoryStore(), blocks }).start(chain("a", "b"));
    expect(await run.settled()).toMatchObject({ status: "success" });
    expect((await run.files())[0]!.name).toBe(name);
  });

  test.each([
    ["a text", "text"],
    ["a list", [1, 2]],
    ["other numbers", new Float32Array(2)],
    ["nothing", null],
  ])("%s is no file", async (_, data) => {
    const blocks = [acts({ a: ({ files }) => files.write("f", data as never) })];
    const run = await createExecutor({ store: memoryStore(), blocks }).start(chain("a"));
    expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "FILE_REFUSED" } });
  });

  test("a Blob keeps its type, and bytes may change once they were given", async () => {
    const blocks = [
      acts({
        a: async ({ files }) => {
          await files.write("blob", new Blob(["hello"], { type: "text/x" }));
          const data = bytes("before");
          const written = files.write("bytes", data);
          data.fill(0);
          await written;
        },
      }),
    ];
    const run = await createExecutor({ store: memoryStore(), blocks }).start(chain("a"));
    await run.settled();
    expect(await run.readFile("blob")).toMatchObject({ type: "text/x", size: 5 });
    expect(text((await run.readFile("bytes")).bytes)).toBe("before");
  });

  test("what is written without being waited for is there too", async () => {
    const blocks = [acts({ a: ({ files }) => void files.write("f", LARGE) })];
    const run = await createExecutor({ store: memoryStore(), blocks }).start(chain("a"));
    await run.settled();
    expect((await run.readFile("f")).bytes).toEqual(LARGE);
  });

  test("too large a file, too many and too much are refused, and listeners are warned before", async () => {
    const events: RunEvent[] = [];
    const big = new Uint8Array(10_000_000);
    const blocks = [
      acts({
        large: ({ files }) => files.write("f", new Uint8Array(10_485_761)),
        many: async ({ files }) => {
          for (let i = 0; i <= 1_000; i++) await files.write(`f${i}`, bytes("x"));
        },
        much: async ({ files }) => {
          for (let i = 0; i < 7; i++) await files.write(`f${i}`, big.fill(i).slice());
        },
      }),
    ];
    const executor = createExecutor({ store: memoryStore(), blocks, onEvent: (event) => void events.push(event) });
    for (const id of ["large", "many", "much"]) {
      const run = await executor.start({ ...chain(id), name: id });
      expect(await run.settled()).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED" } });
    }
    expect(events.filter(({ type }) => type === "limit")).toMatchObject([
      { limit: "files", used: 800, allowed: 1_000 },
      { limit: "fileBytes", used: 60_000_000, allowed: 67_108_864 },
    ]);
  });

  test("iterations write over what earlier ones wrote", async () => {
    const counts = defineBlock({
      type: "Act",
      async execute({ files, iteration, nextIteration }) {
        const before = (await files.list()).length === 0 ? "" : text((await files.read("log")).bytes);
        await files.write("log", bytes(`${before}${iteration}`));
        return iteration < 3 ? nextIteration() : success({});
      },
    });
    const run = await createExecutor({ store: memoryStore(), blocks: [counts] }).start(chain("a"));
    await run.settled();
    expect(text((await run.readFile("log")).bytes)).toBe("123");
  });
});
