import type { Token } from "./lexer.ts";

/** Hands out tokens one after another; after the last one it stays there. */
export interface TokenReader {
  peek(): Token;
  next(): Token;
}

/** Reads a list of tokens that ends with an `end` token. */
export function createReader(tokens: readonly Token[]): TokenReader {
  const last = tokens.length - 1;
  let at = 0;
  return {
    peek: () => tokens[at]!,
    next: () => tokens[at < last ? at++ : last]!,
  };
}
