import { describe, expect, test } from "vitest";
import type { Block, Workflow } from "wavepoint";
import { graphSvg } from "wavepoint/graph";
import { hostile, release } from "./release.ts";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The boxes of blocks by their labels; the frames of waves have no outline. */
function boxesOf(svg: string): ReadonlyMap<string, Box> {
  const found = [
    ...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="9".+?font-weight="600">(.+?)<\/text>/g),
  ];
  return new Map(
    found.map(([, x, y, width, height, id]) => [id!, { x: Number(x), y: Number(y), width: Number(width), height: Number(height) }]),
  );
}

/** The horizontal pieces of the edges. */
function levelsOf(svg: string): readonly { readonly y: number; readonly from: number; readonly to: number }[] {
  const levels: { y: number; from: number; to: number }[] = [];
  const group = /<g data-edges="".*?<\/g>/s.exec(svg)![0];
  let at = { x: 0, y: 0 };
  for (const [, command, numbers] of group.replaceAll(/<path.*?d="/g, "").matchAll(/([MLC])([\d. -]+)/g)) {
    const given = numbers!.trim().split(" ").map(Number);
    const to = { x: given.at(-2)!, y: given.at(-1)! };
    if (command === "L") levels.push({ y: to.y, from: at.x, to: to.x });
    at = to;
  }
  return levels;
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Blocks of equal waves; each depends on one block of the wave before and on two of any wave before. */
function tangled(count: number, perWave: number): Workflow {
  const scatter = (i: number, factor: number, below: number) => (i * factor) % below;
  const blocks = Array.from({ length: count }, (_, i): Block => {
    const before = Math.floor(i / perWave) * perWave;
    if (before === 0) return { id: `b${i}`, type: "EchoBlock" };
    const needed = new Set([before - 1 - scatter(i, 7, perWave), scatter(i, 7_919, before), scatter(i, 104_729, before)]);
    return { id: `b${i}`, type: "EchoBlock", dependsOn: [...needed].map((number) => `b${number}`) };
  });
  return { name: "tangled", blocks };
}

describe("a picture of a workflow", () => {
  const svg = graphSvg(release);
  const boxes = boxesOf(svg);

  test("shows waves as columns, from left to right", () => {
    const left = (id: string) => boxes.get(id)!.x;
    expect(left("build")).toBe(left("ask"));
    expect(left("build")).toBeLessThan(left("tests"));
    expect(left("tests")).toBeLessThan(left("publish"));
    expect(svg.match(/>Wave \d</g)).toEqual([">Wave 1<", ">Wave 2<", ">Wave 3<"]);
  });

  test("marks what is not always taken, what has a condition, and what runs for each item", () => {
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(1);
    expect(svg).toContain("◆ under a condition · stacked: once for each item · dashed: optional path");
    expect(svg).toContain("<title>tests (Shell)\nif ${inputs.tested}\nfor each of [&#34;unit&#34;,&#34;whole&#34;]</title>");
  });

  test("tells those who do not see it what it shows", () => {
    expect(svg).toMatch(/^<svg [^>]*role="img"/);
    expect(svg).toContain("<title>release</title>");
    expect(svg).toContain("<desc>Builds &#38; publishes. 4 blocks in 3 waves: build, ask; tests; publish</desc>");
  });

  test("explains only what it shows", () => {
    expect(graphSvg({ name: "plain", blocks: [{ id: "a", type: "EchoBlock" }] })).toContain(">1 block in 1 wave</text>");
  });
});

describe("what a workflow says", () => {
  test("stays text: no element, style, script, address or character that XML forbids", () => {
    const svg = graphSvg(hostile);
    expect([...svg.matchAll(/<([a-z]+)/gi)].map(([, name]) => name).toSorted()).toEqual(
      ["desc", "g", "g", "g", "path", "rect", "rect", "svg", "text", "text", "text", "text", "text", "title", "title"].toSorted(),
    );
    const attributes = [...svg.matchAll(/<[a-z]+([^>]*)>/g)].flatMap(([, tag]) =>
      [...tag!.matchAll(/ ([\w-]+)="/g)].map(([, name]) => name!),
    );
    expect(attributes.length).toBeGreaterThan(30);
    expect(attributes.filter((name) => /^on|style|href|src|class|^id$/.test(name))).toEqual([]);
    expect(svg).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ud800]/);
  });

  test("cuts what is too long for a box and says all of it in the tooltip", () => {
    const id = "a".repeat(128);
    const svg = graphSvg({ name: "long", blocks: [{ id, type: "EchoBlock" }] });
    expect(svg).toContain(`>${"a".repeat(27)}…</text>`);
    expect(svg).toContain(`<title>${id} (EchoBlock)</title>`);
    expect([...boxesOf(svg).values()][0]!.width).toBeLessThan(300);
  });
});

describe("a large workflow", () => {
  test.each([
    ["many waves", tangled(200, 12)],
    ["many blocks in a wave", tangled(200, 90)],
  ])("of %s has no box on another, and no edge through a box", (_, workflow) => {
    const svg = graphSvg(workflow);
    const boxes = [...boxesOf(svg).values()];
    expect(boxes).toHaveLength(200);
    expect(boxes.some((box, i) => boxes.slice(i + 1).some((other) => overlaps(box, other)))).toBe(false);
    const levels = levelsOf(svg);
    expect(levels.length).toBeGreaterThan(50);
    const through = levels.filter(({ y, from, to }) =>
      boxes.some((box) => overlaps(box, { x: from + 1, y: y - 0.5, width: to - from - 2, height: 1 })),
    );
    expect(through).toEqual([]);
  });

  test("of one wave is not drawn as one endless column", () => {
    const blocks = Array.from({ length: 1_000 }, (_, i) => ({ id: `b${i}`, type: "EchoBlock" }));
    const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(graphSvg({ name: "one", blocks }))!;
    expect(Number(width) / Number(height)).toBeLessThan(4);
    expect(Number(height) / Number(width)).toBeLessThan(4);
  });

  test("of thousands of blocks is drawn, in every shape", () => {
    for (const perWave of [1, 50, 2_500]) expect(boxesOf(graphSvg(tangled(5_000, perWave))).size).toBe(5_000);
  });
});
