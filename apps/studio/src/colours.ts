// The colours of the style sheet, for what is drawn, and the choice between light and dark.
export interface Colours {
  stage: string;
  grid: string;
  floor: string;
  text: string;
  soft: string;
  line: string;
  accent: string;
  a: string;
  b: string;
  cloth: string;
  apart: string;
  overlap: string;
  /** Those of x, y and z. */
  axes: string[];
}

/** Reads the colours that are in force. */
export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    stage: of("stage"),
    grid: of("grid"),
    floor: of("floor"),
    text: of("text"),
    soft: of("soft"),
    line: of("line"),
    accent: of("accent"),
    a: of("a"),
    b: of("b"),
    cloth: of("cloth"),
    apart: of("apart"),
    overlap: of("overlap"),
    axes: ["x", "y", "z"].map((axis) => of(`axis-${axis}`)),
  };
}

const THEMES = ["system", "light", "dark"] as const;
const WORDS = { system: "as the system", light: "light", dark: "dark" };
const SIGNS = { system: "◐", light: "☀", dark: "☾" };
const KEY = "superovoid-studio-theme";

/** Lets a button change the colours; `changed` is called after every change, the system's included. */
export function themeButton(button: HTMLButtonElement, changed: () => void): void {
  let theme = THEMES.find((name) => name === remembered()) ?? "system";
  const apply = () => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = SIGNS[theme];
    button.setAttribute("aria-label", `Colours: ${WORDS[theme]}`);
    button.title = `Colours: ${WORDS[theme]}`;
  };
  apply();
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    remember(theme);
    apply();
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

// A browser may refuse to store anything: the choice then lasts as long as the page.
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Nothing is lost but the choice.
  }
}
