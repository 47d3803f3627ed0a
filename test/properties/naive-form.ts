import type { Value, Values } from "wavepoint";
import type { Field, Level } from "./random-form.ts";

/** What an answer to a form comes to, by what the documentation says and nothing else. */
export interface Judged {
  /** What of the answer is asked. */
  readonly kept: Values;
  readonly hidden: ReadonlySet<string>;
  readonly problems: readonly { readonly instancePath: string; readonly code: string }[];
}

/** What the fields around a condition hold; those that are not asked hold nothing. */
type Known = ReadonlyMap<string, Value | undefined>;

export function judgeForm(form: Level, answer: Values): Judged {
  const hidden = new Set<string>();
  const problems: { instancePath: string; code: string }[] = [];
  return { kept: judge(form, answer, "", new Map()), hidden, problems };

  function judge({ fields, rules }: Level, given: Values | undefined, place: string, around: Known): Values {
    const known = new Map(around);
    const kept: { [name: string]: Value } = {};
    for (const field of fields) {
      const instancePath = `${place}/${field.name}`;
      const value = given?.[field.name];
      if (!isAsked(field, known)) {
        hidden.add(instancePath);
        known.set(field.name, undefined);
        continue;
      }
      known.set(field.name, value ?? field.preset ?? null);
      if (field.isRequired && given && value === undefined) problems.push({ instancePath, code: "required" });
      const inner = judgeInner(field, value, instancePath, known);
      if (value !== undefined) kept[field.name] = inner ?? value;
    }
    for (const { low, high } of given ? rules : []) {
      const [least, most] = [known.get(low), known.get(high)];
      if (typeof least === "number" && typeof most === "number" && most < least)
        problems.push({ instancePath: `${place}/${high}`, code: "rule" });
    }
    return kept;
  }

  function judgeInner({ kind, inner }: Field, value: Value | undefined, place: string, around: Known): Value | undefined {
    if (kind === "group") return judge(inner!, value as Values | undefined, place, around);
    if (kind === "rows") return (value as readonly Values[] | undefined)?.map((row, i) => judge(inner!, row, `${place}/${i}`, around));
    return undefined;
  }
}

function isAsked({ when }: Field, known: Known): boolean {
  if (!when) return true;
  const value = known.get(when.field);
  return value !== undefined && (value === when.value) !== when.isNot;
}
