import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, openList, part, show, textOf } from "../../support/page-elements.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { userEvent } from "vitest/browser";
import { createExecutor, defineBlock, failure, success, type Block, type Executor, type Run, type Workflow } from "wavepoint";
import type { WavepointElements } from "wavepoint/elements";
import { memoryStore } from "wavepoint/store/memory";

type Graph = WavepointElements["wavepoint-waves"];

const echo = (id: string, dependsOn: readonly string[] = [], rest: Partial<Block> = {}): Block => ({
  id,
  type: "EchoBlock",
  dependsOn,
  inputs: { message: id },
  ...rest,
});
const confirm = (id: string, dependsOn: readonly string[] = []): Block => ({
  id,
  type: "ConfirmOperation",
  dependsOn,
  inputs: { message: "Go on?" },
});

/** Starts a workflow, waits until it rests, and shows its graph in a place of some width. */
async function begin(
  blocks: readonly Block[],
  { width = 900, more = [], rest = {} }: Partial<Beginning> = {},
): Promise<{ readonly element: Graph; readonly run: Run; readonly executor: Executor }> {
  const weigh = defineBlock({
    type: "Weigh",
    execute: ({ inputs: { n } }) => (Number(n) === 3 ? failure("Too heavy.") : success({ weight: Number(n) * 2 })),
  });
  const logIn = defineBlock({ type: "LogIn", execute: () => success({ token: "sk-123456", user: "ada" }) });
  const workflow: Workflow = { name: "graph", blocks, ...rest };
  const executor = createExecutor({ store: memoryStore(), blocks: [weigh, logIn], workflows: [workflow, ...more] });
  const run = await executor.start("graph");
  await run.settled();
  const place = document.createElement("div");
  place.style.inlineSize = `${width}px`;
  document.body.append(place);
  onTestFinished(() => place.remove());
  const element = show("wavepoint-waves", { run, workflow, executor }, { into: place });
  await expect.poll(() => element.querySelectorAll("svg [data-block]").length).toBeGreaterThanOrEqual(Math.min(blocks.length, 150));
  return { element, run, executor };
}

interface Beginning {
  readonly width: number;
  readonly more: readonly Workflow[];
  readonly rest: Partial<Workflow>;
}

const chain = (count: number): readonly Block[] =>
  Array.from({ length: count }, (_, i) => (i === count - 2 ? confirm : echo)(`step_${i}`, i > 0 ? [`step_${i - 1}`] : []));
const box = (element: Element, id: string): DOMRect => element.querySelector(`svg [data-block="${id}"]>rect`)!.getBoundingClientRect();
const window = (element: Element): DOMRect => part(element, "picture")!.getBoundingClientRect();
const tool = (element: Element, name: string): HTMLElement =>
  [...element.querySelectorAll<HTMLElement>("[part~=tool]")].find(
    (button) => (button.getAttribute("aria-label") ?? textOf(button)) === name,
  )!;
const isInSight = (element: Element, id: string): boolean => {
  const [inner, outer] = [box(element, id), window(element)];
  return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
};
const factsOf = (element: Element): string => textOf(element.querySelector("[part~=panel] > dl"));
const following = (element: Element): string | null => tool(element, "Follow").getAttribute("aria-pressed");

