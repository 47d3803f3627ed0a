/** Scrolls the board, and nothing else, so that the wave under way is in sight. Only when it changed: a reader may have scrolled elsewhere. */
export function followWave(root: ParentNode): void {
  const board = root.querySelector<HTMLElement>(".board");
  if (!board) return;
  const waves = [...board.querySelectorAll<HTMLElement>(".wave")];
  const now = waves.findIndex((wave) => wave.dataset.state === "now");
  const last = followed.get(board);
  followed.set(board, now);
  const wave = waves[now];
  if (!wave || now === last) return;
  const start = wave.offsetLeft - (waves[0]?.offsetLeft ?? 0);
  const isCalm = last === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches;
  board.scrollTo({ left: Math.max(0, start - (board.clientWidth - wave.offsetWidth) / 2), behavior: isCalm ? "auto" : "smooth" });
}

const followed = new WeakMap<HTMLElement, number>();
