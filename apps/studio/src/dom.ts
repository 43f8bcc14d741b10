// Elements of the page, made in TypeScript.

type Attributes = Record<string, string>;

/** Makes an element with attributes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function makeSvg(tag: string, attributes: Attributes, text = ""): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

/** A row of buttons of which one is pressed. */
export function choice<T>(label: string, options: [T, string, string?][], chosen: (value: T) => void) {
  const row = make("div", { class: "choice", role: "group", "aria-label": label });
  const buttons = options.map(([value, word, colour]) => {
    const button = make("button", { type: "button" }, word);
    if (colour) button.prepend(make("span", { class: "swatch", style: `background: var(--${colour})` }));
    button.addEventListener("click", () => chosen(value));
    row.append(button);
    return { value, button };
  });
  const show = (value: T) => {
    for (const each of buttons) each.button.setAttribute("aria-pressed", String(each.value === value));
  };
  return { row, show };
}

/** A range with a field for the exact number. */
export class Slider {
  readonly row: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly field: HTMLInputElement;

  constructor(name: string, tells: string, least: number, most: number, step: number, changed: (value: number) => void, id = name) {
    const bounds = { min: String(least), max: String(most), step: String(step) };
    this.range = make("input", { type: "range", id: `range-${id}`, "aria-label": `${name}, ${tells}`, ...bounds });
    this.field = make("input", { type: "number", id: `number-${id}`, "aria-label": `${name}, exact`, step: "any" });
    this.range.addEventListener("input", () => changed(Number(this.range.value)));
    this.field.addEventListener("change", () => {
      const { value } = this.field;
      changed(value.trim() === "" ? Number.NaN : Number(value));
    });
    const word = make("span", { title: tells }, name);
    this.row = make("div", { class: "slider" }, word, this.range, this.field);
  }

  show(value: number): void {
    this.range.value = String(value);
    // Rounding for the eye; the number itself stays as it is.
    this.field.value = String(Number(value.toPrecision(10)));
  }
}