describe("the picture", () => {
  const diamond = [echo("a"), echo("b", ["a"]), echo("c", ["a"]), confirm("d", ["b", "c"])];

  test("can be read on a phone, however wide it is", async () => {
    const fan = Array.from({ length: 9 }, (_, i) => echo(`one_of_nine_${i}`, ["start"]));
    const { element } = await begin(
      [
        echo("start"),
        ...fan,
        confirm(
          "end",
          fan.map(({ id }) => id),
        ),
      ],
      { width: 296 },
    );
    const name = element.querySelector('svg [data-block="end"] text')!;
    await expect.poll(() => (name.getBoundingClientRect().height / (name as SVGTextElement).getBBox().height) * 11).toBeGreaterThan(9.5);
  });

  test("leads to the right in a wide place, downwards in a narrow one, to the left where the page is read so, and fits", async () => {
    const { element } = await begin(diamond);
    expect(box(element, "a").right).toBeLessThan(box(element, "b").left);
    for (const id of "abcd") expect(isInSight(element, id)).toBe(true);
    element.parentElement!.style.inlineSize = "320px";
    await expect.poll(() => box(element, "a").bottom < box(element, "b").top).toBe(true);
    await expect.poll(() => [..."abcd"].every((id) => isInSight(element, id))).toBe(true);
    element.parentElement!.style.inlineSize = "900px";
    document.documentElement.dir = "rtl";
    onTestFinished(() => document.documentElement.removeAttribute("dir"));
    await expect.poll(() => box(element, "a").left > box(element, "b").right).toBe(true);
  });

  test("stands where the run is when it cannot show all, follows it, and stops when it is moved by hand", async () => {
    const { element, run } = await begin([...chain(40), confirm("last", ["step_39"])], { width: 700 });
    expect(isInSight(element, "step_38")).toBe(true);
    expect(isInSight(element, "step_0")).toBe(false);
    expect(following(element)).toBe("true");
    const { left, top, width, height } = window(element);
    const picture = part(element, "picture")!;
    const at = (x: number): PointerEventInit => ({ pointerId: 1, button: 0, clientX: left + x, clientY: top + height / 2, bubbles: true });
    const before = box(element, "step_38").left;
    picture.setPointerCapture = () => undefined;
    picture.dispatchEvent(new PointerEvent("pointerdown", at(width / 2)));
    picture.dispatchEvent(new PointerEvent("pointermove", at(width / 2 + 300)));
    picture.dispatchEvent(new PointerEvent("pointerup", at(width / 2 + 300)));
    expect(Math.round(box(element, "step_38").left - before)).toBe(300);
    await expect.poll(() => following(element)).toBe("false");
    await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    await click(tool(element, "Follow"));
    await expect.poll(() => isInSight(element, "last")).toBe(true);
  });

  test("fades at the sides beyond which it goes on, and shows what comes before and after the block that it follows", async () => {
    const { element, run } = await begin(
      chain(8).map((block, i) => (i % 2 === 0 ? { ...block, type: "ConfirmOperation" } : block)),
      {
        width: 700,
      },
    );
    const picture = part(element, "picture")!;
    const fade = (side: string): string => getComputedStyle(picture).getPropertyValue(`--w-${side}`);
    expect(picture.dataset["beyond"]).toBe("right");
    expect([fade("left"), fade("right")]).toEqual(["", "2rem"]);
    await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    await expect.poll(() => [3, 4, 5].every((i) => isInSight(element, `step_${i}`))).toBe(true);
    expect(picture.dataset["beyond"]).toBe("left right");
    await click(tool(element, "Show all"));
    expect(picture.dataset["beyond"]).toBe("");
  });

  test("becomes as small as it has to while it marks what a changed answer would do, and large again", async () => {
    const { element, run } = await begin(
      chain(7).map((block, i) => (i < 2 ? { ...block, type: "ConfirmOperation" } : block)),
      { width: 700 },
    );
    const [first] = run.getSnapshot().pauses;
    await run.answer(first!.id, "yes");
    await expect.poll(() => isInSight(element, "step_6")).toBe(false);
    element.preview = await run.previewRevise(first!.id, "no");
    await expect.poll(() => isInSight(element, "step_0") && isInSight(element, "step_6")).toBe(true);
    element.preview = undefined;
    await expect.poll(() => isInSight(element, "step_6")).toBe(false);
    // Once the run is over there is nothing to follow.
    while (run.getSnapshot().status === "paused") await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    await expect.poll(() => isInSight(element, "step_0") && isInSight(element, "step_6")).toBe(true);
  });

  test("zooms with buttons, keys, the wheel with Ctrl and two fingers, and shows all again", async () => {
    const { element } = await begin(diamond);
    const picture = part(element, "picture")!;
    const size = (): number => box(element, "a").width;
    const start = size();
    await click(tool(element, "Zoom in"));
    expect(size()).toBeCloseTo(start * 1.3, 0);
    await click(tool(element, "Zoom out"));
    expect(size()).toBeCloseTo(start, 0);
    picture.focus();
    await userEvent.keyboard("++");
    expect(size()).toBeGreaterThan(start * 1.6);
    await userEvent.keyboard("0");
    await expect.poll(() => Math.round(size())).toBe(Math.round(start));
    const { left, top } = window(element);
    const wheel = (ctrlKey: boolean): boolean =>
      picture.dispatchEvent(
        new WheelEvent("wheel", { deltaY: -100, ctrlKey, clientX: left + 50, clientY: top + 50, bubbles: true, cancelable: true }),
      );
    expect(wheel(false)).toBe(true);
    expect(size()).toBeCloseTo(start, 0);
    expect(wheel(true)).toBe(false);
    expect(size()).toBeGreaterThan(start * 1.1);
    await userEvent.keyboard("0");
    await expect.poll(() => Math.round(size())).toBe(Math.round(start));
    picture.setPointerCapture = () => undefined;
    const finger = (type: string, pointerId: number, x: number): boolean =>
      picture.dispatchEvent(
        new PointerEvent(type, { pointerId, pointerType: "touch", button: 0, clientX: left + x, clientY: top + 60, bubbles: true }),
      );
    finger("pointerdown", 1, 100);
    finger("pointerdown", 2, 200);
    finger("pointermove", 2, 300);
    expect(size()).toBeCloseTo(start * 2, 0);
    finger("pointerup", 1, 100);
    finger("pointerup", 2, 300);
    expect(part(element, "panel")).toBeNull();
  });

  test("fades what is skipped, and names loops and channels", async () => {
    const { element } = await begin(
      [
        echo("a"),
        echo("never", ["a"], { condition: "1 == 2" }),
        echo("count", ["a"], { writes: { total: 1 }, repeatWhile: "${channels.total} < 3", maxIterations: 9 }),
        confirm("end", ["count"]),
      ],
      { rest: { channels: { total: { reduce: "sum" } } } },
    );
    expect(Number(element.querySelector('[data-block="never"]')!.getAttribute("opacity"))).toBeLessThan(1);
    expect(element.querySelectorAll("[data-edges] path[opacity]")).toHaveLength(1);
    expect(textOf(element.querySelector('[data-block="count"]'))).toContain("↻ 3/9 ✎ total");
    expect(textOf(part(element, "legend"))).toContain("writes to these channels");
  });

  test("of a thousand blocks is drawn in slices, what is in sight first, and an answer touches only the two blocks that it changes", async () => {
    const { element, run } = await begin(chain(1_000));
    expect(isInSight(element, "step_998")).toBe(true);
    await expect.poll(() => element.querySelectorAll("svg [data-block]").length).toBe(1_000);
    await new Promise(requestAnimationFrame);
    const changed: Node[] = [];
    const watcher = new MutationObserver((records) => changed.push(...records.map(({ target }) => target)));
    for (const block of element.querySelectorAll("svg [data-block]"))
      watcher.observe(block, { childList: true, attributes: true, attributeFilter: ["data-status", "d", "opacity"], subtree: true });
    const { firstChild } = element.querySelector('svg [data-block="step_999"]')!;
    await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    await expect.poll(() => element.querySelector('svg [data-block="step_999"]')!.getAttribute("data-status")).toBe("completed");
    watcher.disconnect();
    expect(new Set(changed.map((node) => (node as Element).closest("[data-block]")!.getAttribute("data-block")))).toEqual(
      new Set(["step_998", "step_999"]),
    );
    // What stays the same is not laid out again.
    expect(element.querySelector('svg [data-block="step_999"]')!.firstChild).toBe(firstChild);
  });

  test("of a thousand blocks those far from what is in sight are not painted, until they come near", async () => {
    const { element } = await begin(chain(1_000));
    const block = (id: string): Element | null => element.querySelector(`svg [data-block="${id}"]`);
    const isPainted = (id: string): boolean => getComputedStyle(block(id)!).display !== "none";
    await expect.poll(() => element.querySelectorAll("svg [data-block]").length).toBe(1_000);
    await expect.poll(() => isPainted("step_0")).toBe(false);
    expect(isPainted("step_998")).toBe(true);
    part(element, "picture")!.focus();
    await userEvent.keyboard("{Home}");
    await expect.poll(() => isInSight(element, "step_0") && isPainted("step_0")).toBe(true);
    await expect.poll(() => isPainted("step_998")).toBe(false);
    await userEvent.keyboard("0");
    await expect.poll(() => ["step_0", "step_100", "step_200"].every(isPainted)).toBe(true);
  });
});

