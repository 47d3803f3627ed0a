import { expect, test } from "vitest";
import { fakeHost } from "wavepoint/testing";

test("the clock stands still until it is advanced", async () => {
  const host = fakeHost({ startAt: 1000 });
  expect(host.now()).toBe(1000);
  await host.advance(500);
  expect(host.now()).toBe(1500);
});

test("sleeps end in the order in which they fall due, each at its own time", async () => {
  const host = fakeHost({ startAt: 0 });
  const seen: [string, number][] = [];
  const long = host.sleep(30).then(() => seen.push(["long", host.now()]));
  const chained = host
    .sleep(10)
    .then(() => host.sleep(10))
    .then(() => seen.push(["chained", host.now()]));
  await host.advance(30);
  await Promise.all([long, chained]);
  expect(seen).toEqual([
    ["chained", 20],
    ["long", 30],
  ]);
  expect(host.sleeping).toBe(0);
});

test("a sleep that is aborted rejects with the reason and leaves nothing behind", async () => {
  const host = fakeHost();
  const controller = host.newAbortController();
  const sleep = host.sleep(10, controller.signal);
  controller.abort("enough");
  await expect(sleep).rejects.toBe("enough");
  await expect(host.sleep(10, controller.signal)).rejects.toBe("enough");
  expect(host.sleeping).toBe(0);
});

test("a sleep of no time waits for no clock", async () => {
  const host = fakeHost({ startAt: 0 });
  const order: string[] = [];
  const later = Promise.resolve().then(() => order.push("microtask"));
  await Promise.all([host.sleep(0).then(() => order.push("turn")), later]);
  expect(order).toEqual(["microtask", "turn"]);
  expect([host.now(), host.sleeping]).toEqual([0, 0]);
});

test("an automatic clock jumps from sleep to sleep", async () => {
  const host = fakeHost({ startAt: 0, autoAdvance: true });
  const order: string[] = [];
  await Promise.all([host.sleep(86_400_000).then(() => order.push("day")), host.sleep(1000).then(() => order.push("second"))]);
  expect(order).toEqual(["second", "day"]);
  expect(host.now()).toBe(86_400_000);
});

test("ids follow from the seed, rise, and are made of letters and digits", () => {
  const ids = (seed: number): string[] => {
    const host = fakeHost({ seed });
    return Array.from({ length: 100 }, () => host.newId());
  };
  expect(ids(7)).toEqual(ids(7));
  expect(ids(7)[0]).not.toBe(ids(8)[0]);
  expect(ids(7).toSorted()).toEqual(ids(7));
  expect(ids(7).every((id) => /^[a-z0-9]+$/.test(id))).toBe(true);
});

test("hashes are SHA-256", async () => {
  expect(await fakeHost().hash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
