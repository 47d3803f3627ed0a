import { filesystemStore } from "wavepoint/store/filesystem";
import { play } from "./wizard.js";

process.stdout.write(JSON.stringify(await play(filesystemStore(process.argv[2]))));
