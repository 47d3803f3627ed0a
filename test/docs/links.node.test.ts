import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";
import { readDocuments } from "./documents.ts";

const documents = readDocuments();
const links = documents.flatMap(({ path, text }) =>
  [...withoutExamples(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({ path, target: target! })),
);
const local = links.filter(({ target }) => !/^[a-z]+:/.test(target));

function withoutExamples(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** What a link leads to, without the heading. */
function placeOf(path: string, target: string): string {
  const [file = ""] = target.split("#");
  return file === "" ? path : posix.join(posix.dirname(path), file);
}

/** The names that headings can be linked by. */
function anchorsOf(text: string): readonly string[] {
  return [...withoutExamples(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("there are links", () => {
  expect(local.length).toBeGreaterThan(15);
  expect(documents.length).toBeGreaterThan(5);
});

test("every link inside the project leads somewhere", () => {
  const broken = local.filter(({ path, target }) => {
    const [, anchor] = target.split("#");
    const place = placeOf(path, target);
    if (!existsSync(`${ROOT}${place}`)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(`${ROOT}${place}`, "utf8")).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test("every document is reached from the README", () => {
  const reached = new Set(["README.md"]);
  // A set may grow while it is walked: what is added is visited too.
  for (const place of reached) {
    for (const { path, target } of local) {
      if (path === place) reached.add(placeOf(path, target));
    }
  }
  expect(documents.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});
