import type { Theme } from "./theme.ts";

/** For public services: large type, strong lines, no corners to round, and a focus that cannot be overlooked. */
export const gov: Partial<Theme> = {
  accent: "light-dark(#00703c,#4cc38a)",
  onAccent: "light-dark(#fff,#00140a)",
  ink: "light-dark(#0b0c0c,#f3f2f1)",
  quiet: "light-dark(#505a5f,#b1b4b6)",
  surface: "light-dark(#fff,#0b0c0c)",
  line: "light-dark(#0b0c0c,#f3f2f1)",
  optionLine: "transparent",
  bad: "light-dark(#c4281c,#ff8a80)",
  good: "light-dark(#00703c,#4cc38a)",
  attention: "light-dark(#1d70b8,#8ab8e6)",
  focus: "light-dark(#0b0c0c,#fff)",
  focusGlow: "#fd0",
  font: "arial,sans-serif",
  fontSize: "1.1875rem",
  lineHeight: "1.35",
  // Smaller on phones, where a question would fill half of the screen.
  headingSize: "clamp(1.6875rem,1.1rem + 2.5vw,2.25rem)",
  width: "38rem",
  gap: "1.6rem",
  pad: ".6rem",
  border: "2px",
  radius: "0",
  buttonShadow: "0 2px 0 light-dark(#002d18,#0b5c35)",
  choice: "2.1em",
  motion: "0s",
};
