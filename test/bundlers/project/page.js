import { indexedDbStore } from "wavepoint/store/indexeddb";
import { openStore } from "wavepoint/store/open";
import { play } from "./wizard.js";

async function tell() {
  // An address of files is refused in a page, by the package and not by the bundler.
  const refused = await openStore("runs").catch(({ code }) => code);
  return { ...(await play(indexedDbStore({ name: location.pathname }))), refused };
}
tell()
  .catch((error) => ({ error: String(error.stack) }))
  .then((told) => (document.title = JSON.stringify(told)));
