// @ts-check
// Finds out where links lead on the site.
import { posix } from "node:path";
import { anchorOf } from "./anchors.mjs";
import { relativeTo } from "./frame.mjs";

/** The demo stands one folder above the site. */
export const DEMO = "../index.html";

/**
 * Finds out where the links of a document lead on the site.
 * @param {string} source
 * @param {string} path
 * @param {ReadonlyMap<string, string>} paths
 * @returns {(href: string) => string | undefined}
 */
export function linksFrom(source, path, paths) {
  const folder = source.endsWith(".md") ? posix.dirname(source) : source;
  return (href) => {
    if (/^[a-z]+:/.test(href)) return href;
    const [file = "", hash] = href.split("#");
    const target = file === "" ? source : posix.join(folder, file).replace(/\/$/, "");
    const [place, anchor = hash] = addressOfSource(target, paths)?.split("#") ?? [];
    return place === undefined ? undefined : toAddress(`${place}#${anchor ?? ""}`, path);
  };
}

/**
 * @param {string | undefined} place
 * @param {string} from
 */
export function toAddress(place, from) {
  if (place === undefined) return undefined;
  const [path = "", anchor = ""] = place.split("#");
  const hash = anchor === "" ? "" : `#${anchor}`;
  return path === from ? hash || "#content" : relativeTo(from, path) + hash;
}

/**
 * Where a file of the project stands on the site, if it does.
 * @param {string} target
 * @param {ReadonlyMap<string, string>} paths
 */
function addressOfSource(target, paths) {
  if (target === "demo") return DEMO;
  const own = paths.get(target) ?? paths.get(`${target}/README.md`) ?? paths.get(target.replace(/\/README\.md$/, ""));
  if (own !== undefined) return own;
  const [, folder, file] = /^(examples\/[^/]+)\/(.+)$/.exec(target) ?? [];
  const page = folder === undefined ? undefined : paths.get(folder);
  return page === undefined || file === undefined ? undefined : `${page}#${anchorOf(file)}`;
}
