import { createApp } from "vue";
import { openRun } from "../../questionnaire/open-run.ts";
import Wizard from "./wizard.vue";

createApp(Wizard, { first: await openRun() }).mount("#app");
