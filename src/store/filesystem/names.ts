import { crc32 } from "node:zlib";

const DIGITS = "0123456789abcdefghijklmnopqrstuv";
const BITS = 5;

/**
 * A file name for a key. Names of distinct keys differ even if the file system ignores case. No name is a device of Windows, ends in a dot, or is longer than
 * 155 characters. The part behind the "=" says which letters were capital, five for each digit.
 */
export function fileName(key: string): string {
  let capitals = "";
  for (let start = 0; start < key.length; start += BITS) {
    let bits = 0;
    for (let offset = 0; offset < BITS; offset += 1) if (isCapital(key[start + offset])) bits |= 1 << offset;
    capitals += DIGITS[bits];
  }
  return `${key.toLowerCase().replaceAll(".", ",")}=${capitals.replace(/0+$/, "")}`;
}

/** Returns which of 256 directories holds the one with this name: a list reads only changed ones again. */
export function shardOf(name: string): string {
  return (crc32(name) & 0xff).toString(16).padStart(2, "0");
}

/** The key a file name was made from; nothing for a file that is not ours. */
export function keyOfFile(name: string): string | undefined {
  const [lower, capitals, ...more] = name.split("=");
  if (lower === undefined || capitals === undefined || more.length > 0) return undefined;
  const letters = [...lower.replaceAll(",", ".")].map((letter, index) => {
    const digit = capitals[Math.floor(index / BITS)];
    return digit !== undefined && DIGITS.indexOf(digit) & (1 << (index % BITS)) ? letter.toUpperCase() : letter;
  });
  const key = letters.join("");
  return fileName(key) === name ? key : undefined;
}

function isCapital(letter: string | undefined): boolean {
  return letter !== undefined && letter >= "A" && letter <= "Z";
}
