import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskCause, maskValue } from "../../../src/core/secrets/mask-value.ts";
import { Masker } from "../../../src/core/secrets/masker.ts";
import { CANARY, ENCODINGS, leaksIn } from "./canary.ts";

const PEM = `-----BEGIN KEY-----\n${["MIIEvQIBADANBgkqhkiG9w0BAQEF", "AASCBKcwggSjAgEAAoIBAQC7VJTU", "t9Us8cKj"].join("\n")}\n-----END KEY-----\n`;

describe("a text", () => {
  const masker = new Masker([CANARY]);

  test.each(Object.entries(ENCODINGS))("hides the secret written as: %s", (_, encode) => {
    const text = `before ${encode(CANARY)} after`;
    expect(leaksIn(text)).not.toEqual([]);
    const masked = masker.text(text);
    expect(leaksIn(masked)).toEqual([]);
    expect(masked).toMatch(/^before .*\*\*\*.* after$/);
  });

  test("keeps everything else as it is", () => {
    const text = 'kanarie is a bird: %zz \\u12 "+" 7391 \\n %C3 and a+b';
    expect(masker.text(text)).toBe(text);
    expect(masker.text(`${CANARY} and ${CANARY}`)).toBe("*** and ***");
    expect(masker.text(JSON.stringify({ a: `x\n${CANARY}`, b: 1 }))).toBe('{"a":"x\\n***","b":1}');
    expect(masker.text(`https://h/?a=1&t=${encodeURIComponent(CANARY)}&b=%20`)).toBe("https://h/?a=1&t=***&b=%20");
  });

  test("takes padding and half digits of base64 along", () => {
    expect(masker.text(`Basic ${ENCODINGS["base64"]!(CANARY)}.`)).toBe("Basic ***.");
  });

  test("hides all of secrets that overlap, and the longest of those that begin alike", () => {
    const several = new Masker(["abcdef", "abcdefgh", "efghij"]);
    expect(several.text("-abcdef-abcdefgh-abcdefghij-")).toBe("-***-***-***-");
  });

  test("hides what reads as a secret once another one is hidden", () => {
    expect(new Masker(["x***yz", "inside"]).text("xinsideyz")).toBe("***");
    expect(new Masker(["******"]).text("a*******b")).toBe("a***b");
  });

  test("hides each line of a secret with many, and the whole of it on one line", () => {
    const key = new Masker([PEM]);
    expect(key.text(PEM)).toBe("***");
    expect(key.text(`one line: AASCBKcwggSjAgEAAoIBAQC7VJTU!`)).toBe("one line: ***!");
    expect(key.text(JSON.stringify({ key: PEM }))).toBe('{"key":"***"}');
    expect(key.text(PEM.replaceAll("\n", "\r\n"))).not.toMatch(/MII|AASC|t9Us/);
  });

  test("hides base64 that was cut into lines", () => {
    const secret = "a-rather-long-token-that-does-not-fit-on-one-line-of-base64-0123456789";
    const cut = ENCODINGS["base64"]!(`user:${secret}`).replaceAll(/.{64}/g, "$&\n");
    expect(new Masker([secret]).text(cut)).toMatch(/^dXNlcj.{0,2}\*\*\*$/);
  });

  test("hides a secret that is used with blanks around it left out", () => {
    expect(new Masker(["token-1234\n"]).text("Bearer token-1234")).toBe("Bearer ***");
  });

  test("hides what is left of a secret where a text was cut", () => {
    expect(masker.text("failed: kanarie/+", { isCut: true })).toBe("failed: ***");
    expect(masker.text("failed: kanarie/+")).toBe("failed: kanarie/+");
    expect(masker.text("failed: kana", { isCut: true })).toBe("failed: kana");
    expect(masker.text('it wrote …ie/+"ü\\ 7391', { isCut: true })).toBe("it wrote …***");
    expect(masker.text('not "kanarie/+…", but "kan…"', { isCut: true })).toBe('not "***…", but "kan…"');
  });

  test("takes time in proportion to the text, even where it repeats itself", () => {
    // A search that begins anew at each place would need 10 billion steps.
    const long = new Masker([`${"a".repeat(10_000)}b`]);
    const text = "a".repeat(1_000_000);
    expect(long.text(text)).toBe(text);
  });
});

