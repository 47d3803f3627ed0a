import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["wavepoint:source"] },
  ssr: { resolve: { conditions: ["wavepoint:source", "node"], externalConditions: ["wavepoint:source"] } },
  build: { outDir: "dist-demo" },
  test: {
    projects: [
      {
        extends: true,
        test: { name: "node", environment: "node", include: ["test/**/*.test.ts"], exclude: ["test/**/*.browser.test.ts", "test/**/*.dom.test.ts"] },
      },
      { extends: true, test: { name: "dom", environment: "happy-dom", include: ["test/**/*.dom.test.ts"] } },
      {
        extends: true,
        test: {
          name: "chromium",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.node.test.ts", "test/**/*.dom.test.ts"],
          browser: {
            enabled: true,
            headless: true,
            api: { host: "127.0.0.1" },
            provider: playwright({ launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
