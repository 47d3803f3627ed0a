import { expect, test } from "vitest";
import { placeValues } from "../../../../src/core/blocks/shell/place-values.ts";
import { parseTemplate } from "../../../../src/core/expression/parse-template.ts";
import type { Value } from "../../../../src/core/model/value.ts";

/** A command in which `@` stands for a value. */
function place(command: string, ...values: readonly Value[]): ReturnType<typeof placeValues> {
  let next = 0;
  const { parts } = parseTemplate(command.replaceAll("@", "${v}"));
  return placeValues(
    parts.map((part) => (typeof part === "string" ? part : { value: values[next++] ?? null })),
    { takesOptions: false },
  );
}

test("each value is a variable, with the quotation marks of its place", () => {
  expect(place("echo @ \"@\" '@' $(echo @)", "a\n", "b\n", 3, { c: true })).toEqual({
    command: `echo "\${WAVEPOINT_1}" "\${WAVEPOINT_2}" ''"\${WAVEPOINT_3}"'' $(echo "\${WAVEPOINT_4}")`,
    env: { WAVEPOINT_1: "a", WAVEPOINT_2: "b\n", WAVEPOINT_3: "3", WAVEPOINT_4: '{"c":true}' },
  });
});

test("any command without references is the author's", () => {
  expect(place('echo \'unfinished $(eval "$x"').command).toBe('echo \'unfinished $(eval "$x"');
});

test("a value in a comment is left out", () => {
  expect(place("# @ it's\necho @", "a", "b")).toEqual({ command: '# … it\'s\necho "${WAVEPOINT_2}"', env: { WAVEPOINT_2: "b" } });
});

test("a text is read in linear time, however deep it nests", () => {
  for (const text of ["$(".repeat(100) + ")".repeat(100), "$${v:-".repeat(100) + "}".repeat(100), "\0"]) {
    expect(() => place(`echo @ ${text}`)).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
  }
});

test("a value that no variable can hold is refused", () => {
  expect(() => place("echo @", "a\0b")).toThrow(expect.objectContaining({ code: "BLOCK_INPUT_INVALID" }));
  expect(() => place("echo @", "a\ud800")).toThrow(expect.objectContaining({ code: "BLOCK_INPUT_INVALID" }));
  expect(() => place("echo @", "é".repeat(70_000))).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
});

test("the message shows the place and the way out", () => {
  expect(() => place('if true; then\n  eval "echo @"\nfi')).toThrow(/near eval "echo \$\{…\}".*"argv"/);
});
