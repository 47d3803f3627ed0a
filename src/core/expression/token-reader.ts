import type { Token } from "./lexer.ts";

/** Hands out tokens one after another; after the last one it stays there. */
export interface TokenReader {
  peek(): Token;
  next(): Token;
}

/** Reads a list of tokens that ends with an `end` or an `invalid` token; coming to the latter throws its error. */
export function createReader(tokens: readonly Token[]): TokenReader {
  const last = tokens.length - 1;
  let at = 0;
  const peek = (): Token => {
    const token = tokens[at]!;
    if (token.error !== undefined) throw token.error;
    return token;
  };
  return {
    peek,
    next() {
      const token = peek();
      if (at < last) at++;
      return token;
    },
  };
}
