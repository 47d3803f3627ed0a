import { spawnSync } from "node:child_process";
import { buildOnce, type Built } from "../support/build-once.ts";
import { ROOT } from "./source-files.ts";

/** What users install, as `npm run build` makes it, apart from `dist` so that a test neither needs nor changes that. */
export function buildCopy(): Built {
  return buildOnce("package", (folder) => {
    const build = spawnSync(process.execPath, [`${ROOT}scripts/build.mjs`, folder], { encoding: "utf8" });
    if (build.status !== 0) throw new Error(`The package could not be built:\n${build.stdout}${build.stderr}`);
  });
}
