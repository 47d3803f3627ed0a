/** A part of a word. */
export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "slot"; readonly slot: number }
  /** What the shell puts in. Where nothing quotes it, it may become several words. */
  | { readonly kind: "expansion"; readonly splits: boolean }
  /** `$?`, `$#`, `$$` or `$!`. */
  | { readonly kind: "number" };

/** A word of the shell. */
export interface Word {
  /** None where no word starts; an empty text where quotation marks hold nothing. */
  readonly pieces: readonly Piece[];
  /** What it says, quotation marks taken away, where it holds no value and no expansion. */
  readonly literal: string | undefined;
  /** The same where nothing of it is quoted either: only such a word can be a keyword or a number of a stream. */
  readonly bare: string | undefined;
}

/** A word made of its pieces. */
export function makeWord(pieces: readonly Piece[]): Word {
  const texts = pieces.filter((piece) => piece.kind === "text");
  const literal = texts.length === pieces.length ? texts.map(({ text }) => text).join("") : undefined;
  return { pieces, literal, bare: texts.some(({ isQuoted }) => isQuoted) ? undefined : literal };
}
