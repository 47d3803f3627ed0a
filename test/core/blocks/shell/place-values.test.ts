import { describe, expect, test } from "vitest";
import { checkPlaces, placeValues } from "../../../../src/core/blocks/shell/place-values.ts";
import { parseTemplate } from "../../../../src/core/expression/parse-template.ts";
import type { Value } from "../../../../src/core/model/value.ts";

/** A command in which `@` stands for a value. */
function place(command: string, ...values: readonly Value[]): ReturnType<typeof placeValues> {
  let next = 0;
  const { parts } = parseTemplate(command.replaceAll("@", "${v}"));
  return placeValues(parts.map((part) => (typeof part === "string" ? part : { value: values[next++] ?? null })));
}

test("each value is a variable, with the quotation marks of its place", () => {
  expect(place("echo @ \"@\" '@' $(echo @)", "a\n", "b\n", 3, { c: true })).toEqual({
    command: `echo "\${WAVEPOINT_1}" "\${WAVEPOINT_2}" ''"\${WAVEPOINT_3}"'' $(echo "\${WAVEPOINT_4}")`,
    env: { WAVEPOINT_1: "a", WAVEPOINT_2: "b\n", WAVEPOINT_3: "3", WAVEPOINT_4: '{"c":true}' },
  });
});

test("a command without references is the author's, whatever it is", () => {
  expect(place('echo \'unfinished $(eval "$x"').command).toBe('echo \'unfinished $(eval "$x"');
});

test("a value in a comment is left out", () => {
  expect(place("# @ it's\necho @", "a", "b")).toEqual({ command: '# … it\'s\necho "${WAVEPOINT_2}"', env: { WAVEPOINT_2: "b" } });
});

