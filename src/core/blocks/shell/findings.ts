/** How a value is put into the text: the variable that holds it, with the quotation marks its place needs. */
export type Insertion = "word" | "double" | "single" | "arithmetic" | "comment";

/** What becomes of a slot. */
export interface Placement {
  readonly insertion: Insertion;
  /** The value is calculated with: only an integer will do. */
  readonly isInteger?: boolean;
  /** The slot helps to name a program: what else stands in its part of the path, before and after the value. */
  readonly program?: { readonly before: string; readonly after: string };
}

/** The slots and the variables that a part of the text uses. */
export interface Uses {
  readonly slots: readonly number[];
  readonly variables: readonly string[];
}

export interface Mark {
  readonly slots: number;
  readonly variables: number;
}

/** Stands among variables for the output of a command, which may be anything. */
export const SUBSTITUTION = "$(";

/** A variable that is given a value. */
export interface Assignment {
  readonly variable: string;
  /** What the value is made of; nothing where that is not known. */
  readonly uses: Uses | undefined;
  /** The slot that is the whole value. */
  readonly whole?: number;
}

/** What reading a command finds, in the order of reading. */
export class Findings {
  /** By number of the slot. */
  readonly placements: Map<number, Placement> = new Map();
  readonly assignments: Assignment[] = [];
  readonly #parsed: { readonly variables: readonly string[]; readonly fail: () => Error; readonly takesIntegers: boolean }[] = [];
  readonly #slots: number[] = [];
  readonly #variables: string[] = [];

  place(slot: number, insertion: Insertion): void {
    this.#slots.push(slot);
    this.placements.set(slot, insertion === "arithmetic" ? { insertion, isInteger: true } : { insertion });
  }

  use(variable: string): void {
    this.#variables.push(variable);
  }

  mark(): Mark {
    return { slots: this.#slots.length, variables: this.#variables.length };
  }

  since(mark: Mark): Uses {
    return { slots: this.#slots.slice(mark.slots), variables: this.#variables.slice(mark.variables) };
  }

  /**
   * A shell parses the values of these variables: none of them may come from a slot, or only integers may. `fail` makes the error.
   */
  forbid(variables: readonly string[], options: { readonly fail: () => Error; readonly takesIntegers?: boolean }): void {
    if (variables.length > 0) this.#parsed.push({ takesIntegers: false, ...options, variables });
  }

  /** Throws for the first place where a shell would parse a value that a variable carries there. */
  assertAllowed(): void {
    if (this.#parsed.length === 0) return;
    const carriers = this.#carriers();
    const checked = new Map<string, boolean>();
    const takes = (variable: string): boolean => {
      const known = checked.get(variable) ?? this.#takeIntegers(variable);
      checked.set(variable, known);
      return known;
    };
    for (const { variables, fail, takesIntegers } of this.#parsed) {
      for (const variable of variables) {
        const carries = carriers.has(variable) || isParameter(variable) || (variable === SUBSTITUTION && !takesIntegers);
        if (carries && !(takesIntegers && takes(variable))) throw fail();
      }
    }
  }

  /** Asks for integers in the slots a variable gets its values from. Gives whether that is all it gets. */
  #takeIntegers(variable: string): boolean {
    const given = this.assignments.filter((assignment) => assignment.variable === variable);
    const slots = given.map(({ whole }) => whole).filter((slot) => slot !== undefined);
    if (isParameter(variable) || slots.length < given.length) return false;
    for (const slot of slots) this.placements.set(slot, { ...this.placements.get(slot)!, isInteger: true });
    return true;
  }

  /** The variables that may hold a value of a slot, whatever way it took. */
  #carriers(): ReadonlySet<string> {
    const carriers = new Set<string>();
    const receivers = new Map<string, string[]>();
    for (const { variable, uses } of this.assignments) {
      if (!uses || uses.slots.length > 0 || uses.variables.some(isParameter)) carriers.add(variable);
      for (const source of uses?.variables ?? []) {
        const known = receivers.get(source);
        if (known) known.push(variable);
        else receivers.set(source, [variable]);
      }
    }
    // A set gives what is added while it is walked.
    for (const carrier of carriers) for (const receiver of receivers.get(carrier) ?? []) carriers.add(receiver);
    return carriers;
  }
}

/** Arguments of the script or of a function: they may be anything. */
function isParameter(variable: string): boolean {
  return variable === "@" || variable === "*" || /^[1-9]/.test(variable);
}
