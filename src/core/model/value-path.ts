/** Where a part stands in a value, linked upwards: it is only written out where it is reported. Nothing for the value itself. */
export type ValuePlace = { readonly up: ValuePlace; readonly key: string | number } | undefined;

/** Like `address.lines[0]`. */
export function pathOf(place: ValuePlace): string {
  if (!place) return "";
  const { up, key } = place;
  return `${pathOf(up)}${typeof key === "number" ? `[${key}]` : up ? `.${key}` : key}`;
}

/** As a JSON Pointer (RFC 6901): `/address/lines/0`. */
export function pointerOf(place: ValuePlace): string {
  return place ? `${pointerOf(place.up)}/${String(place.key).replaceAll("~", "~0").replaceAll("/", "~1")}` : "";
}
