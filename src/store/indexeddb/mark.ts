/*
 * A mark outside the database, in the page's localStorage, says which database something was committed to. A browser that loses or throws
 * away its databases keeps that, and an empty database in the place of the lost one is noticed. Where there is no localStorage (workers)
 * none is set, until a page lists what is in the database. The mark is written once and stays: it may be lost, but never be wrong.
 */

/** Which database the mark tells of, if there is one. */
export function readMark(name: string): string | undefined {
  try {
    return localStorage.getItem(`wavepoint:${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Sets the mark, where that is possible. */
export function writeMark(name: string, id: string): void {
  try {
    localStorage.setItem(`wavepoint:${name}`, id);
  } catch {
    // No localStorage here, or no room.
  }
}
