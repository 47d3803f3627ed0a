// A worker that writes a file of the browser, reads it back and tells what it found.
import { opfsFiles } from "wavepoint/browser";
import { read, write } from "../../support/file-attempt.ts";

const files = opfsFiles({ folder: "worker" });
const outcomes = [
  await write(files, "from-a-worker", "hello"),
  await write(files, "from-a-worker", "again"),
  await read(files, "from-a-worker"),
];
postMessage(outcomes);
