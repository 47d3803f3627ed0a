// @ts-check
// Run as a process of its own by probe.mjs: exit status 0 means that the browser named on the command line opened a page.
import { chromium } from "playwright";
import { CHROMIUM_ARGUMENTS } from "./arguments.mjs";

const executablePath = process.argv[2] ?? "";
const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS], timeout: 40_000 });
const page = await browser.newPage();
await page.goto("data:text/html,<title>it works</title>", { timeout: 15_000 });
if ((await page.title()) !== "it works") throw new Error("Error: the page that was opened has the wrong title");
await browser.close();
