// The page: rooms that share one picture, one address and one place for messages.
import "./style.css";
import { themeButton } from "./colours";
import { hasSimd, lacking, loadCore, memoryBytes, type Vector } from "./core";
import { besideThePage, bytesOf, goesWithRobot, isFigure, isJson, isMatch, isMesh, isObstacles, isRecording, isTerrain, isUrdf, isZip, textOf } from "./files";
import { viewKeys } from "./gestures";
import type { StoredFile } from "./storage";
import { Parts, written } from "./link";
import { chosen, dropped, NO_ROBOT, packed, unzipped, type Named } from "./packages";
import { PairRoom } from "./pair_room";
import { PongRoom } from "./pong_room";
import { RobotRoom } from "./robot_room";
import { SimulationRoom } from "./simulation_room";
import { SketchRoom } from "./sketch_room";
import { messageOf, type Headline, type Host, type Room, type RoomName } from "./room";
import { Stage } from "./stage";
import { TerrainRoom } from "./terrain_room";

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
  state(): object;
  link(): string;
  project(point: Vector): [number, number];
  pixel(x: number, y: number): number[];
  use(): { geometries: number; textures: number; frames: number; wasm: number; simd: boolean };
}

declare global {
  interface Window {
    studio?: Studio;
    /** When the first room was there, milliseconds since the navigation. */
    studioReady?: number;
  }
}

/** Milliseconds after the last change before the address bar and the spoken text follow. */
const LINK_DELAY = 250;
const SPOKEN_DELAY = 600;
const NAMES: RoomName[] = ["pair", "robot", "simulate", "terrain", "sketch", "pong"];

class App implements Host {
  readonly stage: Stage;
  private readonly rooms: Record<RoomName, Room>;
  private readonly pair: PairRoom;
  private readonly robots: RobotRoom;
  private readonly simulations: SimulationRoom;
  private readonly terrain: TerrainRoom;
  private readonly sketch: SketchRoom;
  private readonly pong: PongRoom;
  private room: Room;
  private turning = false;
  private linkTimer = 0;
  private spokenTimer = 0;

  constructor() {
    this.stage = new Stage(
      element<HTMLCanvasElement>("view"),
      () => {
        // The first camera comes before the rooms.
        this.room?.cameraMoved();
        this.changed();
      },
      (lost) => {
        if (lost) this.say("The browser has taken the picture away; it comes back by itself, or after a reload.");
        else this.quiet();
      },
    );
    this.pair = new PairRoom(this, () => this.turning, () => this.touched());
    this.robots = new RobotRoom(this);
    this.simulations = new SimulationRoom(this);
    this.terrain = new TerrainRoom(this);
    this.sketch = new SketchRoom(this);
    this.pong = new PongRoom(this);
    const { pair, robots: robot, simulations: simulate, terrain, sketch, pong } = this;
    this.rooms = { pair, robot, simulate, terrain, sketch, pong };
    this.room = this.pair;
    viewKeys(this.stage, () => this.room.reset());
    this.buttons();
    this.drops();
    this.openLink(location.hash.slice(1));
    void this.openNamed();
    addEventListener("hashchange", ({ newURL }) => {
      // The room's own link may have been written to the address bar meanwhile: the event still tells the one that was put there.
      const link = new URL(newURL).hash.slice(1);
      if (link !== this.link()) this.openLink(link);
    });
    window.studio = {
      state: () => structuredClone(this.room.state()),
      link: () => this.link(),
      project: (point) => this.stage.project(point),
      pixel: (x, y) => this.stage.pixel(x, y),
      use: () => ({ ...this.stage.use, wasm: memoryBytes(), simd: hasSimd() }),
    };
  }

  private enter(name: RoomName): void {
    this.room.leave();
    this.room = this.rooms[name];
    for (const each of NAMES) {
      const tab = element(`room-${each}`);
      if (each === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    element("panel").replaceChildren(this.room.panel);
    element("gesture").hidden = name !== "pair";
    this.stage.canvas.setAttribute("aria-label", this.room.label);
    element("hint").textContent = this.room.hint;
    element("hint").hidden = false;
    this.headline({ kind: "", value: "\u00a0", word: "", detail: "\u00a0" });
    this.room.enter();
  }

  headline({ kind, value, word, detail }: Headline): void {
    element("answer").className = kind;
    element("distance-value").textContent = value;
    element("distance-word").textContent = word;
    element("bracket").textContent = detail;
    clearTimeout(this.spokenTimer);
    this.spokenTimer = window.setTimeout(() => {
      element("spoken").textContent = `${value} ${word}`;
    }, SPOKEN_DELAY);
  }

  touched(): void {
    element("hint").hidden = true;
  }

  /** Writes the link to the address bar, some time after the last change: browsers limit how often that may be. */
  changed(): void {
    clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => this.writeLink(), LINK_DELAY);
  }

  private link(): string {
    return written(this.room.link());
  }

  private writeLink(): void {
    clearTimeout(this.linkTimer);
    history.replaceState(null, "", `#${this.link()}`);
  }

  private openLink(link: string): void {
    if (link === "") {
      this.enter("pair");
      this.room.reset();
      return;
    }
    let refused = "";
    let name: RoomName = this.room.name;
    try {
      const parts = new Parts(link);
      const wanted = parts.one("room", NAMES, "pair");
      this.rooms[wanted].open(parts);
      name = wanted;
    } catch (error) {
      refused = `This link cannot be opened: ${messageOf(error)}`;
    }
    this.quiet();
    this.enter(name);
    if (refused !== "") this.say(refused);
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
    for (const name of NAMES) {
      element(`room-${name}`).addEventListener("click", () => {
        this.quiet();
        this.enter(name);
      });
    }
    themeButton(element<HTMLButtonElement>("theme"), () => {
      this.stage.paint();
      this.room.show();
    });
    const copy = element<HTMLButtonElement>("copy-link");
    copy.addEventListener("click", () => {
      this.writeLink();
      const said = (word: string) => {
        copy.textContent = word;
        setTimeout(() => (copy.textContent = "Copy link"), 1500);
      };
      // Without leave to write to the clipboard the link is in the address bar.
      const put = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("no clipboard"));
      put.then(
        () => said("Copied"),
        () => said("See address"),
      );
    });
  }

