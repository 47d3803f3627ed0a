/** Sentences that come this close together are read as one. */
const GATHER_MS = 120;

/** Gives a function that has sentences read out by assistive technology, through a live region. */
export function createAnnouncer(region: HTMLElement): (sentences: readonly string[]) => void {
  let waiting: string[] = [];
  return (sentences) => {
    if (sentences.length === 0) return;
    if (waiting.length === 0) {
      setTimeout(() => {
        region.textContent = waiting.join(" ");
        waiting = [];
      }, GATHER_MS);
    }
    waiting.push(...sentences);
  };
}