describe("a reference is refused where its value could not be data:", () => {
  test.each([
    "eval @",
    'eval "echo @"',
    "eval echo '@'",
    "command eval @",
    "builtin eval @",
    "'eval' @",
    'e\\val "@"',
    "x=1 eval @",
    "if true; then eval @; fi",
    "! eval @",
    "{ eval @; }",
    "(eval @)",
    "echo $(eval @)",
    "echo `eval @`",
    'echo "$(eval @)"',
    "cat <<EOF\n$(eval @)\nEOF",
    "case x in x) eval @;; esac",
    "f() { eval @; }",
    "true && eval @ || true",
    "true | eval @",
    "true & eval @",
    "time eval @",
    'v="@"; eval "$v"',
    "v=@; w=$v; eval echo $w",
    "v=$(echo @); eval $v",
    "v=`echo '@'`; eval \"$v\"",
    'export v=@; eval "$v"',
    'for v in @; do eval "$v"; done',
    'echo @ | while read -r v; do eval "$v"; done',
    'printf -v v %s @; eval "$v"',
    ': "$${v:=$w}"; w=@; eval "$v"',
    'f() { eval "$1"; }; f @',
    'set -- @; eval "$*"',
    "trap '@' EXIT",
    'trap "rm @" EXIT',
    "alias x=@",
    "alias x='echo'; x @",
    "let x=@",
    "unset @",
    "read @",
    "read -r v @",
    "wait @",
    "export @",
    "export @=1",
    "export v@=1",
    "readonly @",
    "local @",
    "declare @",
    "declare -i n=@",
    "declare -A m=@",
    "typeset -n n=@",
    "sh -c @",
    "sh -c 'echo @'",
    'sh -c "echo @"',
    'bash -c "@"',
    'bash -ec "@"',
    'bash -o pipefail -c "@"',
    '/bin/sh -c "@"',
    "exec sh -c @",
    "env sh -c @",
    "env A=1 sh -c @",
    "nohup sh -c @ &",
    "sudo -u bob sh -c @",
    "timeout 5 bash -c '@'",
    "busybox sh -c @",
    "xargs -I{} sh -c '@'",
    "find . -exec sh -c '@' ;",
    "docker exec it sh -c '@'",
    'v=@; sh -c "$v"',
    'v=@; bash -c "echo $v"',
    "$SHELL -c '@'",
    "$SHELL -e -c '@'",
    "sh $x -c '@'",
    "sh -o $x -c '@'",
    "docker exec it bash -e -c '@'",
    "@ -c '@'",
    "bash @",
    "sh @ @",
    "sh -@ x",
    "sh -o @ -c x",
    "echo @ | xargs -I{} sh -c 'echo {}'",
    "sh <(echo @)",
    ". <(echo @)",
    "diff <(echo @) x",
    "ssh host rm @",
    "ssh @",
    "ssh host <<EOF\nrm @\nEOF",
    "ssh host 'bash -s' <<EOF\nrm @\nEOF",
    "echo @ | ssh host sh",
    "su bob -c @",
    "watch ls @",
    "docker exec -i it sh <<EOF\n@\nEOF",
    "docker exec -i it bash -s x <<EOF\n@\nEOF",
    "bash -s x <<EOF\n@\nEOF",
    'echo @ | { eval "$(cat)"; }',
    'echo @ | sh -c "$(cat)"',
    "env '-S@' x",
    "env -S @ x",
    "timeout 5 @ -c @",
    "timeout -s KILL 5 sh -c @",
    "command -p eval @",
    "nice -n 5 @ -c '@'",
    "echo $(( $(echo @) ))",
    'v="x@"; echo $((v))',
    "v=$(echo @); echo $((v + 1))",
    "read v; echo @ $((v))",
    "echo $((v@))",
    "a[@]=1",
    "a[1@]=x",
    "@=1",
    "x@=1",
    '"@"=1',
    "env @ ls",
    "env @=1 ls",
    "f@() { :; }",
    "@ () { :; }",
    "function @ { :; }",
    "for @ in a; do :; done",
    "select @ in a; do :; done",
    "cat <<@\nx\n@",
    "cat <<'EOF'\n@\nEOF",
    'cat <<"EOF"\n@\nEOF',
    "cat <<\\EOF\n@\nEOF",
    "cat <<-'EOF'\n\t@\n\tEOF",
    "echo $${v:-@}",
    'echo "$${v:-@}"',
    "echo $${v:-'@'}",
    'echo $${v:-"@"}',
    "echo $${v#@}",
    "echo $${v/@/x}",
    "echo $${@}",
    "echo $${#@}",
    "echo $'@'",
    "echo \\@",
    'echo "\\@"',
    "cat <<EOF\n\\@\nEOF",
    "[[ @ ]]",
    "[[ x == @ ]]",
    "[[ 1 -eq @ ]]",
    "v=x@; [[ $v -eq 1 ]]",
    "test -v @",
    "[ -v @ ]",
    "[ @ @ ]",
    "printf -v @ x",
    "printf @ @",
    "PS4=@; set -x",
    "PROMPT_COMMAND='@'",
    "BASH_ENV=@ bash x",
    "@@ x",
    "/usr/bin/@$x y",
  ])("%s", (command) => {
    expect(() => checkPlaces(parseTemplate(command.replaceAll("@", "${v}")).parts)).toThrow(
      expect.objectContaining({ code: "SHELL_UNSAFE" }),
    );
  });
});

describe("a command with references is refused where shells may read it differently:", () => {
  test.each([
    'echo "@',
    "echo '@",
    "echo @ $(",
    "echo @ `echo",
    "echo @ $${v",
    "echo @)",
    "(echo @",
    "{ echo @",
    "echo @; }",
    "if true; then echo @",
    "echo @; fi",
    "for i in a; do echo @; fi",
    "case x in x) echo @",
    "case x in x echo @;; esac",
    "case x of x) echo @;; esac",
    "echo @;; echo",
    "cat <<EOF\n@",
    "cat <<EOF\n@\nEOF2",
    "cat <<EOF\n\\\nEOF\n@\nEOF",
    "cat <<$x\n@\n$x",
    "cat <<EOF $(echo a\necho b)\n@\nEOF",
    "echo @ >",
    "echo @ \\",
    "echo @ $\\\n(x)",
    "echo @ $[1+1]",
    "echo @ $'it\\'s'",
    "echo @ $${!v}",
    "echo @ $${v@P}",
    "echo @ \"$${v:-'}'}\"",
    'echo @ $${v:-"}"}',
    "echo @ $${v:x:y}",
    "echo @ $(( '1' ))",
    "echo @ $((1)",
    "((1<<2)); echo @",
    "((echo a) | cat); echo @",
    "for ((;;)); do echo @; done",
    "a=(@)",
    "echo @ !(x)",
    "echo (@)",
    "echo @ | sh",
    "echo @ | bash -s",
    "echo @ | sudo sh",
    "sh <<EOF\n@\nEOF",
    "bash <<< @",
    ". /dev/stdin <<EOF\n@\nEOF",
    "echo @ \0",
    `echo @ ${"$(".repeat(100)}${")".repeat(100)}`,
    `echo @ ${"$${v:-".repeat(100)}${"}".repeat(100)}`,
  ])("%s", (command) => {
    expect(() => checkPlaces(parseTemplate(command.replaceAll("@", "${v}")).parts)).toThrow(
      expect.objectContaining({ code: "SHELL_UNSAFE" }),
    );
  });
});

