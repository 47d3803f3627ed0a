/** A newer version of the page, which waits until the person accepts it. */
export interface NewVersion {
  /** Loads it. What was typed is kept. */
  load(): void;
}

interface FollowOptions {
  /** All that the page needs is here: it works without a network from now on. */
  onOffline(): void;
  onNewVersion(version: NewVersion): void;
}

/** How often a page that stays open asks whether there is a new version. */
const ASK_AGAIN_MS = 3_600_000;

/** Has the browser keep the page for use without a network. A newer version is announced, and replaces this one only when the person accepts it. */
export async function followVersions({ onOffline, onNewVersion }: FollowOptions): Promise<void> {
  const address = document.querySelector<HTMLMetaElement>('meta[name="service-worker"]')?.content;
  // Pages that come over plain HTTP have no service worker, and neither have some private windows.
  if (address === undefined || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const hadVersion = serviceWorker.controller !== null;
  let isLoading = false;
  const load = (): void => {
    if (isLoading) return;
    isLoading = true;
    location.reload();
  };
  try {
    const registration = await serviceWorker.register(address, { updateViaCache: "none" });
    const tell = (): void => {
      const { waiting } = registration;
      if (!waiting) return;
      onNewVersion({
        load() {
          serviceWorker.addEventListener("controllerchange", load);
          waiting.postMessage("take-over");
        },
      });
    };
    if (hadVersion) tell();
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      installing?.addEventListener("statechange", () => {
        if (installing.state === "installed" && serviceWorker.controller) tell();
      });
    });
    // Another tab took the new version: this one still shows the old.
    if (hadVersion) serviceWorker.addEventListener("controllerchange", () => onNewVersion({ load }));
    setInterval(() => void registration.update().catch(() => undefined), ASK_AGAIN_MS);
    await serviceWorker.ready;
    onOffline();
  } catch {
    // Where the browser keeps nothing for this page, it needs the network as any other page does.
  }
}
