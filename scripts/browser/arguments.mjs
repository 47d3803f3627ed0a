// @ts-check

/**
 * Chromium's command line for tests: nothing is drawn by a GPU, nothing is fetched in the background.
 * The sandbox goes only where Chromium refuses to start with it, which is under root.
 * @type {readonly string[]}
 */
export const CHROMIUM_ARGUMENTS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
