// @ts-check
// Lets vitest run browser tests in an installed Firefox.
import { playwright } from "@vitest/browser-playwright";

/** @param {string} executablePath */
export function firefoxProvider(executablePath) {
  // Installed Firefoxes speak WebDriver BiDi, which this channel is for.
  const provider = playwright({ launchOptions: { executablePath, channel: "moz-firefox" } });
  return {
    ...provider,
    /** @param {import("vitest/node").TestProject} project */
    providerFactory(project) {
      const made = provider.providerFactory(project);
      project.browser?.registerCommand(/** @type {any} */ ("__vitest_click"), /** @type {any} */ (clickInFrame));
      const contextOf = made.getCommandsContext.bind(made);
      made.getCommandsContext = (session) => {
        const context = /** @type {{ page: import("playwright").Page }} */ (contextOf(session));
        return { ...context, frame: () => findFrame(context.page) };
      };
      return made;
    },
  };
}

/**
 * The frame that tests run in, by its element: the driver asks a frame for its name once, and under load sometimes before it has one.
 * @param {import("playwright").Page} page
 */
async function findFrame(page) {
  const element = await page.waitForSelector("iframe[data-vitest]", { state: "attached" });
  return element.contentFrame();
}

/**
 * A click of the mouse where the element is: the driver finds no place of elements in frames, and would wait for one.
 * @param {import("vitest/node").BrowserCommandContext} context
 * @param {string} selector
 */
async function clickInFrame(context, selector) {
  const element = context.iframe.locator(selector);
  await element.evaluate((found) => found.scrollIntoView({ block: "center" }));
  const inner = await element.evaluate((found) => {
    const { x, y, width, height } = found.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  const frame = await context.page.evaluate(() => {
    const found = document.querySelector("iframe[data-vitest]");
    const { x = 0, y = 0, width = 1 } = found?.getBoundingClientRect() ?? {};
    return { x, y, scale: width / (found instanceof HTMLElement ? found.offsetWidth : width) };
  });
  await context.page.mouse.click(frame.x + inner.x * frame.scale, frame.y + inner.y * frame.scale);
}
