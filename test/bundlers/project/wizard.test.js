import { mkdtempSync } from "node:fs";
import { filesystemStore } from "wavepoint/store/filesystem";
import { openStore } from "wavepoint/store/open";
import { play } from "./wizard.js";

test("wizards run side by side", async () => {
  const stores = [filesystemStore(mkdtempSync("runs-")), filesystemStore(mkdtempSync("runs-")), await openStore("memory:")];
  const ended = await Promise.all(stores.map(play));
  expect(ended.map(({ outputs }) => outputs.text)).toEqual(["Dear ADA", "Dear ADA", "Dear ADA"]);
});
