import { openPage } from "../harness/chromium-page.mjs";
import { divide, STOPPED } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { PAYLOAD_BYTES } from "../subjects/payload.mjs";

/** The lengths that the README shows. */
const SHOWN = [1_000, 100_000];
const LONGEST_XSTATE = 1_000;
const WIDTH = 1_000;
const FEW = 1_000;
const MANY = 100_000;
const KILOBYTE = 1_000;
/** The bodies of twenty checkpoints; their rows take a fraction of it. */
const BODY_BYTES = 20 * PAYLOAD_BYTES;

/** The durable rows once more, in a real Chromium. */
export async function measure({ sizes, samples, stretch }) {
  const page = await openPage();
  try {
    return [
      ...(await steps(page, { sizes, samples, stretch })),
      ...(await together(page, samples)),
      ...(await bytes(page, sizes)),
      ...(await list(page, samples)),
    ];
  } finally {
    await page.close();
  }
}

async function steps(page, { sizes, samples, stretch }) {
  const lines = [];
  for (const durability of ["strict", "relaxed"]) {
    for (const prefix of sizes) {
      const withPeer = prefix <= LONGEST_XSTATE;
      const times = await page.measure("measureSteps", { prefix, samples, stretch, durability, withPeer });
      lines.push(
        line({
          what: `durable step of 1 kB, IndexedDB, ${durability}, after ${prefix.toLocaleString("en")} steps`,
          unit: "ms",
          ours: divide(times.ours, stretch),
          reference: divide(times.raw, stretch),
          referenceName: "one put in one transaction",
          peer: withPeer ? divide(times.xstate, stretch) : STOPPED,
          bar: "≤ 1.2 × raw",
          met: ({ reference }) => reference <= 1.2,
          readme: SHOWN.includes(prefix),
        }),
      );
    }
  }
  return lines;
}

async function together(page, samples) {
  const lines = [];
  for (const durability of ["strict", "relaxed"]) {
    const times = await page.measure("measureTogether", { width: WIDTH, samples, durability });
    lines.push(
      line({
        what: `${WIDTH.toLocaleString("en")} steps of 1 kB that finish together, IndexedDB, ${durability}`,
        unit: "ms",
        ours: times.ours,
        reference: times.raw,
        referenceName: "1,000 puts in one transaction",
        peer: times.xstate,
        bar: "≤ 1.5 × raw",
        met: ({ reference }) => reference <= 1.5,
        readme: durability === "strict",
        note: "XState saves once, at the end",
      }),
    );
  }
  return lines;
}

async function bytes(page, sizes) {
  const lines = [];
  for (const steps of sizes.filter((size) => size <= LONGEST_XSTATE)) {
    const { all, definition } = await page.measure("measureBytes", { steps });
    const stored = (all - definition) / KILOBYTE;
    const whole = (steps * PAYLOAD_BYTES) / KILOBYTE;
    lines.push(
      line({
        what: `stored bytes, IndexedDB, ${steps.toLocaleString("en")} steps of 1 kB`,
        unit: "kB",
        ours: { median: stored, min: stored, samples: 1 },
        reference: { median: whole, min: whole, samples: 1 },
        referenceName: "payload",
        bar: "≤ 1.15 × payload",
        met: ({ reference }) => reference <= 1.15,
        readme: steps === SHOWN[0],
        note: `keys and values of all records, counted as JSON; beside the definition, ${(definition / KILOBYTE).toFixed(1)} kB, which is kept once for all runs`,
      }),
    );
  }
  return lines;
}

async function list(page, samples) {
  const { times, read } = await page.measure("measureList", { few: FEW, many: MANY, samples });
  return [
    ["cold", "newly opened"],
    ["warm", "opened before"],
  ].map(([kind, state]) =>
    line({
      what: `newest 20 of ${MANY.toLocaleString("en")} checkpoints, IndexedDB, ${state}`,
      unit: "ms",
      ours: times[`${kind} many`],
      reference: times[`${kind} few`],
      referenceName: `of ${FEW.toLocaleString("en")}`,
      bar: "reads no checkpoint body",
      met: () => read < BODY_BYTES,
      note: `reads ${(read / KILOBYTE).toFixed(1)} kB; 20 bodies are ${BODY_BYTES / KILOBYTE} kB`,
    }),
  );
}
