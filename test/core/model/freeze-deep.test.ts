import { expect, test } from "vitest";
import { freezeDeep } from "../../../src/core/model/value.ts";

test("lists, plain objects, maps and sets are frozen with all that they hold", () => {
  const value = {
    list: [{ name: "a" }],
    map: new Map([["key", { count: 1 }]]),
    set: new Set([["b"]]),
    bare: Object.create(null) as object,
  };
  expect(freezeDeep(value)).toBe(value);
  expect(() => Object.assign(value.list[0]!, { name: "c" })).toThrow(TypeError);
  expect(() => Object.assign(value.map.get("key")!, { count: 2 })).toThrow(TypeError);
  expect(() => [...value.set][0]!.push("d")).toThrow(TypeError);
  expect(() => Object.assign(value.bare, { added: true })).toThrow(TypeError);
  expect(() => value.map.set("other", { count: 0 })).toThrow("Make a copy");
  expect(() => value.map.clear()).toThrow("Make a copy");
  expect(() => value.set.add([])).toThrow("Make a copy");
  expect(() => value.set.delete([...value.set][0]!)).toThrow("Make a copy");
  expect([value.map.size, value.set.size]).toEqual([1, 1]);
});

test("instances of other classes and bytes stay as they are, and what is frozen is not looked into", () => {
  const inner = { open: true };
  const value = { at: new Date(0), bytes: new Uint8Array(2), shut: Object.freeze({ inner }) };
  freezeDeep(value);
  value.at.setTime(1);
  value.bytes[0] = 7;
  inner.open = false;
  expect([value.at.getTime(), value.bytes[0], inner.open]).toEqual([1, 7, false]);
});
