import { mount } from "svelte";
import { openRun } from "../questionnaire/open-run.ts";
import Questionnaire from "./questionnaire.svelte";

mount(Questionnaire, { target: document.querySelector("#app")!, props: { first: await openRun() } });
