import { afterEach, describe, expect, inject, test } from "vitest";
import { page } from "vitest/browser";
import { applyTheme, en, plain, type Messages, type Theme } from "wavepoint/elements";
import { ar } from "wavepoint/elements/ar";
import { compact } from "wavepoint/elements/compact";
import { de } from "wavepoint/elements/de";
import { gov } from "wavepoint/elements/gov";
import { assertAccessible } from "../../support/assert-accessible.ts";
import { ELEMENT_STATES, showState } from "../../support/element-states.ts";

/** How a page may look: theme, colours, language, and a width. 320 pixels are what is left of 1,280 at 400 %. */
const PAGES: readonly (readonly [theme: Partial<Theme>, scheme: string, messages: Messages, width: number])[] = [
  [plain, "light", en, 320],
  [gov, "dark", de, 320],
  [compact, "light", ar, 768],
];

afterEach(async () => {
  applyTheme({});
  for (const name of ["style", "dir", "lang"]) document.documentElement.removeAttribute(name);
  document.body.removeAttribute("style");
  await page.viewport(414, 896);
});

declare module "vitest" {
  interface ProvidedContext {
    readonly isLong: boolean;
  }
}

describe.each(ELEMENT_STATES.map(({ name }, i) => [name, i] as const))("%s", (name, i) => {
  // Axe looks at each state in one of the themes, in turns; in the long tier in every one.
  test("is without violation in its theme, and needs no sideways scroll in any", async () => {
    await page.viewport(320, 900);
    const place = await showState(name, en);
    const elements = [...place.querySelectorAll<HTMLElement & { messages: Messages }>("wavepoint-run, wavepoint-history, wavepoint-waves")];
    expect(elements.length).toBeGreaterThan(0);
    for (const [at, [theme, scheme, messages, width]] of PAGES.entries()) {
      applyTheme(theme);
      document.documentElement.lang = messages.lang;
      document.documentElement.dir = messages.lang === "ar" ? "rtl" : "ltr";
      document.documentElement.style.colorScheme = scheme;
      document.body.style.background = "Canvas";
      for (const element of elements) element.messages = messages;
      await page.viewport(width, 900);
      if (inject("isLong") || at === i % PAGES.length) await assertAccessible(place);
      expect(document.documentElement.scrollWidth, messages.lang).toBeLessThanOrEqual(width);
      expectOrderSeen(place);
      if (theme !== compact) expectLargeTargets(place);
    }
  });

  test("gives a screen reader what is written down", async () => {
    const place = await showState(name, en);
    forgetInstants(place);
    expect(place).toMatchAriaSnapshot();
  });
});

const INSTANT = /(?:[A-Z][a-z]+ \d{1,2}, \d{4} at )?\d{1,2}:\d\d(?::\d\d)?\s[AP]M/g;

/** Instants and durations are others in each run of the test. */
function forgetInstants(place: HTMLElement): void {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    texts.currentNode.nodeValue = texts.currentNode.nodeValue!.replaceAll(INSTANT, "(an instant)").replaceAll(/\d+ ms/g, "(a while)");
  // So are the ids of elements, which count all that were drawn before.
  for (const link of place.querySelectorAll('a[href^="#wavepoint-"]'))
    link.setAttribute("href", link.getAttribute("href")!.replace(/\d+/, "0"));
  for (const named of place.querySelectorAll("[aria-label]")) named.ariaLabel = named.ariaLabel!.replaceAll(INSTANT, "(an instant)");
}

/** Tab goes through buttons that belong together in the order in which they are read: line by line, from where lines begin. */
function expectOrderSeen(place: HTMLElement): void {
  const isRtl = document.documentElement.dir === "rtl";
  for (const group of place.querySelectorAll("[part~=buttons]")) {
    const buttons = [...group.querySelectorAll("button")];
    const seen = buttons.toSorted((one, other) => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      if (a.bottom <= b.top || b.bottom <= a.top) return a.top - b.top;
      return isRtl ? b.right - a.right : a.left - b.left;
    });
    expect(
      buttons.map((button) => button.textContent),
      document.documentElement.lang,
    ).toEqual(seen.map((button) => button.textContent));
  }
}

function expectLargeTargets(place: HTMLElement): void {
  for (const target of place.querySelectorAll<HTMLElement>("button, summary, [part~=option], [part~=control]")) {
    if (target.offsetParent) expect(Math.min(target.offsetHeight, target.offsetWidth), target.outerHTML).toBeGreaterThanOrEqual(44);
  }
}
