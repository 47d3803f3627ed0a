import { beforeAll, describe, expect, test } from "vitest";
import type { Workflow } from "wavepoint";
import { sha256 } from "../../../src/sha256.ts";
import { RUN_FILE_FORMAT } from "../../../src/core/model/journal.ts";
import { answer, place, type Place } from "./trip.ts";

const small: Workflow = {
  name: "small",
  blocks: [
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner" } },
    { id: "ask", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["call"] },
  ],
};
const inner: Workflow = {
  name: "inner",
  blocks: [
    { id: "echo", type: "EchoBlock", inputs: { message: "hi" } },
    { id: "ask", type: "GetInput", inputs: { prompt: "inner?" } },
  ],
};
const workflows = [small, inner];

let file: string;
let run: string;

beforeAll(async () => {
  const home = place({ workflows });
  const started = await home.executor.start("small");
  await answer(started, "x");
  run = started.id;
  file = await home.executor.runs.export(run);
});

/** Imports a file that must be refused, and gives the code of the refusal; nothing was stored. */
async function refusal(text: string, options: { readonly passphrase?: string } = {}): Promise<string> {
  const away = place({ workflows });
  try {
    await away.executor.runs.import(text, { accept: true, ...options });
    return "none";
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    expect(await isEmpty(away)).toBe(true);
    return String((error as { readonly code?: unknown }).code);
  }
}

async function isEmpty({ store }: Place): Promise<boolean> {
  const { items } = await store.runs();
  const { items: rows } = await store.checkpoints();
  return items.length + rows.length === 0 && (await store.usage()).bytes === 0;
}

type Line = { [key: string]: unknown };

/** The file with changed lines, and a checksum that fits: an attacker can compute one. */
function forge(change: (lines: string[]) => void): string {
  const lines = file.trimEnd().split("\n").slice(0, -1);
  change(lines);
  const text = lines.join("\n");
  return `${text}\n${JSON.stringify({ sha256: sha256(new TextEncoder().encode(text)) })}\n`;
}

/** Changes the members of the first line that has one of this name. */
function forgeLine(member: string, change: (line: Line) => void, skip = 0): string {
  return forge((lines) => {
    const at = lines.map((line, i) => (Object.hasOwn(JSON.parse(line) as Line, member) && i > 0 ? i : -1)).filter((i) => i > 0)[skip]!;
    const line = JSON.parse(lines[at]!) as Line;
    change(line);
    lines[at] = JSON.stringify(line);
  });
}

/** Changes an entry of the first journal that has this type. */
function forgeEntry(type: string, change: (entry: Line) => void): string {
  return forge((lines) => {
    const at = lines.findIndex((line) => (JSON.parse(line) as Line)["type"] === type);
    const entry = JSON.parse(lines[at]!) as Line;
    change(entry);
    lines[at] = JSON.stringify(entry);
  });
}

test("the file itself is good, and so is a forgery that changes nothing", async () => {
  expect(await refusal(file)).toBe("none");
  expect(forge(() => {})).toBe(file);
});

test("a file that is cut short anywhere is refused", async () => {
  const step = Math.max(1, Math.floor(file.length / 400));
  for (let end = 0; end < file.length; end += end > file.length - 150 ? 1 : step)
    expect(await refusal(file.slice(0, end))).toBe("RUN_FILE_INVALID");
});

test("a file with any bit changed is refused", async () => {
  const bytes = new TextEncoder().encode(file);
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = bytes.slice();
    changed[at]! ^= 1 << (at % 8);
    expect(await refusal(new TextDecoder().decode(changed)), `byte ${at}`).toMatch(/^(?:RUN_FILE_INVALID|SCHEMA_VERSION_UNSUPPORTED)$/);
  }
});

