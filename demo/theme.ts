/** Light or dark, as the page is shown. */
export type Theme = "light" | "dark";

/** What the page looks like by day and by night. */
export interface ThemeSwitch {
  readonly theme: Theme;
  turn(): void;
}

const KEY = "wavepoint-demo:theme";

/** Follows the system until the person chooses the other one, and again once both are the same. */
export function createThemeSwitch(onChange: () => void): ThemeSwitch {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = readChoice();
  const shown = (): Theme => chosen ?? (system.matches ? "dark" : "light");
  apply();
  system.addEventListener("change", apply);
  return {
    get theme() {
      return shown();
    },
    turn() {
      const wanted = shown() === "dark" ? "light" : "dark";
      chosen = wanted === (system.matches ? "dark" : "light") ? undefined : wanted;
      keepChoice(chosen);
      apply();
    },
  };

  function apply(): void {
    const { documentElement: root, head } = document;
    if (chosen === undefined) delete root.dataset["theme"];
    else root.dataset["theme"] = chosen;
    // The bar of the browser around the page.
    for (const meta of head.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
      const own = (meta.dataset["media"] ??= meta.media);
      meta.media = chosen === undefined ? own : own.includes(chosen) ? "all" : "not all";
    }
    onChange();
  }
}

function readChoice(): Theme | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : undefined;
  } catch {
    // A browser that keeps nothing for this page refuses even to be asked.
    return undefined;
  }
}

function keepChoice(theme: Theme | undefined): void {
  try {
    if (theme === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // It holds until the page is left.
  }
}
