import type { Page } from "playwright";

/** Seconds by which two clocks of one process may differ. */
const SLACK_S = 0.002;

interface ProcessInfo {
  readonly type: string;
  readonly id: number;
  readonly cpuTime: number;
}

/** The process that executes a page: the only one that has worked, at each look, as long as the page says. */
export async function rendererOf(page: Page): Promise<number> {
  const browser = await page.context().browser()!.newBrowserCDPSession();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const worked = async (): Promise<ReadonlyMap<number, number>> => {
    const { processInfo } = (await browser.send("SystemInfo.getProcessInfo")) as { processInfo: readonly ProcessInfo[] };
    return new Map(processInfo.filter(({ type }) => type === "renderer").map(({ id, cpuTime }) => [id, cpuTime]));
  };
  try {
    let fitting: readonly number[] | undefined;
    while (fitting?.length !== 1) {
      const before = await worked();
      const { metrics } = await session.send("Performance.getMetrics");
      const own = metrics.find(({ name }) => name === "ProcessTime")!.value;
      const after = await worked();
      const fits = (id: number): boolean =>
        after.has(id) && own >= (before.get(id) ?? Infinity) - SLACK_S && own <= after.get(id)! + SLACK_S;
      fitting = (fitting?.length ? fitting : [...before.keys()]).filter(fits);
      await page.evaluate(() => {
        const until = performance.now() + 5 + Math.random() * 20;
        while (performance.now() < until);
      });
    }
    return fitting[0]!;
  } finally {
    await session.detach();
    await browser.detach();
  }
}
