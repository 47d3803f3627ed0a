import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openRun } from "../questionnaire/open-run.ts";
import { Questionnaire } from "./questionnaire.tsx";

const first = await openRun();
createRoot(document.querySelector("#app")!).render(
  <StrictMode>
    <Questionnaire first={first} />
  </StrictMode>,
);