describe("items", () => {
  const items = { id: "weigh", type: "Weigh", forEach: 1_000, continueOnError: true, inputs: { n: "${each.index}" } };

  test("are cells, with a shape for each state", async () => {
    const { element } = await begin([items as Block]);
    const cells = [...element.querySelectorAll("[data-cells]")];
    expect(cells.map((path) => path.getAttribute("data-cells")).toSorted()).toEqual(["completed", "failed"]);
    const drawn = cells.map((path) => path.getAttribute("d")!.match(/M/g)!.length);
    expect(drawn.reduce((sum, count) => sum + count, 0)).toBe(1_000);
    expect(
      new Set(
        cells.map((path) =>
          path
            .getAttribute("d")!
            .replaceAll(/[\d. -]+/g, "")
            .slice(0, 5),
        ),
      ).size,
    ).toBe(2);
  });

  test("a cell opens its item", async () => {
    const { element } = await begin([items as Block]);
    const failed = element.querySelector('[data-cells="failed"]')!.getBoundingClientRect();
    const at = { pointerId: 1, button: 0, clientX: failed.x + failed.width / 2, clientY: failed.y + failed.height / 2, bubbles: true };
    const picture = part(element, "picture")!;
    picture.dispatchEvent(new PointerEvent("pointerdown", at));
    picture.dispatchEvent(new PointerEvent("pointerup", at));
    await expect.poll(() => textOf(part(element, "panel"))).toContain("Weigh – Item 3");
    expect(factsOf(element)).toContain("Too heavy.");
  });

  test("are reached with the keyboard too, from the panel of their block", async () => {
    const { element } = await begin([items as Block]);
    part(element, "picture")!.focus();
    await userEvent.keyboard("{Home}{Enter}");
    await expect.poll(() => textOf(document.activeElement)).toBe("Weigh");
    await userEvent.keyboard("{Tab}{Tab}");
    const menu = document.activeElement as HTMLSelectElement;
    expect(textOf(menu.labels[0])).toBe("Items");
    expect(menu.selectedOptions[0]!.text).toBe("All items");
    expect(menu.options[4]!.text).toBe("Item 3, failed");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}");
    await expect.poll(() => textOf(element.querySelector("[part~=panel] h3"))).toBe("Weigh – Item 3");
    expect(factsOf(element)).toContain("Too heavy.");
    await assertAccessible(element);
  });

  test("that called a run show it in place, one at a time, below the cells", async () => {
    const inner: Workflow = { name: "inner", inputs: { n: { type: "integer" } }, blocks: [echo("look"), confirm("agree", ["look"])] };
    const call: Block = {
      id: "call",
      type: "ExecuteWorkflow",
      forEach: 3,
      inputs: { workflow: "inner", inputs: { n: "${each.index}" } },
    };
    const many = Array.from({ length: 9 }, (_, i) => echo(`beside_${i}`));
    const { element, run } = await begin([...many, call], { more: [inner] });
    const status = (path: string) => element.querySelector(`svg [data-block="${path}"]`)?.getAttribute("data-status");
    const menu = (): HTMLSelectElement => element.querySelector("[part~=panel] select")!;
    part(element, "picture")!.focus();
    await userEvent.keyboard("{End}{Enter}");
    await expect.poll(menu).not.toBeNull();
    expect(element.querySelector("[part~=panel] [aria-pressed]")).toBeNull();
    await userEvent.selectOptions(menu(), "0");
    await expect.poll(() => element.querySelector("[part~=panel] [aria-pressed]")).not.toBeNull();
    await click(element.querySelector("[part~=panel] [aria-pressed]")!);
    await expect.poll(() => status("call/agree")).toBe("paused");
    const bottom = element.querySelector('svg [data-block="call"] [data-cells]')!.getBoundingClientRect().bottom;
    expect(box(element, "call/look").top).toBeGreaterThan(bottom);
    expect(box(element, "call/agree").bottom).toBeLessThan(box(element, "call").bottom);
    await expect.poll(() => isInSight(element, "call/agree")).toBe(true);
    await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    await expect.poll(() => status("call/agree")).toBe("completed");
    await userEvent.selectOptions(menu(), "1");
    await expect.poll(() => textOf(element.querySelector("[part~=panel] [aria-pressed]"))).toBe("Show what it called");
    await click(element.querySelector("[part~=panel] [aria-pressed]")!);
    await expect.poll(() => status("call/agree")).toBe("paused");
  });

  test("are drawn again without laying the page out before", async () => {
    const { element } = await begin([items as Block]);
    const picture = part(element, "picture")!;
    let asked = 0;
    Object.defineProperty(picture, "clientWidth", {
      get() {
        asked += 1;
        return 900;
      },
    });
    element.draw();
    element.draw();
    expect(asked).toBe(0);
    element.parentElement!.style.inlineSize = "700px";
    await expect.poll(() => asked).toBeGreaterThan(0);
  });
});

