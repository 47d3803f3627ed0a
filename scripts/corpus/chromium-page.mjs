/** A page in a real Chromium that runs one module of the project, bundled from source and served on loopback. */
import { createServer } from "node:http";
import { chromium } from "playwright";
import { build } from "vite";
import { ensureChromium } from "../browser.mjs";

/**
 * Opens a page that has run the module at `entry`. Gives the page and a function that ends browser and server.
 */
export async function openPage(entry) {
  const script = await bundle(entry);
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.setHeader("content-security-policy", "default-src 'none'; script-src 'self'");
    response.end(isScript ? script : '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox"] });
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "load" });
  if (problems.length > 0) throw new Error(`the page does not start: ${problems.join("; ")}`);
  return {
    page,
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bundle(entry) {
  const { output } = await build({
    configFile: false,
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
    resolve: { conditions: ["wavepoint:source", "module", "browser", "import", "default"] },
    build: {
      write: false,
      minify: false,
      target: "es2023",
      lib: { entry, formats: ["es"] },
      rollupOptions: { output: { codeSplitting: false } },
    },
  }).then((result) => (Array.isArray(result) ? result[0] : result));
  return output[0].code;
}