describe("what is no run file is refused at once", () => {
  const header = `{"format":"${RUN_FILE_FORMAT}","version":1,"run":"run_x"}\n`;
  const end = `\n{"sha256":"${"0".repeat(64)}"}\n`;
  test.each<[string, () => unknown]>([
    ["nothing", () => ""],
    ["no text", () => 5],
    ["an object", () => ({ format: RUN_FILE_FORMAT })],
    ["JSON", () => "{}\n{}\n"],
    ["a line end", () => "\n"],
    ["100 MB of nonsense", () => "x".repeat(100_000_000)],
    ["100 MB of line ends", () => "\n".repeat(100_000_000)],
    ["100 MB behind a good first line", () => header + "x".repeat(100_000_000)],
    ["only a first line", () => header],
    ["a first line and a last one", () => header + end],
    ["lists in lists in the first line", () => `${"[".repeat(1_000)}\n`],
  ])("%s", async (_, make) => {
    expect(await refusal(make() as string)).toBe("RUN_FILE_INVALID");
  });

  test("a newer format is reported, and so are formats that do not exist", async () => {
    const withVersion = (version: unknown): string =>
      forge((lines) => (lines[0] = JSON.stringify({ format: RUN_FILE_FORMAT, version, run })));
    expect(await refusal(withVersion(2))).toBe("SCHEMA_VERSION_UNSUPPORTED");
    for (const version of [0, -1, 1.5, "1", null, true, [1], {}]) expect(await refusal(withVersion(version))).toBe("RUN_FILE_INVALID");
  });
});

