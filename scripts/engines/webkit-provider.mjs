// @ts-check
// Lets vitest run browser tests in WebKitGTK.
import { fileURLToPath } from "node:url";
import { defineBrowserProvider, parseKeyDef } from "@vitest/browser";
import { startWebKit } from "./webkit-driver.mjs";

/** @typedef {import("./webkit-driver.mjs").WebKit} WebKit */

const NAME = "webkitgtk";
/** How the protocol names keys that write nothing. */
const KEYS = new Map([
  ["Shift", "\uE008"],
  ["Control", "\uE009"],
  ["Alt", "\uE00A"],
  ["Meta", "\uE03D"],
  ["Tab", "\uE004"],
  ["Enter", "\uE007"],
  ["Escape", "\uE00C"],
  ["Backspace", "\uE003"],
  ["Delete", "\uE017"],
  ["Home", "\uE011"],
  ["End", "\uE010"],
  ["ArrowLeft", "\uE012"],
  ["ArrowUp", "\uE013"],
  ["ArrowRight", "\uE014"],
  ["ArrowDown", "\uE015"],
]);
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

class WebKitProvider {
  name = NAME;
  supportsParallelism = false;
  initScripts = [fileURLToPath(new URL("webkit-locators.mjs", import.meta.url))];
  /** @type {Promise<WebKit> | undefined} */
  #browser;
  #programs;

  /**
   * @param {import("vitest/node").TestProject} project
   * @param {import("./find-engines.mjs").WebKitPrograms} programs
   */
  constructor(project, programs) {
    this.#programs = programs;
    /** @type {Readonly<Record<string, (...values: any[]) => Promise<unknown>>>} */
    const commands = {
      __vitest_keyboard: (_context, text, { unreleased }) => this.#type(text, unreleased),
      __vitest_cleanup: async () => (await this.#inFrame()).send("DELETE", "/actions"),
      __vitest_click: (_context, selector) => this.#onElement(selector, "click"),
      __vitest_fill: async (_context, selector, text) => {
        await this.#onElement(selector, "clear");
        await this.#onElement(selector, "value", { text });
      },
    };
    for (const [name, run] of Object.entries(commands)) project.browser?.registerCommand(/** @type {any} */ (name), run);
  }

  getCommandsContext() {
    return {};
  }

  /**
   * @param {string} _session
   * @param {string} url
   */
  async openPage(_session, url) {
    this.#browser ??= startWebKit(this.#programs);
    const browser = await this.#browser;
    await browser.send("POST", "/url", { url });
  }

  async close() {
    await (await this.#browser)?.close();
  }

  /** Tests run in a frame of the page. */
  async #inFrame() {
    if (!this.#browser) throw new Error("There is no page yet.");
    const browser = await this.#browser;
    await browser.send("POST", "/frame", { id: null });
    const [frame] = await browser.send("POST", "/elements", { using: "css selector", value: "iframe[data-vitest]" });
    await browser.send("POST", "/frame", { id: frame });
    return browser;
  }

  /**
   * @param {string} selector
   * @param {string} action
   * @param {object} [body]
   */
  async #onElement(selector, action, body) {
    const browser = await this.#inFrame();
    const { [ELEMENT]: id } = await browser.send("POST", "/element", { using: "css selector", value: selector });
    await browser.send("POST", `/element/${id}/${action}`, body);
  }

  /**
   * @param {string} text As user-event writes it: `{Tab}Ada{Shift>}b{/Shift}`.
   * @param {readonly string[]} before Keys that are down.
   */
  async #type(text, before) {
    const browser = await this.#inFrame();
    const pressed = new Set(before);
    const actions = parseKeyDef(text).flatMap(({ releasePrevious, releaseSelf, repeat, keyDef: { key } }) => {
      const value = KEYS.get(key ?? "") ?? key;
      const up = { type: "keyUp", value };
      const first = pressed.delete(key ?? "") ? [up] : [];
      if (releasePrevious) return first;
      const presses = Array.from({ length: repeat }, (_, at) => [{ type: "keyDown", value }, ...(at < repeat - 1 ? [up] : [])]).flat();
      if (!releaseSelf) pressed.add(key ?? "");
      return [...first, ...presses, ...(releaseSelf ? [up] : [])];
    });
    await browser.send("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    return { unreleased: [...pressed] };
  }
}

/** @param {import("./find-engines.mjs").WebKitPrograms} programs */
export function webKitProvider(programs) {
  return defineBrowserProvider({
    name: NAME,
    supportedBrowser: ["webkit"],
    options: programs,
    providerFactory: (project) => new WebKitProvider(project, programs),
  });
}
