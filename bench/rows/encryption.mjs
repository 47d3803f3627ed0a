import { webcrypto } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encryptedStore } from "../../dist/encryption.js";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { divide, interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { openWalk } from "../subjects/ours.mjs";
import { payload } from "../subjects/payload.mjs";
import { appendFile } from "../subjects/raw-file.mjs";
import { answerWaiting, leaveWaiting, longChain } from "../subjects/waiting.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";

const STEPS = 1_000;
const WARMUPS = 2;
const NONCE_BYTES = 12;
const SECRET = webcrypto.getRandomValues(new Uint8Array(32));
const KEY = await webcrypto.subtle.importKey("raw", SECRET, "AES-GCM", false, ["encrypt", "decrypt"]);

const seal = (store) => encryptedStore(store, { key: SECRET });

/** What it costs that a store can be read by nobody without the key: for a step, and to go on with a run. */
export async function measure({ samples, stretch }) {
  return [...(await steps(samples, stretch)), ...(await resumes(samples))];
}

async function steps(samples, length) {
  const subjects = await Promise.all([
    walk("memory plain", { open: memoryStore, samples, length }),
    walk("memory sealed", { open: () => seal(memoryStore()), samples, length }),
    { name: "memory raw", run: () => repeat(length, (index) => sealRaw(recordOf(index))) },
    inDirectory((directory) => walk("file plain", { open: () => filesystemStore(directory), samples, length })),
    inDirectory((directory) => walk("file sealed", { open: () => seal(filesystemStore(directory)), samples, length })),
    inDirectory((directory) => rawSteps(directory, length)),
  ]);
  const times = await interleave(subjects, { samples, warmups: WARMUPS });
  for (const { close } of subjects) await close?.();
  return [
    ["memory", "memory store", "AES-GCM"],
    ["file", "filesystem", "AES-GCM, append + fdatasync"],
  ].flatMap(([kind, where, limit]) =>
    against(`durable step of 1 kB, encrypted, ${where}, \`sync\``, {
      ours: divide(times[`${kind} sealed`], length),
      raw: divide(times[`${kind} raw`], length),
      plain: divide(times[`${kind} plain`], length),
      limit,
    }),
  );
}

async function resumes(samples) {
  const workflow = longChain(STEPS, samples + WARMUPS + 1);
  const subjects = await Promise.all([
    inDirectory((directory) => waiting("plain", workflow, () => filesystemStore(directory))),
    inDirectory((directory) => waiting("sealed", workflow, () => seal(filesystemStore(directory)))),
    inDirectory(rawResume),
  ]);
  const times = await interleave(subjects, { samples, warmups: WARMUPS });
  for (const { close } of subjects) await close();
  return against(`resume → next step, encrypted, filesystem, a chain that waits after ${STEPS.toLocaleString("en")} steps`, {
    ours: times.sealed,
    raw: times.raw,
    plain: times.plain,
    limit: "read, AES-GCM, parse, append + fdatasync",
  });
}

/** One line against the least that must be done, one against the same without encryption. */
function against(what, { ours, raw, plain, limit }) {
  return [
    line({ what, unit: "ms", ours, reference: raw, referenceName: limit }),
    line({ what: "the same, against no encryption", unit: "ms", ours, reference: plain, referenceName: "Wavepoint, plain" }),
  ];
}

/** Gives a subject a directory of its own, which goes with it. */
async function inDirectory(make) {
  const directory = newDirectory("encryption");
  const subject = await make(directory);
  return {
    ...subject,
    async close() {
      await subject.close?.();
      removeDirectory(directory);
    },
  };
}

async function walk(name, { open, samples, length }) {
  const steps = { prefix: 0, stretches: samples + WARMUPS, length, durability: "sync" };
  const { walk: run, close } = await openWalk(await open(), steps);
  return { name, run, close };
}

async function waiting(name, workflow, open) {
  const first = await open();
  const left = await leaveWaiting(first, workflow);
  await first.close();
  return {
    name,
    async run() {
      const store = await open();
      const took = await answerWaiting(store, left);
      await store.close();
      return took;
    },
  };
}

async function rawSteps(directory, length) {
  const file = appendFile(join(directory, "journal"));
  return {
    name: "file raw",
    run: () => repeat(length, async (index) => file.append(await sealRaw(recordOf(index)))),
    close: () => file.close(),
  };
}

async function rawResume(directory) {
  const path = join(directory, "state");
  const outputs = Array.from({ length: STEPS }, (_, index) => [`step_${index}`, { ok: true }]);
  writeFileSync(path, await sealRaw(JSON.stringify(outputs)));
  const file = appendFile(join(directory, "answers"));
  return {
    name: "raw",
    async run() {
      const sealed = readFileSync(path);
      const iv = sealed.subarray(0, NONCE_BYTES);
      const plain = await webcrypto.subtle.decrypt({ name: "AES-GCM", iv }, KEY, sealed.subarray(NONCE_BYTES));
      JSON.parse(Buffer.from(plain).toString());
      await file.append(await sealRaw(`{"answer":"go"}\n`));
    },
    close: () => file.close(),
  };
}

async function repeat(times, action) {
  for (let i = 0; i < times; i++) await action(i);
}

const recordOf = (index) => JSON.stringify({ step: index, outputs: { data: payload(index) } });

/** A nonce and what AES-GCM gives: the least that an encrypted record is. */
async function sealRaw(text) {
  const iv = webcrypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await webcrypto.subtle.encrypt({ name: "AES-GCM", iv }, KEY, Buffer.from(text));
  return Buffer.concat([iv, new Uint8Array(sealed)]);
}
