import type { SecretForm } from "./secret-forms.ts";

const BLANK = 32;
const PLUS = 43;
/** Characters that the table of the first two tells apart; others share places, which only costs time. */
const TABLE_BITS = 7;
const TABLE_MASK = (1 << TABLE_BITS) - 1;
const UNITS = 65_536;

/**
 * Finds forms of secrets in texts: the machine of Aho and Corasick ("Efficient string matching", 1975) over UTF-16 units. All forms are looked
 * for at once and in linear time. A blank and a plus count as the same, for forms on web pages write one for the other.
 */
export class TextFinder {
  readonly forms: readonly SecretForm[];
  /** Characters of all forms. */
  readonly size: number;
  /** The state that follows a state on a unit, for those that do not begin anew. A state is a beginning of a form; 0 is the empty one. */
  readonly #edges = new Map<number, number>();
  /** The state of the longest proper ending that begins a form. */
  readonly #fail: Int32Array;
  readonly #depth: Int32Array;
  /** The longest form that ends in a state, or -1. */
  readonly #longest: Int32Array;
  /** 1 where two characters begin a form. */
  readonly #pairs = new Uint8Array(1 << (2 * TABLE_BITS));
  #backwards: TextFinder | undefined;

  constructor(forms: readonly SecretForm[]) {
    this.forms = forms;
    this.size = forms.reduce((sum, { text }) => sum + text.length, 0);
    this.#fail = new Int32Array(this.size + 1);
    this.#depth = new Int32Array(this.size + 1);
    this.#longest = new Int32Array(this.size + 1).fill(-1);
    const parent = new Int32Array(this.size + 1);
    const unitOf = new Uint16Array(this.size + 1);
    let states = 0;
    for (const [form, { text }] of forms.entries()) {
      let state = 0;
      for (let i = 0; i < text.length; i++) {
        const unit = fold(text.charCodeAt(i));
        let next = this.#edges.get(state * UNITS + unit);
        if (next === undefined) {
          this.#edges.set(state * UNITS + unit, (next = ++states));
          this.#depth[next] = i + 1;
          parent[next] = state;
          unitOf[next] = unit;
        }
        state = next;
      }
      this.#longest[state] = form;
      this.#pairs[pairIndex(text, 0)] = 1;
    }
    const byDepth = Int32Array.from({ length: states }, (_, i) => i + 1).toSorted((a, b) => this.#depth[a]! - this.#depth[b]!);
    for (const state of byDepth) {
      if (this.#depth[state]! > 1) this.#fail[state] = this.#follow(this.#fail[parent[state]!]!, unitOf[state]!);
      if (this.#longest[state] === -1) this.#longest[state] = this.#longest[this.#fail[state]!]!;
    }
  }

  /**
   * Goes over a text once and tells of the longest form that ends at each place, one past its last character. Gives how many characters at the end
   * are the beginning of a form that may go on in another text.
   */
  scan(text: string, see: (form: SecretForm, end: number) => void): number {
    const last = text.length - 1;
    let state = 0;
    for (let i = 0; i <= last; i++) {
      // Nearly all characters of nearly all texts begin nothing.
      if (state === 0 && i < last && this.#pairs[pairIndex(text, i)] === 0) continue;
      state = this.#follow(state, fold(text.charCodeAt(i)));
      const found = this.#longest[state]!;
      if (found >= 0) see(this.forms[found]!, i + 1);
    }
    return this.#depth[state]!;
  }

  /** Finds the forms read from behind: their beginnings are the endings of the forms. */
  get backwards(): TextFinder {
    return (this.#backwards ??= new TextFinder(this.forms.map((form) => ({ ...form, text: reverse(form.text) }))));
  }

  #follow(state: number, unit: number): number {
    for (let from = state; ; from = this.#fail[from]!) {
      const next = this.#edges.get(from * UNITS + unit);
      if (next !== undefined) return next;
      if (from === 0) return 0;
    }
  }
}

export function reverse(text: string): string {
  return text.split("").toReversed().join("");
}

function fold(unit: number): number {
  return unit === BLANK ? PLUS : unit;
}

function pairIndex(text: string, at: number): number {
  return ((fold(text.charCodeAt(at)) & TABLE_MASK) << TABLE_BITS) | (fold(text.charCodeAt(at + 1)) & TABLE_MASK);
}
