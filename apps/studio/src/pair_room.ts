// The room of the live pair: one state, from which the answer, the picture and the numbers follow.
import { keys, pointers, type Handler } from "./gestures";
import type { Contact } from "./core";
import { store, stored } from "./storage";
import type { Parts } from "./link";
import { MeshRemote } from "./mesh_remote";
import { ring } from "./ring";
import { PairPanel, type Changes } from "./pair_panel";
import { beginning, firstPose, fromLink, toLink, type MeshSource, type State } from "./pair_state";
import { PairView } from "./pair_view";
import { answer as answerOf, type Answer } from "./query";
import { messageOf, type Headline, type Host, type Room } from "./room";
import type { Turned } from "./square";

/** The name under which a dropped mesh is kept. */
const KEY = "mesh";

export class PairRoom implements Room {
  readonly name = "pair";
  readonly label = "Two bodies in space. Arrow keys move the chosen body, with Shift they turn it; Page Up and Page Down move it away and near; Control with arrows turns the view; 1 and 2 choose the body; Home shows the beginning.";
  readonly hint = "Drag a body; with Shift it turns.\nDrag beside it to turn the view; the wheel zooms.\nThe numbers are those of the exact contact.";
  readonly panel = document.createElement("div");
  private now: State = beginning();
  private answer: Answer;
  private active = false;
  private mesh: MeshRemote | undefined;
  /** Which mesh is there, or on its way. */
  private source: MeshSource | undefined;
  /** The last answer of the mesh. */
  private contact: Contact | undefined;
  private asking = false;
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

  /** Takes the bytes of a mesh: body B is then the mesh. */
  async file(name: string, bytes: Uint8Array): Promise<void> {
    const mesh = await MeshRemote.open(name, bytes);
    this.source = "file";
    this.setMesh(mesh);
    this.take((state) => {
      if (state.other !== "mesh") state.bodies[1].pose = firstPose("mesh");
      [state.other, state.mesh, state.selected] = ["mesh", "file", 1];
    });
    if (!(await store(KEY, [{ name, bytes }]))) this.host.say("The mesh is shown, but the browser does not keep it for a reload.");
  }

  private setMesh(mesh: MeshRemote): void {
    this.mesh?.end();
    this.mesh = mesh;
    this.contact = undefined;
    this.view.setMesh(mesh.opened.drawn);
  }

  /** Loads the mesh that the state names, unless it is there. */
  private async needMesh(): Promise<void> {
    const { mesh: source } = this.now;
    if (this.now.other !== "mesh" || this.source === source) return this.askMesh();
    this.source = source;
    try {
      const [file] = source === "file" ? ((await stored(KEY)) ?? []) : [{ name: "ring.obj", bytes: ring() }];
      if (!file) throw new Error("the link needs the file of the mesh; drop it here");
      const mesh = await MeshRemote.open(file.name, file.bytes);
      if (this.source !== source) return mesh.end();
      this.setMesh(mesh);
    } catch (error) {
      this.host.say(messageOf(error));
      this.source = undefined;
      if (source !== "ring") this.take((state) => void (state.mesh = "ring"));
      return;
    }
    return this.askMesh();
  }

  /** Asks the mesh about what is shown. Of changes meanwhile the last one counts. */
  private async askMesh(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.mesh && this.now.other === "mesh") {
        const { mesh, now } = this;
        const contact = await mesh.contact(now.bodies[0], now.bodies[1].pose);
        if (mesh !== this.mesh || this.now.other !== "mesh") continue;
        this.contact = contact;
        this.answer = { ...answerOf(this.now, contact), ...(now === this.now ? { pending: undefined } : {}) };
        this.show();
        if (now === this.now) break;
      }
    } catch (error) {
      this.host.say(messageOf(error));
    } finally {
      this.asking = false;
    }
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
    this.answer = answerOf(next, this.contact);
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
    this.numbers.showShape(this.chosen());
  }

  /** The chosen body as it is seen. */
  private chosen(): Turned {
    return this.host.stage.turned(this.now.bodies[this.now.selected]);
  }

  private begin(state: State): void {
    this.now = state;
    this.answer = answerOf(state, this.contact);
    void this.needMesh();
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
      this.answer = answerOf(next, this.contact);
      this.now = next;
      this.host.quiet();
      void this.needMesh();
    } catch (error) {
      this.host.say(messageOf(error));
    }
    this.show();
  }

  show(): void {
    this.view.show(this.now, this.answer);
    this.numbers.show(this.now, this.answer, this.aboutMesh(), this.chosen());
    this.host.headline(headline(this.answer));
    this.host.changed();
  }

  private aboutMesh(): string {
    if (!this.mesh) return "The mesh is being read.";
    const { name, opened } = this.mesh;
    const scale = opened.scale === 1 ? "" : ` Lengths × ${opened.scale.toPrecision(3)}.`;
    return `${name}: ${opened.triangles.toLocaleString("en")} triangles, compared as a surface.${scale}`;
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
      setTapers: (tx, ty) => {
        this.take((state) => {
          const { numbers } = state.bodies[state.selected];
          [numbers[5], numbers[6]] = [tx, ty];
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
      setTrace: (trace) => {
        this.take((state) => {
          state.trace = trace;
        });
      },
      setGradient: (on) => {
        this.take((state) => {
          state.gradient = on;
        });
      },
      files: (files) => this.host.files(files),
      reset: () => this.reset(),
    };
  }
}

function headline(answer: Answer): Headline {
  if (answer.kind === "contact") {
    if (Number.isNaN(answer.contact.distance)) return { kind: "", value: "…", word: "", detail: "the mesh is being read" };
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
