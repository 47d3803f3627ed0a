/** What the controls of rare kinds say: lists, orders, long lists of choices, signatures. */
export interface FieldMessages {
  moveUp(name: string): string;
  moveDown(name: string): string;
  /** Said once something was moved; `place` is "2 of 5". */
  moved(name: string, place: string): string;
  place(number: string, count: string): string;
  added(name: string): string;
  removed(name: string, left: string): string;
  /** Below the line in which one searches. */
  readonly searchHint: string;
  found(count: string): string;
  readonly nothingFound: string;
  readonly showAll: string;
  /** The choice of a text that is none of the choices. */
  readonly other: string;
  /** Above the line for that text. */
  readonly otherText: string;
  /** In the place of `searchHint` and `nothingFound`, where other texts may be given. */
  readonly searchOther: string;
  readonly takenAsOther: string;
  readonly signHere: string;
  readonly typeName: string;
  readonly signed: string;
  readonly addFiles: string;
}
