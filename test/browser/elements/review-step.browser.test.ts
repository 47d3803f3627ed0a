import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, keys, part, show, textOf } from "../../support/page-elements.ts";
import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const workflow: Workflow = {
  name: "sign-up",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Your name?" } },
    { id: "town", type: "GetInput", dependsOn: ["name"], inputs: { prompt: "Your town?" } },
    { id: "look", type: "Review", dependsOn: ["town"], inputs: { prompt: "Is all of this right?", declaration: "All of this is true." } },
    { id: "colour", type: "GetInput", dependsOn: ["look"], inputs: { prompt: "Your colour?" } },
  ],
};

async function begin() {
  const run = await createExecutor({ store: memoryStore(), workflows: [workflow] }).start("sign-up");
  for (const answer of ["Ada", "Hove"]) await run.answer((await run.settled()).pauses![0]!.id, answer);
  const element = show("wavepoint-run", { run });
  await expect.poll(() => part(element, "review")).not.toBeNull();
  const answers = () => [...element.querySelectorAll("[part~=review-line]")].map(textOf);
  const button = (name: string) => [...element.querySelectorAll("button")].find((one) => (one.ariaLabel ?? textOf(one)) === name)!;
  return { run, element, answers, button };
}

test("the answers stand below the question whether they are right, which is sent once its box is ticked", async () => {
  const { run, element, answers } = await begin();
  expect(answers().map((line) => line.replace(/ ?Change$/, ""))).toEqual([expect.stringContaining("Ada"), expect.stringContaining("Hove")]);
  expect(textOf(element)).toContain("Print or save these answers");
  expect(textOf(part(element, "stage"))).toMatch(/^Is all of this right\?.*Ada.*Hove.*All of this is true\./);
  expect([...element.querySelectorAll("h2")].map(textOf)).toEqual(["Is all of this right?"]);
  expect(element.querySelector("form form")).toBeNull();
  await assertAccessible(element);
  await click(part(element, "primary")!);
  await expect.poll(() => part(element, "summary")).not.toBeNull();
  expect(document.activeElement).toBe(part(element, "summary"));
  await click(element.querySelector("input[type=checkbox]")!);
  await click(part(element, "primary")!);
  await expect.poll(() => run.getSnapshot().pauses[0]?.path).toEqual(["colour"]);
  await expect.poll(() => part(element, "review")).toBeNull();
});

test("one of them is changed there; the others stay, and all are to be looked over again", async () => {
  const { run, element, answers, button } = await begin();
  await click(button("Change: Your name?"));
  await expect.poll(() => element.querySelector("[part~=review] input")).not.toBeNull();
  expect(document.activeElement).toBe(element.querySelector("[part~=review] [part~=heading]"));
  expect(element.querySelector("form form")).toBeNull();
  await assertAccessible(element);
  await keys("{Tab}{Control>}a{/Control}Grace{Enter}");
  await expect.poll(() => part(element, "preview")).not.toBeNull();
  await click(button("Change the answer"));
  await expect.poll(() => answers().join()).toContain("Grace");
  expect(answers().join()).toContain("Hove");
  expect(run.getSnapshot().pauses[0]!.path).toEqual(["look"]);
});

test("pictures and signatures are shown as they look, also in rows; a file of another kind by its name", async () => {
  const canvas = new OffscreenCanvas(1_400, 700);
  canvas.getContext("2d");
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  const picture = { name: "hall.png", type: "image/png", size: bytes.length, bytes };
  const text = (name: string, type: string, content: string) => {
    const encoded = new TextEncoder().encode(content);
    return { name, type, size: encoded.length, bytes: encoded };
  };
  const claim: Workflow = {
    name: "claim",
    blocks: [
      {
        id: "loss",
        type: "Form",
        inputs: {
          prompt: "What was damaged?",
          fields: [
            { name: "things", title: "Thing", type: "array", fields: [{ name: "what" }, { name: "receipt", type: "file" }] },
            { name: "photos", title: "Photo", type: "file", multiple: true },
            { name: "drawn", title: "Your signature", type: "file", capture: "signature" },
            { name: "typed", title: "Your partner", type: "file", capture: "signature" },
          ],
        },
      },
      { id: "look", type: "Review", dependsOn: ["loss"], inputs: { prompt: "Is all of this right?" } },
    ],
  };
  const run = await createExecutor({ store: memoryStore(), workflows: [claim] }).start("claim");
  await run.answer((await run.settled()).pauses![0]!.id, {
    things: [{ what: "Piano", receipt: picture }],
    photos: [picture, text("note.heic", "image/heic", "no picture"), text("list.txt", "text/plain", "a, b")],
    drawn: picture,
    typed: text("signature.txt", "text/plain", "Grace Hopper"),
  });
  const element = show("wavepoint-run", { run });
  await expect.poll(() => part(element, "review")).not.toBeNull();
  const pictures = () => [...element.querySelectorAll<HTMLCanvasElement>("canvas:not([hidden])")];
  await expect.poll(() => pictures().map((one) => one.ariaLabel)).toEqual(["Receipt", "Photo 1", "Your signature"]);
  expect(new Set(pictures().map(({ role, width, height }) => `${role} ${width} ${height}`))).toEqual(new Set(["img 1000 500"]));
  const shown = textOf(part(element, "review"));
  expect(shown).toMatch(/Thing 1 What Piano Receipt hall\.png \(.* Photo hall\.png .* note\.heic \(10 bytes\) list\.txt \(4 bytes\)/);
  expect(shown).toMatch(/Your signature Your partner Grace Hopper/);
  expect(shown).not.toContain("signature.txt");
  await assertAccessible(element);
});
