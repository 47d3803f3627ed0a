/** The other tabs with this page. What they are told is only a hint to read the store again. */
export interface Tabs {
  /** Says that a run changed, was added or was deleted. */
  tell(run: string): void;
}

/** Joins the other tabs of this page and calls `heard` with the id of each run that changed in one of them. */
export function joinTabs(heard: (run: string) => void): Tabs {
  if (typeof BroadcastChannel === "undefined") return { tell() {} };
  const channel = new BroadcastChannel("wavepoint-demo");
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string") heard(data);
  });
  return { tell: (run) => channel.postMessage(run) };
}
