// The room of the live pair: one state, from which the answer, the picture and the numbers follow.
import { keys, pointers, type Handler } from "./gestures";
import type { Parts } from "./link";
import { PairPanel, type Changes } from "./pair_panel";
import { beginning, firstPose, fromLink, toLink, type State } from "./pair_state";
import { PairView } from "./pair_view";
import { answer as answerOf, type Answer } from "./query";
import { messageOf, type Headline, type Host, type Room } from "./room";

export class PairRoom implements Room {
  readonly name = "pair";
  readonly hint = "Drag a body. Drag beside it to turn the view.";
  readonly panel = document.createElement("div");
  private now: State = beginning();
  private answer: Answer;
  private active = false;
  private readonly view: PairView;
  private readonly numbers: PairPanel;

  /** `turning` tells whether dragging turns, `touched` hides the hint. */
  constructor(
    private readonly host: Host,
    turning: () => boolean,
    touched: () => void,
  ) {
    this.answer = answerOf(this.now);
    this.view = new PairView(host.stage);
    this.numbers = new PairPanel(this.panel, this.changes());
    const handler: Handler = {
      active: () => this.active,
      pick: (x, y) => this.view.pick(x, y),
      pose: (body) => this.now.bodies[body].pose,
      selected: () => this.now.selected,
      select: (body) => this.select(body),
      setPose: (body, pose) => {
        this.take((state) => {
          state.bodies[body].pose = pose;
        });
      },
      turning,
      touched,
    };
    pointers(host.stage, handler);
    keys(host.stage, handler);
  }

  enter(): void {
    this.active = true;
    this.host.stage.enter(this.view, { height: -1.2, size: 12 });
    this.begin(this.now);
  }

  leave(): void {
    this.active = false;
  }

  reset(): void {
    this.begin(beginning());
  }

  open(parts: Parts): void {
    const next = fromLink(parts);
    parts.end();
    this.answer = answerOf(next);
    this.now = next;
  }

  link(): [string, string | number[]][] {
    return toLink(this.now);
  }

  state(): State & { answer: Answer } {
    return { ...this.now, answer: this.answer };
  }

  cameraMoved(): void {
    this.now.camera = this.host.stage.getCamera();
  }

  private begin(state: State): void {
    this.now = state;
    this.answer = answerOf(state);
    const { camera } = state;
    this.host.stage.setCamera(camera);
    // Not what rounding has made of it: a link stays as it is.
    this.now.camera = camera;
    this.show();
  }

  /** Takes a changed state if the library answers it; otherwise says why not, and everything stays as it was. */
  private take(change: (state: State) => void): void {
    const next = structuredClone(this.now);
    change(next);
    try {
      this.answer = answerOf(next);
      this.now = next;
      this.host.quiet();
    } catch (error) {
      this.host.say(messageOf(error));
    }
    this.show();
  }

  show(): void {
    this.view.show(this.now, this.answer);
    this.numbers.show(this.now, this.answer);
    this.host.headline(headline(this.answer));
    this.host.changed();
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
      setPublished: (on) => {
        this.take((state) => {
          state.published = on;
        });
      },
      reset: () => this.reset(),
    };
  }
}

function headline(answer: Answer): Headline {
  if (answer.kind === "contact") {
    const { distance, lower, upper, outcome, iterations } = answer.contact;
    const width = upper - lower;
    const wide = width === 0 ? "0" : width.toExponential(1);
    const detail = `bracket ${wide} m wide · ${outcome} · ${iterations} iterations`;
    const value = `${Math.abs(distance).toFixed(6)} m`;
    if (distance > 0) return { kind: "apart", value, word: "apart", detail };
    return { kind: "overlap", value, word: "overlap", detail };
  }
  if (!answer.hit) return { kind: "", value: "no hit", word: "", detail: "" };
  return { kind: "apart", value: `${answer.hit.time.toFixed(6)} m`, word: "to the hit", detail: "" };
}
