import { expect, onTestFinished, test } from "vitest";
import { createExecutor } from "wavepoint";
import { userEvent } from "vitest/browser";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import fishingLicence from "../../../examples/forms/fishing-licence.yaml?raw";
import waterDamage from "../../../examples/forms/water-damage.yaml?raw";
import { assertAccessible } from "../../support/assert-accessible.ts";
import { keys, part, show, textOf } from "../../support/page-elements.ts";

async function begin(text: string) {
  const executor = createExecutor({ store: memoryStore(), workflows: [loadWorkflow(text)] });
  onTestFinished(() => executor.close());
  const run = await executor.start(loadWorkflow(text).name);
  const element = show("wavepoint-run", { run });
  const asks = async (heading: string): Promise<void> => {
    await expect.poll(() => textOf(element.querySelector("wavepoint-prompt h2"))).toBe(heading);
    await expect.poll(() => element.querySelector("wavepoint-prompt")?.hasAttribute("data-new")).toBe(false);
  };
  return { run, element, asks };
}

/** What the focus is on, as a screen reader names it. */
function focused(): string {
  const { activeElement } = document;
  const legend = activeElement?.matches("[type=radio]") ? `${textOf(activeElement.closest("fieldset")?.querySelector("legend"))} ` : "";
  const label = (activeElement as HTMLInputElement | null)?.labels?.[0];
  return legend + (activeElement?.ariaLabel ?? textOf(label ?? activeElement));
}

/** Presses Tab until the focus is on what is named. */
async function tabTo(name: string): Promise<void> {
  const passed = [];
  for (let presses = 0; presses < 12; presses += 1) {
    await userEvent.keyboard("{Tab}");
    if (focused().startsWith(name)) return;
    passed.push(focused());
  }
  throw new Error(`Tab does not lead to "${name}", but to ${passed.join(" | ")}.`);
}

test("a form of several pages is filled with the keyboard alone, looked at and sent", async () => {
  const { run, element, asks: asksFor } = await begin(fishingLicence);
  const asks = async (heading: string): Promise<void> => {
    await asksFor(heading);
    await assertAccessible(element);
  };

  await asks("When were you born?");
  await keys("{Tab}{Enter}");
  await expect.poll(() => textOf(element.querySelector("[part~=summary]"))).toContain("Enter your date of birth.");
  await keys("{Tab}{Enter}");
  await expect.poll(() => document.activeElement?.matches("[type=date]")).toBe(true);
  // The same day, whether the month comes first or the day.
  await keys("01011950{Enter}");

  await asks("How long do you want to fish?");
  await keys("{Tab}{ArrowDown}{ArrowDown}{Enter}");

  await asks("Who is it for?");
  await keys("{Tab}Ada Lovelace{Tab}1 Quay{Tab}DN1 1AA{Tab}Doncaster{Tab}England{Tab} {Tab}{Tab}{Tab}ada@example.com{Enter}");

  await asks("Check your answers");
  expect(textOf(element)).toContain("ada@example.com");
  for (let presses = 0; presses < 20 && !document.activeElement?.matches("[type=checkbox]"); presses += 1) await keys("{Tab}");
  await keys(" {Enter}");
  await expect.poll(() => run.getSnapshot().outputs).toEqual({ fee: "24 pounds", full_name: "Ada Lovelace", licence: null });
});

test("a claim with things that are listed, moved and taken out, and with files, is filled with the keyboard alone", async () => {
  const { run, element, asks } = await begin(waterDamage);
  const things = () => [...element.querySelectorAll<HTMLInputElement>("[part~=item] [id$=what]")].map(({ value }) => value);

  await asks("What happened?");
  await tabTo("Number of your policy");
  await keys("AB123456");
  await tabTo("Day of the damage");
  await keys("11112026");
  await tabTo("Where did the water come from?");
  await keys(" {ArrowDown}");
  await tabTo("Which machine?");
  await keys("The washer");
  await tabTo("Has the water been stopped?");
  await keys(" ");
  await tabTo("Tell us about it");
  await keys("It leaked.");
  await tabTo("Continue");
  await keys("{Enter}");

  await asks("What was damaged?");
  await tabTo("What");
  await keys("Carpet");
  await tabTo("What it was worth");
  await keys("120");
  await tabTo("Receipt");
  await userEvent.upload(document.activeElement!, new File(["%PDF"], "carpet.pdf", { type: "application/pdf" }));
  await expect.poll(() => textOf(part(element, "picked"))).toContain("carpet.pdf");
  expect(document.activeElement).not.toBe(document.body);
  await tabTo("Add Thing 2");
  await keys("{Enter}");
  await expect.poll(focused).toBe("What is it?");
  await keys("Lamp");
  await tabTo("What it was worth");
  await keys("80");
  await tabTo("Add Thing 3");
  await keys(" ");
  await expect.poll(() => things()).toHaveLength(3);
  await tabTo("Move Thing 3 up");
  await keys("{Enter}");
  expect(things()).toEqual(["Carpet", "", "Lamp"]);
  await tabTo("Remove Thing 2");
  await keys("{Enter}");
  expect(things()).toEqual(["Carpet", "Lamp"]);
  await tabTo("Photographs");
  await userEvent.upload(document.activeElement!, new File(["x"], "hall.jpg", { type: "image/jpeg" }));
  await expect.poll(() => textOf(element)).toContain("hall.jpg");
  await tabTo("Continue");
  await keys("{Enter}");

  await asks("Where shall the money go?");
  await tabTo("Holder of the account");
  await keys("Ada");
  await tabTo("IBAN");
  await keys("DE02 1203 0000 0000 2020 51");
  await tabTo("Your signature");
  await keys("Ada");
  await tabTo("Continue");
  await keys("{Enter}");

  await asks("Check your claim");
  expect(textOf(element)).toContain("carpet.pdf");
  await tabTo("All of this is complete and true.");
  await keys(" ");
  await tabTo("Send");
  await keys("{Enter}");
  await expect
    .poll(() => run.getSnapshot().outputs)
    .toMatchObject({ you_claim: "200.00 euros", declared: true, photographs: [{ name: "hall.jpg" }] });
});
