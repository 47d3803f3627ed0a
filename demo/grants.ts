import type { Grants } from "wavepoint";
import { opfsFiles } from "wavepoint/browser";
import { allowHosts } from "wavepoint/network";

/** What workflows of the page may touch: files of its own in this browser, and the host that it came from. No browser has a shell. */
export function pageGrants(): Grants {
  return { ...ownFiles(), network: allowHosts([location.origin]) };
}

function ownFiles(): Pick<Grants, "files"> {
  try {
    return { files: opfsFiles({ folder: "wavepoint-demo" }) };
  } catch {
    // A page that came over plain HTTP has no such files; the workflows that need some say so.
    return {};
  }
}
