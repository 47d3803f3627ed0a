import { join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { directoryBytes, newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { divide, interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { openWalk } from "../subjects/ours.mjs";
import { noise, prose, TEXT_BYTES } from "../subjects/payload.mjs";
import { appendFile } from "../subjects/raw-file.mjs";

const WARMUPS = 2;
/** Steps of 100 kB in one sample. */
const LENGTH = 20;
const KILOBYTE = 1_000;
const deflate = promisify(deflateRaw);

/** Steps whose output is a text of 100 kB: what it costs to store less than that, and how much less it is. */
export async function measure({ samples }) {
  const stretches = samples + WARMUPS;
  const subjects = await Promise.all([
    ours("prose", { type: "Prose", stretches }),
    ours("noise", { type: "Noise", stretches }),
    raw("plain", async (index) => prose(index)),
    raw("deflated", async (index) => (await deflate(prose(index))).toString("base64")),
    raw("plain noise", async (index) => noise(index)),
  ]);
  const times = await interleave(subjects, { samples, warmups: WARMUPS });
  const bytes = Object.fromEntries(subjects.map(({ name, bytesOf }) => [name, bytesOf()]));
  for (const { close } of subjects) await close();
  const time = (name) => divide(times[name], LENGTH);
  const size = (name) => {
    const each = bytes[name] / (LENGTH * stretches) / KILOBYTE;
    return { median: each, min: each, samples: 1 };
  };
  const what = "durable step of 100 kB";
  const rest = "filesystem, `sync`";
  return [
    line({
      what: `${what}, prose, ${rest}`,
      unit: "ms",
      ours: time("prose"),
      reference: time("deflated"),
      referenceName: "deflate, append + fdatasync",
    }),
    line({
      what: `the same, against storing it as it is`,
      unit: "ms",
      ours: time("prose"),
      reference: time("plain"),
      referenceName: "append + fdatasync",
    }),
    line({
      what: `${what} that cannot be compressed, ${rest}`,
      unit: "ms",
      ours: time("noise"),
      reference: time("plain noise"),
      referenceName: "append + fdatasync",
    }),
    line({
      what: `stored bytes for a step of ${TEXT_BYTES / KILOBYTE} kB, prose, filesystem`,
      unit: "kB",
      ours: size("prose"),
      reference: size("deflated"),
      referenceName: "deflated, as base64",
    }),
  ];
}

async function ours(name, { type, stretches }) {
  const directory = newDirectory("ours");
  const store = filesystemStore(directory);
  const walk = await openWalk(store, { prefix: 0, stretches, length: LENGTH, durability: "sync", type });
  return {
    name,
    run: () => walk.walk(),
    bytesOf: () => directoryBytes(directory) - directoryBytes(join(directory, "blobs")),
    async close() {
      await walk.close();
      await store.close();
      removeDirectory(directory);
    },
  };
}

async function raw(name, textOf) {
  const directory = newDirectory("raw");
  const file = appendFile(join(directory, "journal"));
  let appended = 0;
  return {
    name,
    async run() {
      for (let i = 0; i < LENGTH; i++) await file.append(await textOf(appended++));
    },
    bytesOf: () => directoryBytes(directory),
    close() {
      file.close();
      removeDirectory(directory);
    },
  };
}
