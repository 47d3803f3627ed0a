import { createApp } from "vue";
import { openRun } from "../questionnaire/open-run.ts";
import Questionnaire from "./questionnaire.vue";

createApp(Questionnaire, { first: await openRun() }).mount("#app");
