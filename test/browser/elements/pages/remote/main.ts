// A wizard whose engine is on a server, with the browser's Back: `#http://127.0.0.1:40123`.
import { questionHistory } from "wavepoint/browser";
import { define } from "wavepoint/elements";
import { remoteExecutor } from "wavepoint/remote";

const executor = remoteExecutor(location.hash.slice(1));
const [last] = (await executor.runs.list({ limit: 1 })).items;
const run = last ? await executor.open(last.id) : await executor.start("claim");
questionHistory(run);
document.querySelector("wavepoint-run")!.run = run;
define();
