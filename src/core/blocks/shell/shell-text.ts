/** Stands for a value in a text. Its places are known by their offsets, since an author may write the character too. */
export const SLOT = "\uFFFC";

/** Shell text with slots in which values will stand. */
export interface ShellText {
  readonly text: string;
  /** From the offset in the text to the number of the slot, from 0. */
  readonly slots: ReadonlyMap<number, number>;
}

/** Makes one text of an author's texts and of values, which become slots in their order. */
export function joinParts(parts: readonly unknown[]): ShellText {
  const slots = new Map<number, number>();
  let text = "";
  for (const part of parts) {
    if (typeof part !== "string") slots.set(text.length, slots.size);
    text += typeof part === "string" ? part : SLOT;
  }
  return { text, slots };
}

/** A part of a text, with the slots in it. */
export function cutText(whole: ShellText, from: number, to: number): ShellText {
  const slots = new Map<number, number>();
  const text = whole.text.slice(from, to);
  for (let at = text.indexOf(SLOT); at >= 0; at = text.indexOf(SLOT, at + 1)) {
    const slot = whole.slots.get(from + at);
    if (slot !== undefined) slots.set(at, slot);
  }
  return { text, slots };
}

/** The text with each slot filled. */
export function fillSlots({ text, slots }: ShellText, fill: (slot: number) => string): string {
  const filled: string[] = [];
  let from = 0;
  for (const [offset, slot] of slots) {
    filled.push(text.slice(from, offset), fill(slot));
    from = offset + SLOT.length;
  }
  return filled.join("") + text.slice(from);
}
