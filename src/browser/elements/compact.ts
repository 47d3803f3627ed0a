import type { Theme } from "./theme.ts";

/** For tools that people use all day: smaller, closer together. With a finger, what is pressed stays as large as in other themes. */
export const compact: Partial<Theme> = {
  fontSize: ".9375rem",
  lineHeight: "1.4",
  headingSize: "1.2em",
  width: "30rem",
  gap: ".8rem",
  target: "2.125rem",
  pad: ".6rem",
  radius: ".3rem",
  choice: "1.1em",
  focusWidth: "2px",
  motion: ".1s",
};