describe("a block", () => {
  test("is reached along the lines with arrow keys, opened with Enter and closed with Escape", async () => {
    const { element } = await begin([echo("a"), echo("b", ["a"]), echo("c", ["a"]), confirm("d", ["b", "c"])]);
    const picture = part(element, "picture")!;
    picture.focus();
    const said = () => textOf(part(element, "announcement"));
    await userEvent.keyboard("{ArrowRight}");
    await expect.poll(said).toBe("D, asks");
    await userEvent.keyboard("{ArrowLeft}");
    await expect.poll(said).toMatch(/^[BC], done/);
    const first = said();
    await userEvent.keyboard(first.startsWith("B") === box(element, "b").top < box(element, "c").top ? "{ArrowDown}" : "{ArrowUp}");
    await expect.poll(said).not.toBe(first);
    await userEvent.keyboard("{ArrowLeft}");
    await expect.poll(said).toBe("A, done");
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => textOf(document.activeElement)).toBe("A");
    await expect.poll(() => textOf(part(element, "panel"))).toMatch(/Status done.*Inputs Message a.*Outputs Echoed a/);
    await assertAccessible(element);
    await userEvent.keyboard("{Escape}");
    expect(part(element, "panel")).toBeNull();
    expect(document.activeElement).toBe(picture);
  });

  test("opened from the list is read and gives the focus back, and tells nothing that is secret", async () => {
    const { element } = await begin([{ id: "log_in", type: "LogIn" }, confirm("end", ["log_in"])]);
    await openList(element);
    await expect.poll(() => part(element, "block-name")).not.toBeNull();
    await click(part(element, "block-name")!);
    await expect.poll(() => textOf(part(element, "panel"))).toContain("User ada");
    expect(textOf(document.activeElement)).toBe("Log in");
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(part(element, "block-name"));
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => textOf(part(element, "panel"))).toContain("User ada");
    expect(element.innerHTML).not.toContain("sk-123456");
  });

  test("opened from the list comes into sight, beside its panel and below it", async () => {
    for (const width of [900, 320]) {
      const { element } = await begin([...chain(40), confirm("last", ["step_39"])], { width });
      await openList(element);
      await expect.poll(() => part(element, "block-name")).not.toBeNull();
      expect(isInSight(element, "step_0")).toBe(false);
      await click([...element.querySelectorAll<HTMLElement>("[part~=block-name]")].find((button) => textOf(button) === "Step 0")!);
      await expect.poll(() => isInSight(element, "step_0")).toBe(true);
      // It stays there once the panel has taken its room.
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isInSight(element, "step_0")).toBe(true);
    }
  });

  test("shows the run that it called in place, which moves on with it", async () => {
    const inner: Workflow = { name: "inner", blocks: [echo("look"), confirm("agree", ["look"])] };
    const call: Block = { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner", inputs: {} } };
    const { element, run } = await begin([call, echo("end", ["call"])], { more: [inner] });
    await openList(element);
    await expect.poll(() => part(element, "block-name")).not.toBeNull();
    await click(part(element, "block-name")!);
    await expect.poll(() => element.querySelector("[part~=panel] [aria-pressed]")).not.toBeNull();
    await click(element.querySelector("[part~=panel] [aria-pressed]")!);
    const status = (path: string) => element.querySelector(`svg [data-block="${path}"]`)?.getAttribute("data-status");
    await expect.poll(() => status("call/agree")).toBe("paused");
    expect(element.querySelector('[data-edges="call/"] path')?.getAttribute("d")).toMatch(/^M/);
    const [outer, within] = [box(element, "call"), box(element, "call/agree")];
    expect(within.left > outer.left && within.right < outer.right && within.bottom < outer.bottom).toBe(true);
    await run.answer(run.getSnapshot().pauses[0]!.id, "yes");
    await expect.poll(() => status("call/agree")).toBe("completed");
    await click(element.querySelector("[part~=panel] [aria-pressed]")!);
    await expect.poll(() => status("call/agree")).toBeUndefined();
  });
});

test("blocks that others add stand in the graph, with lines to them", async () => {
  const add = defineBlock({
    type: "Add",
    execute: ({ add }) => {
      add([{ id: "added", type: "EchoBlock", inputs: { message: "more" } }]);
      return success({});
    },
  });
  const workflow: Workflow = { name: "adding", blocks: [confirm("first"), { id: "grow", type: "Add", dependsOn: ["first"] }] };
  const run = await createExecutor({ store: memoryStore(), blocks: [add], workflows: [workflow] }).start("adding");
  const { pauses } = await run.settled();
  const element = show("wavepoint-waves", { run, workflow });
  const ends = () => element.querySelectorAll("svg [data-block]").length;
  await expect.poll(ends).toBe(2);
  await run.answer(pauses![0]!.id, "yes");
  await expect.poll(ends).toBe(3);
  await expect.poll(() => element.querySelector("[data-edges] path")!.getAttribute("d")!.match(/M/g)!.length).toBe(2);
  expect(element.querySelector('svg [data-block="added"]')!.getAttribute("data-status")).toBe("completed");
});
