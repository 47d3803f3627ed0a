import axe from "axe-core";
import { expect } from "vitest";

/** Fails with every violation of WCAG 2.2 AA, and of good practice, that axe finds in a part of the page. */
export async function assertAccessible(part: Element): Promise<void> {
  const { violations, passes } = await axe.run(part, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    // The page around the part is the test's own.
    rules: { region: { enabled: false } },
  });
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))).toEqual([]);
  expect(passes.length).toBeGreaterThan(3);
}
