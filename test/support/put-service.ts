import { defineBlock, success, type BlockType } from "wavepoint";

/** One call of the service. */
export interface Put {
  /** The block, with its item where it has one. */
  readonly unit: string;
  readonly key: string;
  readonly value: string;
}

/** A service behind `PUT`: what comes under a key that it knows is a repetition. */
export interface PutService {
  readonly puts: readonly Put[];
  /** `Put` hands its input `value` over; with `times` it does so in as many iterations. `Once` is the same with `effect: once`. */
  readonly blocks: readonly BlockType[];
  /** What each key was first used for, in that order. */
  firsts(unit?: string): readonly Put[];
  /** Keys that came with two values: a repetition that is none. */
  mixedKeys(): readonly string[];
}

/** `before`: what happens before a value is handed over. */
export function putService(before: (put: Put) => void | Promise<void> = () => {}): PutService {
  const puts: Put[] = [];
  const blockOf = (type: string, effect: "once" | "repeatable"): BlockType =>
    defineBlock({
      type,
      effect,
      async execute({ block, item, inputs, iteration, idempotencyKey: key, nextIteration }) {
        const put = { unit: item ? `${block}[${item.index}]` : block, key, value: String(inputs["value"]) };
        await before(put);
        puts.push(put);
        return iteration < Number(inputs["times"] ?? 1) ? nextIteration() : success({ value: put.value });
      },
    });
  return {
    puts,
    blocks: [blockOf("Put", "repeatable"), blockOf("Once", "once")],
    firsts: (unit) => firstUses(puts).filter((put) => unit === undefined || put.unit === unit),
    mixedKeys: () => mixedKeys(puts),
  };
}

/** What each key was first used for, in that order. */
export function firstUses(puts: readonly Put[]): readonly Put[] {
  return puts.filter(({ key }, i) => puts.findIndex((other) => other.key === key) === i);
}

/** Keys that came with two values. */
export function mixedKeys(puts: readonly Put[]): readonly string[] {
  const values = new Map<string, string>();
  for (const { key, value } of puts) if (!values.has(key)) values.set(key, value);
  return [...new Set(puts.filter(({ key, value }) => values.get(key) !== value).map(({ key }) => key))];
}
