// A page that goes on by itself, as soon as it is opened: browsers that nobody drives can be killed like those of people.
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { expedition, expeditionExecutor, findOrStart, travel, watchStore } from "../../support/expedition.ts";
import { tell } from "./tell.ts";

const NAME = "long-way";
const by = crypto.randomUUID();
const workflows = expedition({ legs: 12, porters: 3, delayMs: 60 });
const traveller = { by, tell, store: indexedDbStore({ name: NAME }) };

const run = await findOrStart(expeditionExecutor(traveller, workflows));
await tell({ type: "ready", run: run.id, by });
void watchStore(indexedDbStore({ name: NAME }), traveller, { workflows, stopped: () => false });
document.title = (await travel(run, traveller)).status;
