import { describe, expect, onTestFinished, test } from "vitest";
import { cdp, userEvent } from "vitest/browser";
import { applyTheme, en, plain, type Theme } from "wavepoint/elements";
import { compact } from "wavepoint/elements/compact";
import { gov } from "wavepoint/elements/gov";
import guide from "../../../docs/elements.md?raw";
import { showState } from "../../support/element-states.ts";

type Seen = readonly [selector: string, property: string, value: string, state?: string];

const COLOUR = "rgb(1, 2, 3)";

/** Where each member of a theme is seen: a part, a property of it, a value that no theme has, and where another state is needed, which. */
const SEEN: { readonly [name in keyof Theme]: Seen } = {
  accent: ["[part~=primary]", "background-color", COLOUR],
  onAccent: ["[part~=primary]", "color", COLOUR],
  ink: ["[part~=heading]", "color", COLOUR],
  quiet: ["[part~=hint]", "color", COLOUR],
  surface: ["[part~=control]", "background-color", COLOUR],
  line: ["[part~=control]:not([aria-invalid])", "border-top-color", COLOUR],
  optionLine: ["[part~=option]", "border-top-color", COLOUR],
  bad: ["[part~=error]", "color", COLOUR],
  good: ["[part~=mark]", "color", COLOUR, "completed"],
  attention: ["[part~=notice]", "border-top-color", COLOUR, "answered in another tab"],
  focus: ["[part~=primary]", "outline-color", COLOUR],
  focusWidth: ["[part~=primary]", "outline-width", "7px"],
  focusGlow: ["[part~=primary]", "box-shadow", `${COLOUR} 0px 0px 0px 8px`],
  font: ["[part~=heading]", "font-family", "monospace"],
  fontSize: ["[part~=label]", "font-size", "23px"],
  lineHeight: ["[part~=label]", "line-height", "41px"],
  headingSize: ["[part~=heading]", "font-size", "43px"],
  headingWeight: ["[part~=heading]", "font-weight", "300"],
  labelWeight: ["[part~=label]", "font-weight", "300"],
  width: ["wavepoint-prompt", "max-width", "123px"],
  gap: ["[part~=question]", "row-gap", "37px"],
  target: ["[part~=primary]", "min-height", "77px"],
  pad: ["[part~=control]", "padding-left", "31px"],
  border: ["[part~=option]", "border-top-width", "5px"],
  radius: ["[part~=control]", "border-top-left-radius", "21px"],
  buttonRadius: ["[part~=primary]", "border-top-left-radius", "22px"],
  buttonShadow: ["[part~=primary]", "box-shadow", `${COLOUR} 0px 4px 0px 0px`],
  choice: ["[type=radio]", "width", "33px"],
  motion: ["[part~=field]", "transition-duration", "7s"],
};
const names = Object.keys(SEEN) as (keyof Theme)[];
const propertyOf = (name: string) => `--wavepoint-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
/** What stands in a shadow of a box or a family of fonts is given as it is computed; the rest as it is. */
const given = (value: string) => value.replace(/^(rgb\(.*?\)) (.+)$/, "$2 $1");

describe.each(["with errors", "completed", "answered in another tab"])("%s", (state) => {
  test("every custom property is honoured", async () => {
    const place = await showState(state, en);
    // After a click, here or in a file before, what gets the focus shows no ring.
    await userEvent.tab();
    const wanted = names.filter((name) => (SEEN[name][3] ?? "with errors") === state);
    expect(wanted.length).toBeGreaterThan(0);
    onTestFinished(() => document.documentElement.removeAttribute("style"));
    for (const name of wanted) {
      const [selector, property, value] = SEEN[name];
      const seen = place.querySelector<HTMLElement>(selector)!;
      if (name === "focus" || name === "focusWidth") seen.focus();
      else (document.activeElement as HTMLElement).blur();
      if (name === "focusGlow") {
        document.documentElement.style.setProperty(propertyOf(name), COLOUR);
        seen.focus();
      } else document.documentElement.style.setProperty(propertyOf(name), given(value));
      expect(getComputedStyle(seen).getPropertyValue(property), name).toBe(value);
      document.documentElement.removeAttribute("style");
    }
  });
});

/** Shows pages as another medium, or with other colours, until the test is over. */
async function emulate(media: {
  readonly media?: "print";
  readonly features?: readonly { readonly name: string; readonly value: string }[];
}) {
  // Its types name no commands.
  const { send } = cdp() as unknown as { send(command: string, options: object): Promise<void> };
  await send("Emulation.setEmulatedMedia", media);
  // Only an empty text takes back what is emulated: what is left out stays, for the files that follow too.
  const features = (media.features ?? []).map(({ name }) => ({ name, value: "" }));
  onTestFinished(() => send("Emulation.setEmulatedMedia", { media: "", features }));
}

test("printed, answers are dark on white also in a dark page, none is cut, and there is nothing to press", async () => {
  document.documentElement.style.colorScheme = "dark";
  onTestFinished(() => document.documentElement.removeAttribute("style"));
  const place = await showState("looking everything over", en);
  const line = place.querySelector<HTMLElement>("[part~=review-line]")!;
  const ink = getComputedStyle(line).color;
  await emulate({ media: "print" });
  expect(getComputedStyle(line).color).not.toBe(ink);
  // Where a page ends, Chromium lays what stands in a grid over what follows it.
  for (let part = line.parentElement; part !== place; part = part!.parentElement)
    expect(getComputedStyle(part!).display, part!.outerHTML.slice(0, 80)).not.toContain("grid");
  expect(getComputedStyle(line.querySelector("h3")!).breakAfter).toBe("avoid");
  expect([...place.querySelectorAll("button")].filter((button) => button.checkVisibility())).toEqual([]);
  expect(place.innerText).toMatch(/Check your answers.*Name\s+Ada.*All of this is true\./s);
});

test("in forced colours what looks like a link has no frame", async () => {
  await emulate({ features: [{ name: "forced-colors", value: "active" }] });
  const place = await showState("reviewing", en);
  const quiet = [...place.querySelectorAll("[part~=quiet]")];
  expect(quiet.length).toBeGreaterThan(1);
  expect(new Set(quiet.map((button) => getComputedStyle(button).borderTopWidth))).toEqual(new Set(["0px"]));
});

test("circles and boxes grow with the text", async () => {
  const place = await showState("asking a choice", en);
  document.documentElement.style.fontSize = "32px";
  onTestFinished(() => document.documentElement.removeAttribute("style"));
  expect(getComputedStyle(place.querySelector("[type=radio]")!).width).toBe("40px");
});

test("the guide lists them all", () => {
  const listed = [...guide.matchAll(/^\| `(--wavepoint-[a-z-]+)`/gm)].map(([, name]) => name);
  expect(names.map(propertyOf).filter((name) => !listed.includes(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(20);
});

test("a theme takes the place of the one before, in a page and in a shadow root, and a page's own rules win", async () => {
  const place = await showState("asking a choice", en);
  onTestFinished(() => applyTheme({}));
  const radius = () => getComputedStyle(place.querySelector("[part~=option]")!).borderTopLeftRadius;
  const width = () => getComputedStyle(place.querySelector("[part~=option]")!).borderTopWidth;
  expect([radius(), width()]).toEqual(["8px", "1px"]);
  applyTheme(gov);
  expect([radius(), width()]).toEqual(["0px", "2px"]);
  applyTheme(compact);
  expect([radius(), width()]).toEqual(["4.8px", "1px"]);
  const own = Object.assign(document.createElement("style"), { textContent: ":root { --wavepoint-radius: 13px }" });
  document.head.append(own);
  expect(radius()).toBe("13px");
  own.remove();

  const root = place.attachShadow({ mode: "open" });
  root.append(...place.childNodes);
  applyTheme(plain, root);
  const option = () => root.querySelector("[part~=option]")!;
  await expect.poll(() => getComputedStyle(option()).borderTopLeftRadius).toBe("8px");
});
