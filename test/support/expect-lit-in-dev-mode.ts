// Tests run lit-html from its development build, which says so on the console; tests may not write there.
(globalThis as { litIssuedWarnings?: Set<string> }).litIssuedWarnings = new Set(["dev-mode"]);
