import { filesystemStore } from "../../src/store/filesystem.ts";
import { writeGroups } from "./groups.ts";

// A process of its own that writes to one run as fast as it can.
const [directory, commits] = process.argv.slice(2) as [string, string];
const store = filesystemStore(directory);
await writeGroups(store, Number(commits));
await store.close();
