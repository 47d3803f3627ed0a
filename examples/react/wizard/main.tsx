import { createRoot } from "react-dom/client";
import { openRun } from "../../questionnaire/open-run.ts";
import { Wizard } from "./wizard.tsx";

createRoot(document.querySelector("#app")!).render(<Wizard run={await openRun()} />);
