import { createApp } from "vue";
import { openRun } from "../../questionnaire/open-run.ts";
import Wizard from "./wizard.vue";

createApp(Wizard, { run: await openRun() }).mount("#app");
