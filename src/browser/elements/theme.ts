/** How the elements look: each member is the custom property of the same name, `onAccent` is `--wavepoint-on-accent`. */
export interface Theme {
  /** The colour of what is chosen, pressed, or now. */
  readonly accent: string;
  /** Text on it. */
  readonly onAccent: string;
  /** Text. */
  readonly ink: string;
  /** Hints. */
  readonly quiet: string;
  /** Behind what is typed. */
  readonly surface: string;
  /** Borders. */
  readonly line: string;
  /** Borders around what can be chosen. */
  readonly optionLine: string;
  /** What is wrong. */
  readonly bad: string;
  /** What is done. */
  readonly good: string;
  /** What wants attention: notices, and what waits. */
  readonly attention: string;
  /** The frame of what has the focus. */
  readonly focus: string;
  /** How thick that is. */
  readonly focusWidth: string;
  /** A second frame around it, for grounds on which one colour is not seen. */
  readonly focusGlow: string;
  /** The family of the font. */
  readonly font: string;
  readonly fontSize: string;
  readonly lineHeight: string;
  readonly headingSize: string;
  readonly headingWeight: string;
  readonly labelWeight: string;
  /** The widest that a question is. */
  readonly width: string;
  /** Between parts. */
  readonly gap: string;
  /** The least height of what is pressed, chosen or typed into. */
  readonly target: string;
  /** Within controls and buttons, at both sides. */
  readonly pad: string;
  /** How thick borders are. */
  readonly border: string;
  /** Of corners. */
  readonly radius: string;
  /** Of the corners of buttons. */
  readonly buttonRadius: string;
  /** Below the main button. */
  readonly buttonShadow: string;
  /** The size of the circles and boxes to choose with. */
  readonly choice: string;
  /** How long a field that joins a form takes to appear; nothing moves for people who prefer that. */
  readonly motion: string;
}

/** The theme that stands where no other one is applied. */
export const plain: Theme = {
  accent: "light-dark(#0b6a78,#5fc4cf)",
  onAccent: "light-dark(#fff,#04181d)",
  ink: "light-dark(#10292f,#e6f1f1)",
  quiet: "light-dark(#4a6268,#a3bcc1)",
  surface: "light-dark(#fff,#11262e)",
  line: "light-dark(#6d8a8f,#6b919a)",
  optionLine: "var(--w-line)",
  bad: "light-dark(#b3202c,#ff9a9a)",
  good: "light-dark(#17723f,#72d199)",
  attention: "light-dark(#8a5a00,#f0c060)",
  focus: "var(--w-accent)",
  focusWidth: "3px",
  focusGlow: "transparent",
  font: "inherit",
  fontSize: "inherit",
  lineHeight: "1.5",
  headingSize: "1.5em",
  headingWeight: "700",
  labelWeight: "600",
  width: "35rem",
  gap: "1.25rem",
  target: "2.75rem",
  pad: ".75rem",
  border: "1px",
  radius: ".5rem",
  buttonRadius: "var(--w-radius)",
  buttonShadow: "none",
  choice: "1.25em",
  motion: ".2s",
};

/** Declarations of custom properties, one for each member. */
export function declare(theme: Partial<Theme>, line: (name: string, value: string) => string): string {
  return Object.entries(theme)
    .map(([name, value]) =>
      line(
        name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        value,
      ),
    )
    .join("");
}

const applied = new WeakMap<Document | ShadowRoot, CSSStyleSheet>();

/**
 * Gives the elements of a page, or of a shadow root, another theme in place of the one before. Rules of the page win over it, those that stand in
 * cascade layers too where they are declared later.
 */
export function applyTheme(theme: Partial<Theme>, root: Document | ShadowRoot = document): void {
  let sheet = applied.get(root);
  if (!sheet) {
    const { defaultView } = "defaultView" in root ? root : root.ownerDocument;
    // A sheet belongs to the document whose window made it.
    applied.set(root, (sheet = new (defaultView as Window & typeof globalThis).CSSStyleSheet()));
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
  sheet.replaceSync(`@layer wavepoint{:root,:host{${declare(theme, (name, value) => `--wavepoint-${name}:${value};`)}}}`);
}