describe("a file that vouches for itself is refused where it", () => {
  test.each<[string, () => string]>([
    ["names another run", () => forge((lines) => (lines[0] = lines[0]!.replace(run, "run_other")))],
    [
      "has an id that leads elsewhere",
      () => forge((lines) => lines.forEach((line, i) => (lines[i] = line.replaceAll(run, "../../etc/passwd")))),
    ],
    ["has an id that is a prototype", () => forge((lines) => lines.forEach((line, i) => (lines[i] = line.replaceAll(run, "__proto__"))))],
    ["has a journal that is too short", () => forge((lines) => lines.pop())],
    ["has a journal that is too long", () => forge((lines) => lines.push(lines.at(-1)!))],
    ["counts no entries", () => forgeLine("entries", (line) => (line["entries"] = 0))],
    ["counts entries with a fraction", () => forgeLine("entries", (line) => (line["entries"] = 2.5))],
    ["counts more entries than there can be", () => forgeLine("entries", (line) => (line["entries"] = 1e15))],
    ["has a secret that all its texts hold", () => forgeLine("secrets", (line) => (line["secrets"] = { length: 5 }))],
    ["names a base that is none", () => forgeLine("entries", (line) => (line["base"] = 7))],
    ["lacks a definition", () => forge((lines) => lines.splice(1, 1))],
    [
      "has another definition under the hash",
      () =>
        forgeLine("definition", (line) => (line["text"] = String(line["text"]).replace("EchoBlock", "Shell").replace("GetInput", "Shell"))),
    ],
    ["has a definition that is no JSON", () => forgeLine("definition", (line) => (line["text"] = "{"))],
    ["has a definition that is too deep", () => forgeLine("definition", (line) => (line["text"] = "[".repeat(100_000)))],
    ["has an instant beyond all time", () => forgeLine("entries", (line) => (line["createdAt"] = 1e300))],
    ["has an instant that is a text", () => forgeLine("entries", (line) => (line["createdAt"] = "now"))],
    [
      "lists checkpoints that are none",
      () => forgeLine("entries", (line) => (line["checkpoints"] = [{ kind: "wave", number: 99, createdAt: 1, entries: 1 }])),
    ],
    [
      "lists checkpoints of another kind",
      () => forgeLine("entries", (line) => (line["checkpoints"] = [{ kind: "constructor", number: 0, createdAt: 1, entries: 1 }])),
    ],
    ["lists checkpoints as an object", () => forgeLine("entries", (line) => (line["checkpoints"] = { length: 1 }))],
    ["refers to blobs that are missing", () => forgeLine("entries", (line) => (line["blobs"] = ["a".repeat(64)]))],
    ["has drafts for pauses that are none", () => forgeLine("entries", (line) => (line["drafts"] = [{ key: "draft.99", text: "x" }]))],
    ["has drafts that are other notes", () => forgeLine("entries", (line) => (line["drafts"] = [{ key: "snapshot.1", text: "x" }]))],
    ["has a secret longer than any", () => forgeLine("entries", (line) => (line["secrets"] = { key: "x".repeat(100_000) }))],
    ["has a member that no run has", () => forgeLine("entries", (line) => (line["more"] = 1))],
    [
      "names itself by what is no text",
      () => forge((lines) => (lines[0] = JSON.stringify({ ...(JSON.parse(lines[0]!) as Line), run: { toString: 1 } }))),
    ],
    ["was forked from nowhere", () => forgeLine("entries", (line) => (line["fork"] = { run: "run_x", checkpoint: "../x" }))],
    ["has a run twice", () => forge((lines) => lines.push(...lines.slice(lines.findIndex((line) => line.startsWith('{"run"')))))],
    [
      "has a run that none in it called",
      () => forge((lines) => lines.forEach((line, i) => (lines[i] = line.replace(/"block":"call"(?=\})/, '"block":"ask"')))),
    ],
    ["works for a run that is not in it", () => forgeEntry("started", (entry) => (entry["parent"] = { run: "run_x", block: "b" }))],
    ["has a blob that is not what its hash says", () => forge((lines) => lines.splice(1, 0, `{"blob":"${"a".repeat(64)}","text":"x"}`))],
    ["has a blob that is no base64", () => forge((lines) => lines.splice(1, 0, `{"blob":"${"a".repeat(64)}","base64":"*"}`))],
    ["has a line of another kind", () => forge((lines) => lines.splice(1, 0, '{"__proto__":{"run":"run_x"}}'))],
    ["has a line that is empty", () => forge((lines) => lines.splice(1, 0, ""))],
    ["has an entry of another kind", () => forgeEntry("called", (entry) => (entry["type"] = "toString"))],
    ["has an entry that is packed", () => forge((lines) => (lines[lines.length - 1] = `{"packed":"${"x".repeat(100)}"}`))],
    ["tells of a block that is not there", () => forgeEntry("called", (entry) => (entry["block"] = "stranger"))],
    ["has a step without outputs", () => forgeEntry("completed", (entry) => delete entry["outputs"])],
    ["has a start in a version that is none", () => forgeEntry("started", (entry) => (entry["version"] = -1))],
    [
      "tells of a block out of its turn",
      () => forgeEntry("called", (entry) => Object.assign(entry, { type: "completed", block: "ask", outputs: {} })),
    ],
    [
      "was handed over before it was its own",
      () => forgeEntry("called", (entry) => Object.assign(entry, { type: "arrived", ownership: 1 })),
    ],
    [
      "was handed over out of turn",
      () => forgeEntry("called", (entry) => Object.assign(entry, { type: "transferred", to: "x", ownership: 7 })),
    ],
  ])("%s", async (_, make) => {
    expect(await refusal(make())).toBe("RUN_FILE_INVALID");
  });

  test("was written in a newer version of the journal", async () => {
    expect(await refusal(forgeEntry("started", (entry) => (entry["version"] = 2)))).toBe("SCHEMA_VERSION_UNSUPPORTED");
  });

  test("is nothing but tiny lines: it is not even taken apart", async () => {
    expect(await refusal(forge((lines) => lines.push("\n".repeat(2_000_000))))).toBe("RUN_FILE_INVALID");
  });
});

test("no import leaves a trace in Object.prototype", async () => {
  const names = Reflect.ownKeys(Object.prototype).length;
  await refusal(forgeEntry("started", (entry) => (entry["inputs"] = JSON.parse('{"__proto__":{"isAdmin":true}}') as unknown)));
  expect(Reflect.ownKeys(Object.prototype).length).toBe(names);
  expect(({} as { readonly isAdmin?: unknown }).isAdmin).toBeUndefined();
});
