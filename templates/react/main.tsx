import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Wizard } from "./wizard.tsx";

createRoot(document.querySelector("#app")!).render(
  <StrictMode>
    <Wizard />
  </StrictMode>,
);