  /** Files may be dropped anywhere. */
  private drops(): void {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer) void this.take(dropped(event.dataTransfer));
    });
  }

  files(files: Iterable<File>): void {
    const all = [...files];
    void this.take(Promise.resolve().then(() => chosen(all)));
  }

  /** Opens the files that the address names as `?open=`, which lie beside the page: the command `superovoid` puts them there. */
  private async openNamed(): Promise<void> {
    const names = new URLSearchParams(location.search).getAll("open");
    if (names.length === 0) return;
    try {
      await this.take(besideThePage(names));
    } catch (error) {
      this.say(messageOf(error));
    }
    // They are open: from here on the link alone tells what a reload shows.
    clearTimeout(this.linkTimer);
    history.replaceState(null, "", `${location.pathname}#${this.link()}`);
  }

  /** Gives files to the rooms that they belong to; meshes, an SRDF and obstacles belong to the URDF that they come with. */
  private async take(given: Promise<Named[]>): Promise<void> {
    let read: StoredFile[];
    try {
      read = await this.bytes(await given);
    } catch (error) {
      return this.say(messageOf(error));
    }
    const robot = read.find(({ name, bytes }) => isUrdf(name, bytes));
    const beside = robot || this.robots.lacksMeshes() ? read.filter(goesWithRobot) : [];
    if (robot) {
      // What comes with a robot that is refused is nothing without it.
      if (!(await this.given(this.robots, robot.name, () => this.robots.robot([robot, ...beside])))) return;
    } else if (beside.length > 0) await this.given(this.robots, beside[0].name, () => this.robots.robot(beside));
    for (const file of read) {
      if (file === robot || beside.includes(file)) continue;
      await this.given(undefined, file.name, async () => {
        const room = this.roomOf(file.name, file.bytes);
        if (this.room !== room) this.enter(room.name);
        await room.file(file.name, file.bytes);
      });
    }
  }

  /** Reads files; of folders and zip files what belongs to a robot. */
  private async bytes(files: Named[]): Promise<StoredFile[]> {
    const [read, inPackage]: [StoredFile[], StoredFile[]] = [[], []];
    let name = "";
    for (const { name: path, file, packed: isPacked } of files) {
      try {
        const bytes = await bytesOf(file);
        if (isPacked) {
          name = path.split("/")[0];
          inPackage.push({ name: path, bytes });
        } else if (isZip(bytes)) {
          name = path;
          inPackage.push(...(await unzipped(path, bytes)));
        } else {
          read.push({ name: path, bytes });
        }
      } catch (error) {
        this.say(`${path}: ${messageOf(error)}`);
        name = "";
      }
    }
    if (inPackage.length === 0 && name !== "") throw new Error(`${name}: ${NO_ROBOT}`);
    return [...read, ...packed(inPackage)];
  }

  /** Lets a room take a file, or tells what is wrong with it. */
  private async given(room: Room | undefined, name: string, taken: () => Promise<void>): Promise<boolean> {
    try {
      if (room && this.room !== room) this.enter(room.name);
      await taken();
      return true;
    } catch (error) {
      const text = messageOf(error);
      this.say(text.startsWith(name) ? text : `${name}: ${text}`);
      return false;
    }
  }

  private roomOf(name: string, bytes: Uint8Array): PairRoom | RobotRoom | SimulationRoom | TerrainRoom | SketchRoom | PongRoom {
    if (isMesh(name)) return this.pair;
    if (isRecording(bytes)) return this.simulations;
    if (isObstacles(bytes)) return this.robots;
    const text = textOf(bytes);
    if (isTerrain(text)) return this.terrain;
    if (isFigure(text)) return this.sketch;
    return isMatch(text) ? this.pong : isJson(text) ? this.simulations : this.robots;
  }

  say(text: string): void {
    const box = element("message");
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => this.quiet());
    box.replaceChildren(text, close);
    box.hidden = false;
  }

  quiet(): void {
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
    return missing(`The library could not be loaded: ${messageOf(error)}`);
  }
  new App();
  window.studioReady = performance.now();
}

void start();
