import type { Disk } from "../../../src/core/ports/disk.ts";
import { realDisk } from "../../../src/store/filesystem/real-disk.ts";

/** The disk of this machine for tests in which its power stays on: syncs take no time. */
export const unsyncedDisk: Disk = { ...realDisk, sync: async () => {}, syncDirectory: async () => {} };
