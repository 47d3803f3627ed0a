// Runs in the page of tests: finds elements by selectors that WebDriver takes.
import { convertElementToCssSelector, Locator } from "@vitest/browser/locators";
import { page } from "vitest/browser";

class ElementLocator extends Locator {
  constructor(element) {
    super();
    this.selector = convertElementToCssSelector(element);
  }
}

page.extend({ elementLocator: (element) => new ElementLocator(element) });
