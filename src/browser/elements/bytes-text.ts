import type { Locale } from "./locale.ts";

/** A size as people write it: `20 MB`. */
export function bytesText(size: number, { tag }: Locale): string {
  const [amount, unit] = size < 1_000 ? [size, "byte"] : size < 1_000_000 ? [size / 1_000, "kilobyte"] : [size / 1_000_000, "megabyte"];
  return new Intl.NumberFormat(tag, { style: "unit", unit, maximumFractionDigits: amount < 10 ? 1 : 0 }).format(amount);
}
