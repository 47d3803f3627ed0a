// @ts-check
// Draws the demo's icons from its sign: `node scripts/icons.mjs` after demo/public/icon.svg has changed.
import { readFileSync } from "node:fs";
import { chromium } from "playwright";
import { CHROMIUM_ARGUMENTS } from "./browser/arguments.mjs";
import { findChromium } from "./browser.mjs";

const FOLDER = new URL("../demo/public/", import.meta.url);
const sign = readFileSync(new URL("icon.svg", FOLDER), "utf8");

/** Launchers cut icons of their own shape from this one: the sign keeps to the middle four fifths, the ground fills all. */
const maskable = sign
  .replace(' rx="9"', "")
  .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
  .replace("<rect ", '<rect x="-4" y="-4" ')
  .replaceAll('32"', '40"');

const ICONS = [
  { file: "icon-192.png", size: 192, svg: sign },
  { file: "icon-512.png", size: 512, svg: sign },
  { file: "icon-maskable.png", size: 512, svg: maskable },
  // Apple's cuts the corners itself.
  { file: "icon-apple.png", size: 180, svg: sign.replace(' rx="9"', "") },
];

const browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS] });
const page = await browser.newPage();
for (const { file, size, svg } of ICONS) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  await page.screenshot({ path: new URL(file, FOLDER).pathname, omitBackground: true });
}
await browser.close();
