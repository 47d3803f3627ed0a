const NULL = /^(?:~|[Nn]ull|NULL)$/;
const BOOLEAN = /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/;
const NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)$/;
const INFINITY = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

/** What a scalar without quotation marks means. YAML 1.2.2, "Core Schema". */
export function plainValue(source: string): string | number | boolean | null {
  if (!mayBeMore(source.charCodeAt(0))) return source;
  if (NUMBER.test(source)) return Number(source);
  if (NULL.test(source)) return null;
  if (BOOLEAN.test(source)) return source[0] === "t" || source[0] === "T";
  if (INFINITY.test(source)) return source[0] === "-" ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(source) ? NaN : source;
}

/** Whether anything but a text starts with this character: most texts need no pattern. */
function mayBeMore(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || "+-.~nNtTfF".includes(String.fromCharCode(code));
}
