// Runs in the page of tests: finds elements by selectors that WebDriver takes.
import { Locator } from "@vitest/browser/locators";
import { page } from "vitest/browser";

const MARK = "data-webdriver";
let marked = 0;

class ElementLocator extends Locator {
  constructor(element) {
    super();
    this.target = element;
    if (!element.hasAttribute(MARK)) element.setAttribute(MARK, (marked += 1));
    this.selector = `[${MARK}="${element.getAttribute(MARK)}"]`;
  }

  /** The protocol takes paths of files only. */
  async upload(files) {
    const transfer = new DataTransfer();
    for (const file of [files].flat()) transfer.items.add(file);
    this.target.files = transfer.files;
    for (const type of ["input", "change"]) this.target.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

page.extend({ elementLocator: (element) => new ElementLocator(element) });
