import axe from "axe-core";
import { expect } from "vitest";

/** All that axe knows of WCAG 2.2 AA, and of good practice. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with every violation that axe finds in a part of the page. */
export async function assertAccessible(part: Element): Promise<void> {
  // What fades in is judged as it stands in the end.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  const { violations, passes } = await axe.run(part, {
    runOnly: RULES,
    // Of what passes, one element a rule is enough to tell.
    resultTypes: ["violations"],
    // The page around the part is the test's own.
    rules: { region: { enabled: false } },
  });
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))).toEqual([]);
  expect(passes.length).toBeGreaterThan(3);
}
