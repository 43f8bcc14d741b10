// The page: one state, from which the answer, the picture, the numbers and the link follow.
import "./style.css";
import { themeButton } from "./colours";
import { lacking, loadCore, memoryBytes, type Vector } from "./core";
import { keys, pointers, type Handler } from "./gestures";
import { Panel, type Changes } from "./panel";
import { answer as answerOf, type Answer } from "./query";
import { beginning, firstPose, fromLink, toLink, type State } from "./state";
import { View } from "./view";

function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found as T;
}

/** Shows a text instead of the page. */
function missing(text: string): void {
  element("missing-text").textContent = text;
  element("missing").hidden = false;
}

function hasWebGl2(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

/** What tests read. */
export interface Studio {
  state(): State & { answer: Answer };
  link(): string;
  project(point: Vector): [number, number];
  pixel(x: number, y: number): number[];
  use(): { geometries: number; textures: number; frames: number; wasm: number };
}

declare global {
  interface Window {
    studio?: Studio;
  }
}

/** Milliseconds after the last change before the address bar and the spoken text follow. */
const LINK_DELAY = 250;
const SPOKEN_DELAY = 600;

class App {
  private state: State = beginning();
  private answer: Answer;
  private turning = false;
  private readonly view: View;
  private readonly panel: Panel;
  private linkTimer = 0;
  private spokenTimer = 0;

  constructor() {
    this.answer = answerOf(this.state);
    const canvas = element<HTMLCanvasElement>("view");
    this.view = new View(
      canvas,
      () => this.cameraMoved(),
      (lost) => {
        if (lost) this.say("The browser has taken the picture away; it comes back by itself, or after a reload.");
        else this.quiet();
      },
    );
    this.panel = new Panel(element("panel"), this.changes());
    const handler = this.handler();
    pointers(this.view, handler);
    keys(this.view, handler);
    this.buttons();
    this.openLink();
    addEventListener("hashchange", () => {
      if (location.hash.slice(1) !== toLink(this.state)) this.openLink();
    });
    window.studio = {
      state: () => structuredClone({ ...this.state, answer: this.answer }),
      link: () => toLink(this.state),
      project: (point) => this.view.project(point),
      pixel: (x, y) => this.view.pixel(x, y),
      use: () => ({ ...this.view.use, wasm: memoryBytes() }),
    };
  }

  /** Takes a changed state if the library answers it; otherwise says why not, and everything stays as it was. */
  private take(change: (state: State) => void): boolean {
    const next = structuredClone(this.state);
    change(next);
    try {
      this.answer = answerOf(next);
      this.state = next;
      this.quiet();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
    this.show();
    return this.state === next;
  }

  private show(): void {
    this.view.show(this.state, this.answer);
    this.panel.show(this.state, this.answer);
    this.showAnswer();
    this.remember();
  }

  private showAnswer(): void {
    const box = element("answer");
    let [value, word, bracket, kind] = ["", "", "", ""];
    if (this.answer.kind === "contact") {
      const { distance, lower, upper, outcome, iterations } = this.answer.contact;
      kind = distance > 0 ? "apart" : "overlap";
      value = `${Math.abs(distance).toFixed(6)} m`;
      word = distance > 0 ? "apart" : "overlap";
      const width = upper - lower;
      bracket = `bracket ${width === 0 ? "0" : width.toExponential(1)} m wide · ${outcome} · ${iterations} iterations`;
    } else if (this.answer.hit) {
      kind = "apart";
      value = `${this.answer.hit.time.toFixed(6)} m`;
      word = "to the hit";
    } else {
      value = "no hit";
    }
    box.className = kind;
    element("distance-value").textContent = value;
    element("distance-word").textContent = word;
    element("bracket").textContent = bracket;
    clearTimeout(this.spokenTimer);
    this.spokenTimer = window.setTimeout(() => {
      element("spoken").textContent = `${value} ${word}`;
    }, SPOKEN_DELAY);
  }

  /** Writes the link to the address bar, some time after the last change: browsers limit how often that may be. */
  private remember(): void {
    clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => this.writeLink(), LINK_DELAY);
  }

  private writeLink(): void {
    clearTimeout(this.linkTimer);
    history.replaceState(null, "", `#${toLink(this.state)}`);
  }

  private openLink(): void {
    const link = location.hash.slice(1);
    if (link === "") {
      this.begin(beginning());
      return;
    }
    try {
      const next = fromLink(link);
      this.answer = answerOf(next);
      this.begin(next);
      this.quiet();
    } catch (error) {
      this.begin(this.state);
      this.say(`This link cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private begin(state: State): void {
    this.state = state;
    this.answer = answerOf(state);
    const { camera } = state;
    this.view.setCamera(camera.position, camera.target);
    // Not what rounding has made of it: a link stays as it is.
    this.state.camera = camera;
    this.show();
  }

  private cameraMoved(): void {
    const { camera, controls } = this.view;
    this.state.camera = { position: camera.position.toArray(), target: controls.target.toArray() };
    this.remember();
  }

  private handler(): Handler {
    return {
      pose: (body) => this.state.bodies[body].pose,
      selected: () => this.state.selected,
      select: (body) => this.select(body),
      setPose: (body, pose) => {
        this.take((state) => {
          state.bodies[body].pose = pose;
        });
      },
      turning: () => this.turning,
      reset: () => this.begin(beginning()),
      touched: () => {
        element("hint").hidden = true;
      },
    };
  }

  private select(body: 0 | 1): void {
    this.take((state) => {
      state.selected = body;
    });
  }

  private changes(): Changes {
    return {
      select: (body) => this.select(body),
      setNumber: (index, value) => {
        this.take((state) => {
          state.bodies[state.selected].numbers[index] = value;
        });
      },
      setExponents: (e1, e2) => {
        this.take((state) => {
          const { numbers } = state.bodies[state.selected];
          [numbers[3], numbers[4]] = [e1, e2];
        });
      },
      setOther: (other) => {
        this.take((state) => {
          state.other = other;
          state.selected = 1;
          state.bodies[1].pose = firstPose(other);
        });
      },
      setCertifiedDepth: (on) => {
        this.take((state) => {
          state.certifiedDepth = on;
        });
      },
      setOverlay: (segments) => {
        this.take((state) => {
          state.overlay = segments;
        });
      },
      reset: () => this.begin(beginning()),
    };
  }

  private buttons(): void {
    const [move, turn] = [element("gesture-move"), element("gesture-turn")];
    const set = (turning: boolean) => {
      this.turning = turning;
      move.setAttribute("aria-pressed", String(!turning));
      turn.setAttribute("aria-pressed", String(turning));
    };
    move.addEventListener("click", () => set(false));
    turn.addEventListener("click", () => set(true));
    themeButton(element<HTMLButtonElement>("theme"), () => {
      this.view.paint();
      this.show();
    });
    this.view.paint();
    const copy = element<HTMLButtonElement>("copy-link");
    copy.addEventListener("click", () => {
      this.writeLink();
      const said = (word: string) => {
        copy.textContent = word;
        setTimeout(() => (copy.textContent = "Copy link"), 1500);
      };
      // Without leave to write to the clipboard the link is in the address bar.
      const written = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("no clipboard"));
      written.then(
        () => said("Copied"),
        () => said("See address"),
      );
    });
  }

  private say(text: string): void {
    const box = element("message");
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => this.quiet());
    box.replaceChildren(text, close);
    box.hidden = false;
  }

  private quiet(): void {
    element("message").hidden = true;
  }
}

async function start(): Promise<void> {
  const lack = lacking();
  if (lack) return missing(lack);
  if (!hasWebGl2()) return missing("This browser has no WebGL 2, or it is switched off.");
  try {
    await loadCore();
  } catch (error) {
    return missing(`The library could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  new App();
}

void start();
