import { commands } from "vitest/browser";

// What serves the sources here sends their dynamic imports through the page of the tests, which may also stand for the network,
// and learns here of errors that the page did not catch.
const FROM_TESTS = `
  __vitest_browser_runner__ = parent.__vitest_browser_runner__;
  fetch = (...request) => parent.fetch(...request);
  addEventListener("error", ({ error }) => parent.reportError(error));
  addEventListener("unhandledrejection", ({ reason }) => parent.reportError(reason));
`;

/**
 * Opens the `index.html` of a folder in a frame, in place of the page that was open. A page ends with its frame as it does with its tab:
 * nothing that it listens to or waits for goes on.
 */
export async function openPage(folder: string): Promise<Document> {
  closePage();
  const page = await commands.readFile(`./${folder}/index.html`);
  const frame = document.body.appendChild(document.createElement("iframe"));
  const opened = frame.contentDocument!;
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  // A page that is written has the origin of this one, which that of a `srcdoc` has not for its own scripts.
  opened.open();
  opened.write(page.replace("<head>", `<head><base href="/${folder}/" /><script>${FROM_TESTS}</script>`));
  opened.close();
  await loaded;
  return opened;
}

/** Files that follow share the document: Tab would lead into what is left here. */
export const closePage = (): void => document.body.replaceChildren();
