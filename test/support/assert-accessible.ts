import axe from "axe-core";
import { expect } from "vitest";

/** All that axe knows of WCAG 2.2 AA, and of good practice. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What colours, fonts, languages and room decide. */
const RULES_OF_LOOKS = [
  "color-contrast",
  "html-has-lang",
  "link-in-text-block",
  "scrollable-region-focusable",
  "target-size",
  "valid-lang",
];

/** Fails with every violation that axe finds in a part of the page; one that was looked at before may be looked at again for its looks alone. */
export async function assertAccessible(part: Element, what: "all" | "looks" = "all"): Promise<void> {
  // What fades in is judged as it stands in the end.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  const { violations, passes } = await axe.run(part, {
    runOnly: what === "all" ? RULES : RULES_OF_LOOKS,
    // The page around the part is the test's own.
    rules: { region: { enabled: false } },
  });
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))).toEqual([]);
  expect(passes.length).toBeGreaterThan(what === "all" ? 3 : 0);
}
