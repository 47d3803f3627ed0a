import type { FieldMessages, Messages } from "../messages.ts";

/** The messages with the English ones in place of those that are left out. */
export function fieldWordsOf({ fields }: Messages): FieldMessages {
  return { ...english, ...fields };
}

const english: FieldMessages = {
  moveUp: (name) => `Move ${name} up`,
  moveDown: (name) => `Move ${name} down`,
  moved: (name, place) => `${name} is now ${place}.`,
  place: (number, count) => `${number} of ${count}`,
  added: (name) => `${name} was added.`,
  removed: (name, left) => `${name} was removed. ${left} left.`,
  searchHint: "Type to search the list.",
  found: (count) => `${count} found`,
  nothingFound: "Nothing in the list fits this.",
  showAll: "Show the whole list",
  other: "Other",
  otherText: "Please say",
  searchOther: "Type to search the list, or write something else.",
  takenAsOther: "Not in the list: it is taken as you write it.",
  signHere: "Sign here with a finger, a pen or the mouse.",
  typeName: "Or type your full name",
  signed: "Signed",
  addFiles: "You may choose several files, or drop them here.",
  or: "or",
  cleared: "Your other choices were cleared.",
  characters: (used, most) => `${used} of ${most} characters`,
  takes: (kinds, size) => [kinds, size && `at most ${size}`].filter(Boolean).join(", "),
  kinds: { image: "pictures", audio: "sound", video: "videos", text: "texts" },
};
