import { expressionError } from "../../expression/lexer.ts";
import { MAX_COMPUTE_STEPS, MAX_VALUE_LENGTH } from "../../model/limits.ts";

/** Characters of a text that count as one step. */
const CHARACTERS_PER_STEP = 64;

/** What computing may cost: every part of a formula that is evaluated and every item that is looked at is a step. */
export class Budget {
  #left = MAX_COMPUTE_STEPS;

  /** Throws `LIMIT_EXCEEDED` where no more steps are left. `column` is where the formula is then. */
  spend(steps: number, column: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    const message = `Computing takes more than ${MAX_COMPUTE_STEPS} steps (MAX_COMPUTE_STEPS). Compute with shorter lists and texts, or in several blocks.`;
    throw expressionError("LIMIT_EXCEEDED", column - 1, message);
  }

  /** Pays for a text that is read or made. Throws `LIMIT_EXCEEDED` also where a value cannot hold it. */
  spendText(length: number, column: number): void {
    this.spend(1 + Math.floor(length / CHARACTERS_PER_STEP), column);
    if (length > MAX_VALUE_LENGTH) {
      throw expressionError("LIMIT_EXCEEDED", column - 1, `A text is longer than ${MAX_VALUE_LENGTH} characters. Make it shorter.`);
    }
  }

  /** Pays for a value that is looked at as a whole: lists that hold one list many times are as large as they look. */
  spendWhole(value: unknown, column: number): void {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const next = open.pop();
      if (typeof next === "string") this.spendText(next.length, column);
      else this.spend(1, column);
      if (typeof next !== "object" || next === null || ArrayBuffer.isView(next)) continue;
      const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
      this.spend(members.length, column);
      for (const member of members) open.push(member);
    }
  }
}
