import type { NewVersion } from "./follow-versions.ts";

/** The page as the browser keeps it, for use without a network. */
export interface KeptPage {
  /** Whether it works without a network from now on. */
  readonly isOffline: boolean;
  /** A version that is kept and not shown yet. */
  readonly newVersion: NewVersion | undefined;
  /** Has the browser keep the page. */
  begin(): Promise<void>;
  /** Waits with the new version until the page is opened again. */
  notNow(): void;
}

/** Makes it; nothing of it is loaded before it begins. */
export function createKeptPage(onChange: () => void): KeptPage {
  let isOffline = false;
  let newVersion: NewVersion | undefined;

  return {
    get isOffline() {
      return isOffline;
    },
    get newVersion() {
      return newVersion;
    },
    async begin() {
      const { followVersions } = await import("./follow-versions.ts");
      await followVersions({
        onOffline() {
          isOffline = true;
          onChange();
        },
        onNewVersion(version) {
          newVersion = version;
          onChange();
        },
      });
    },
    notNow() {
      newVersion = undefined;
      onChange();
    },
  };
}
