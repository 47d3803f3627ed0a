import { render } from "lit-html";
import { expect, test } from "vitest";
import { checkWorkflow } from "wavepoint/yaml";
import { problemsPart } from "../../../demo/tools/problems-part.ts";

test("the place of a problem is said once, whether its message says it or not", async () => {
  for (const [text, place] of [
    ["name: w\nblocks: [\n", "Line 3, column 1"],
    ["name: w\nblocks: {}\n", "Line 2, column 9"],
  ] as const) {
    const { problems } = await checkWorkflow(text);
    const page = document.createElement("div");
    render(problemsPart({ problems, goTo: () => {}, mend: () => {} }), page);
    const [item, ...others] = page.querySelectorAll("li");
    expect(others).toEqual([]);
    expect(item!.textContent!.split(place)).toHaveLength(2);
    expect(item!.querySelector("button")!.textContent).toBe(place);
  }
});
