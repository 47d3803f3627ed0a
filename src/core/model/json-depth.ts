const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Whether lists and objects in a JSON text are nested deeper than a number of levels. Reading such a text works on every platform; writing
 * it again and copying what was read do not.
 */
export function isDeeperThan(json: string, levels: number): boolean {
  // Each level takes two characters.
  if (json.length <= levels * 2) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(json, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > levels) return true;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
  }
  return false;
}

/** The place of the quote that ends a text, or the end of all. Searched for by the platform: a text may hold megabytes. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes stand for themselves.
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}