test("bytes keep their length", () => {
  const masker = new Masker([CANARY]);
  const text = new TextEncoder().encode(`<${CANARY}>`);
  expect(new TextDecoder().decode(masker.bytes(text))).toBe(`<${"*".repeat(text.length - 2)}>`);
  expect(masker.bytes(new TextEncoder().encode("nothing"))).toBeUndefined();
});

test("a map is masked in its keys and values, and two keys that held different secrets stay two", () => {
  const masker = new Masker([CANARY, "another-secret"]);
  const map = new Map<unknown, unknown>([
    [CANARY, { token: CANARY }],
    ["another-secret", 1],
    [2, "plain"],
  ]);
  expect(maskValue(map, masker)).toEqual(
    new Map<unknown, unknown>([
      ["***", { token: "***" }],
      ["*** (2)", 1],
      [2, "plain"],
    ]),
  );
  const plain = new Map([["a", 1]]);
  expect(maskValue(plain, masker)).toBe(plain);
});

describe("what a block throws that is no error", () => {
  const masker = new Masker([CANARY]);

  test("is reported as a text, without the secret", () => {
    expect(maskCause(`refused ${CANARY}`, masker)).toBe("refused ***");
  });

  test("is reported as unreadable where reading it fails", () => {
    const thrown = {
      toString() {
        throw new Error(CANARY);
      },
    };
    expect(maskCause(thrown, masker)).toBe("What was thrown cannot be read.");
  });
});

describe("a stream", () => {
  const masker = new Masker([CANARY]);

  function pour(chunks: readonly string[]): string[] {
    const told: string[] = [];
    let rest = "";
    for (const chunk of chunks) {
      const head = masker.head(rest + chunk);
      told.push(head.masked);
      rest = head.rest;
    }
    return [...told, masker.text(rest)];
  }

  test("gives at once what cannot be part of a secret", () => {
    expect(pour(["compiling\n", "still"])).toEqual(["compiling\n", "still", ""]);
    expect(pour(["a token: kan", "arie, a bird"])).toEqual(["a token: ", "kanarie, a bird", ""]);
  });

  test.each(Object.entries(ENCODINGS))("hides a secret cut anywhere, written as: %s", (_, encode) => {
    const text = `x ${encode(CANARY)} y`;
    for (let cut = 0; cut <= text.length; cut++) {
      const told = pour([text.slice(0, cut), text.slice(cut)]).join("");
      expect(leaksIn(told), `cut at ${cut}: ${told}`).toEqual([]);
    }
    expect(leaksIn(pour([...text]).join(""))).toEqual([]);
  });
});

describe("any secret in any text", () => {
  const secret = fc
    .string({ unit: "grapheme", minLength: 6, maxLength: 40 })
    .filter((text) => text.trim().length >= 6 && !/\*|%[0-9a-f]{2}|\\/i.test(text));
  const around = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !/[%\\]/.test(text));
  const encoding = fc.constantFrom(...Object.keys(ENCODINGS));

  test("no encoding of it is left", () => {
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), encoding, around, around, (secrets, name, before, after) => {
        const masker = new Masker(secrets);
        const written = ENCODINGS[name]!(secrets[0]!);
        const masked = masker.text(`${before} ${written} ${after}`);
        expect(leaksIn(masked, secrets[0])).toEqual([]);
        expect(masker.text(masked)).toBe(masked);
      }),
    );
  });

  test("a stream hides what a text hides", () => {
    fc.assert(
      fc.property(secret, encoding, around, fc.array(fc.nat(200), { maxLength: 4 }), (value, name, between, cuts) => {
        const masker = new Masker([value]);
        const text = `${between} ${ENCODINGS[name]!(value)} ${between}`;
        let told = "";
        let rest = "";
        let at = 0;
        for (const cut of [...cuts.map((cut) => cut % text.length), text.length].toSorted((a, b) => a - b)) {
          const head = masker.head(rest + text.slice(at, cut));
          told += head.masked;
          rest = head.rest;
          at = cut;
        }
        expect(leaksIn(told + masker.text(rest), value)).toEqual([]);
      }),
    );
  });

  test("a text without it stays as it is", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-m]{6,20}$/), fc.stringMatching(/^[n-z %\\"+0-9]{0,200}$/), (value, text) => {
        expect(new Masker([value]).text(text)).toBe(text);
      }),
    );
  });
});