test.each([
  "which bash @",
  "command -v bash; echo @",
  "apt-get install bash @",
  "env A=@ B=1 make",
  "timeout 5 make @",
  "sudo -u bob make @",
  "bash -- @",
  "bash script.sh @",
  "bash -eu script.sh @",
  ". @/bin/activate",
  "git commit -m @",
  "grep -c @ file",
  'test -n "@" && [ "@" = x ] || [ x != "@" ]',
])("a reference may stand in: %s", (command) => {
  expect(() => checkPlaces(parseTemplate(command.replaceAll("@", "${v}")).parts)).not.toThrow();
});

describe("calculations", () => {
  test.each([5, -3, 0, "5", " 12\n"])("take the integer %j", (value) => {
    expect(place("echo $((1 + @))", value).env.WAVEPOINT_1).toBe(String(value).trim());
  });

  test.each([1.5, "1.5", "", "a", "a[$(x)]", "010", "0x1", "1+1", null, true, "9".repeat(30)])("refuse %j", (value) => {
    expect(() => place("echo $((1 + @))", value)).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
  });

  test("take integers by way of a variable that is nothing else", () => {
    const command = 'n="@"; while [ "$n" -gt 0 ]; do n=$((n - 1)); done';
    expect(place("n=@; echo $((n + 1))", 5).env).toEqual({ WAVEPOINT_1: "5" });
    expect(() => place("n=@; echo $((n + 1))", "a[$(x)]")).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
    expect(() => place(command, "5")).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
  });
});

describe("a value that names a program", () => {
  test.each(["/usr/bin/python3", "python3\n", "make", "./run me"])("may be %j", (value) => {
    expect(place("@ -m pytest", value).command).toBe('"${WAVEPOINT_1}" -m pytest');
  });

  test.each(["eval", "sh", "/bin/bash", "BASH.EXE", "exec", "env", ".", "source", "ssh", "trap", "printf"])("may not be %j", (value) => {
    for (const command of [
      "@ x",
      '"@" x',
      "'@' x",
      "/bin/@ x",
      "command @ x",
      "exec @ x",
      "timeout 5 @ x",
      "sudo -u bob @ x",
      "xargs -n 1 @",
    ]) {
      expect(() => place(command, value), command).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
    }
  });

  test("may not be one with a line end that is dropped", () => {
    expect(() => place("@ x", "eval\n")).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
  });

  test("may not become such a name together with what stands around it", () => {
    expect(() => place("ba@ -c x", "sh")).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
    expect(() => place('"@l" x', "eva")).toThrow(expect.objectContaining({ code: "SHELL_UNSAFE" }));
    expect(place("@/bin/pytest x", "sh").env).toEqual({ WAVEPOINT_1: "sh" });
  });
});

test("a value that no variable can hold is refused", () => {
  expect(() => place("echo @", "a\0b")).toThrow(expect.objectContaining({ code: "BLOCK_INPUT_INVALID" }));
  expect(() => place("echo @", "a\ud800")).toThrow(expect.objectContaining({ code: "BLOCK_INPUT_INVALID" }));
  expect(() => place("echo @", "é".repeat(70_000))).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
});

test("the message shows the place and the way out", () => {
  expect(() => place('if true; then\n  eval "echo @"\nfi')).toThrow(/near eval "echo \$\{…\}".*"env"/);
});
