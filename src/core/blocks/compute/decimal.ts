/**
 * Arithmetic on numbers as they are written: 0.1 + 0.2 is 0.3, and 1.005 lies in the middle between 1 and 1.01. A number stands for the shortest decimal that reads
 * as it; the result is exact, then the nearest number to it. Short numbers, whole when they are multiplied by a power of ten, take the short way.
 */

interface Decimal {
  readonly digits: bigint;
  /** The value is `digits × 10 ** exponent`. */
  readonly exponent: number;
}

/** Digits of a quotient beyond those of what is divided: more than a number holds. */
const QUOTIENT_DIGITS = 40;
/** Whole exponents up to this are multiplied out. */
const MAX_MULTIPLIED = 1_000;

export function add(a: number, b: number): number {
  const sum = a + b;
  if (areWhole(a, b, sum) || !Number.isFinite(sum)) return sum;
  const places = Math.max(placesOf(a), placesOf(b));
  const whole = scale(a, places) + scale(b, places);
  if (Number.isSafeInteger(whole)) return whole / POWERS[places]!;
  const [left, right, exponent] = align(a, b);
  return toNumber({ digits: left + right, exponent });
}

export function multiply(a: number, b: number): number {
  const product = a * b;
  if (areWhole(a, b, product) || !Number.isFinite(product)) return product;
  const [of, by] = [placesOf(a), placesOf(b)];
  const whole = scale(a, of) * scale(b, by);
  if (Number.isSafeInteger(whole) && of + by < POWERS.length) return whole / POWERS[of + by]!;
  const [left, right] = [toDecimal(a), toDecimal(b)];
  return toNumber({ digits: left.digits * right.digits, exponent: left.exponent + right.exponent });
}

/** Infinity for a division by zero. */
export function divide(a: number, b: number): number {
  const quotient = a / b;
  if (b === 0 || areWhole(a, b, quotient) || !Number.isFinite(quotient)) return quotient;
  const places = Math.max(placesOf(a), placesOf(b));
  const [numerator, denominator] = [scale(a, places), scale(b, places)];
  if (Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator)) return numerator / denominator;
  const [left, right] = [toDecimal(a), toDecimal(b)];
  const scaled = left.digits * 10n ** BigInt(QUOTIENT_DIGITS);
  // What is left over only decides between two numbers that are equally near.
  const rest = scaled % right.digits === 0n ? 0n : left.digits < 0n === right.digits < 0n ? 1n : -1n;
  return toNumber({ digits: (scaled / right.digits) * 10n + rest, exponent: left.exponent - right.exponent - QUOTIENT_DIGITS - 1 });
}

/** What is left over, with the sign of `a`; not a number for a division by zero. */
export function remainder(a: number, b: number): number {
  if (b === 0 || areWhole(a, b, 0)) return a % b;
  const [left, right, exponent] = align(a, b);
  return toNumber({ digits: left % right, exponent });
}

export function power(base: number, exponent: number): number {
  if (!Number.isInteger(exponent) || Math.abs(exponent) > MAX_MULTIPLIED) return base ** exponent;
  let result = 1;
  let factor = base;
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (!Number.isFinite(result)) break;
    if (left % 2 === 1) result = multiply(result, factor);
    if (left > 1) factor = Number.isFinite(factor) ? multiply(factor, factor) : factor;
  }
  return exponent < 0 ? divide(1, result) : result;
}

/** Which of its two neighbours a number becomes: the nearer one, from the middle the one away from zero; the lower; the higher. */
export type Rounding = "nearest" | "down" | "up";

/** The number with so many decimal places; below zero, that many zeros before the point. */
export function roundTo(value: number, places: number, rounding: Rounding): number {
  const { digits, exponent } = toDecimal(value);
  const dropped = -places - exponent;
  if (dropped <= 0) return value;
  const unit = 10n ** BigInt(dropped);
  const rest = digits % unit;
  return toNumber({ digits: digits / unit + stepFor(rest, unit, rounding), exponent: -places });
}

/** What is added to a number that was cut off. */
function stepFor(rest: bigint, unit: bigint, rounding: Rounding): bigint {
  if (rounding === "down") return rest < 0n ? -1n : 0n;
  if (rounding === "up") return rest > 0n ? 1n : 0n;
  if (rest < 0n) return -rest * 2n >= unit ? -1n : 0n;
  return rest * 2n >= unit ? 1n : 0n;
}

/** Powers of ten that numbers hold exactly. */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, places) => Number(`1e${places}`));
/** More decimal places than the short way takes. */
const TOO_MANY = POWERS.length;

/** How many decimal places a number has, as it is written. */
function placesOf(value: number): number {
  for (let places = 0; places < TOO_MANY; places++) {
    const whole = scale(value, places);
    if (!Number.isSafeInteger(whole)) return TOO_MANY;
    if (value === whole / POWERS[places]!) return places;
  }
  return TOO_MANY;
}

/** The number without its point, so many places to the right; not a number where that is too far. */
function scale(value: number, places: number): number {
  return Math.round(value * (POWERS[places] ?? Number.NaN));
}

function areWhole(a: number, b: number, result: number): boolean {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(result);
}

function align(a: number, b: number): readonly [left: bigint, right: bigint, exponent: number] {
  const [left, right] = [toDecimal(a), toDecimal(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const shift = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return [shift(left), shift(right), exponent];
}

function toDecimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function toNumber({ digits, exponent }: Decimal): number {
  return Number(`${digits}e${exponent}`);
}
