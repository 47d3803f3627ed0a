import { mount } from "svelte";
import { openRun } from "../../questionnaire/open-run.ts";
import Wizard from "./wizard.svelte";

mount(Wizard, { target: document.querySelector("#app")!, props: { run: await openRun() } });
