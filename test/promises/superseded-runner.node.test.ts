import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunHead, Store } from "wavepoint";
import { nextHead, runWriter } from "../../src/testing/conformance/writer.ts";
import type { Disk } from "../../src/core/ports/disk.ts";
import { realDisk } from "../../src/store/filesystem/real-disk.ts";
import { runFolder, type RunFolder } from "../../src/store/filesystem/run-folder.ts";
import { directoryPlace } from "./directory-place.ts";

const RUN = "run_a";

let place: ReturnType<typeof directoryPlace>;
beforeEach(() => {
  place = directoryPlace();
  for (const name of ["runs", "temp"]) mkdirSync(join(place.directory, name));
});
afterEach(() => place.remove());

/** The view that one process has of the run. */
function process(name: string, disk: Disk = realDisk): RunFolder & { readonly store: Store } {
  let temporaries = 0;
  const file = runFolder({
    run: RUN,
    directory: join(place.directory, "runs", `${RUN}=`),
    disk,
    temporary: () => join(place.directory, "temp", `${name}.${(temporaries += 1)}`),
    warn: () => {},
    noting: () => {},
    noted: () => {},
    syncAbove: async () => {},
  });
  return Object.assign(file, { store: file as unknown as Store });
}

/** A disk on which something happens once, right before or after bytes are written. */
function interrupted(when: "before" | "after") {
  let interrupt: (() => void) | undefined;
  const strike = (moment: typeof when): void => {
    if (moment !== when) return;
    const act = interrupt;
    interrupt = undefined;
    act?.();
  };
  const disk: Disk = {
    ...realDisk,
    write(file, bytes, offset, position) {
      strike("before");
      const written = realDisk.write(file, bytes, offset, position);
      strike("after");
      return written;
    },
  };
  return { disk, next: (act: () => void) => void (interrupt = act) };
}

test("D8: who loses the run between the look and the write is refused, and leaves no trace", async () => {
  const { disk, next } = interrupted("before");
  const [mine, theirs] = [process("mine", disk), process("theirs")];
  const writer = runWriter(mine.store, RUN);
  await writer.commit(["first"]);
  let taken: Promise<void> | undefined;
  next(() => (taken = runWriter(theirs.store, RUN, writer.head).commit(["theirs"])));
  await expect(writer.commit(["mine"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
  await taken;
  for (const file of [mine, theirs, process("onlooker")]) expect(await file.read({ from: 0, to: 9 })).toEqual(["first", "theirs"]);
});

test("D8: who loses the run right after the write has written, and the other one goes on from there", async () => {
  const { disk, next } = interrupted("after");
  const [mine, theirs] = [process("mine", disk), process("theirs")];
  const writer = runWriter(mine.store, RUN);
  await writer.commit(["first"]);
  const seen: RunHead = nextHead(RUN, writer.head, 1);
  let taken: Promise<void> | undefined;
  next(() => (taken = runWriter(theirs.store, RUN, seen).commit(["theirs"])));
  await writer.commit(["mine"]);
  await taken;
  for (const file of [mine, theirs, process("onlooker")]) expect(await file.read({ from: 0, to: 9 })).toEqual(["first", "mine", "theirs"]);
});
