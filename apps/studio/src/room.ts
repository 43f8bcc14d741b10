// What a room of the page is, and what the page does for it.
import type { Parts } from "./link";
import type { Stage } from "./stage";

export type RoomName = "pair" | "robot" | "simulate" | "terrain" | "sketch" | "pong";

/** The large words above the picture. */
export interface Headline {
  kind: "apart" | "overlap" | "";
  value: string;
  word: string;
  detail: string;
}

export interface Host {
  stage: Stage;
  /** Shows a text to be read; `quiet` takes it away. */
  say(text: string): void;
  quiet(): void;
  headline(headline: Headline): void;
  /** Takes the hint away: whoever looks knows what to do. */
  touched(): void;
  /** Takes files that were chosen, whichever room they belong to. */
  files(files: Iterable<File>): void;
  /** Writes the link some time later. */
  changed(): void;
}

export interface Room {
  name: RoomName;
  panel: HTMLElement;
  /** What the picture shows and its keys, for those who do not see it. */
  label: string;
  /** The text at the edge of the picture. */
  hint: string;
  enter(): void;
  leave(): void;
  /** Takes the room to its beginning. */
  reset(): void;
  /** Opens a link; an exception tells why not, and everything stays as it was. */
  open(parts: Parts): void;
  link(): [string, string | number[]][];
  /** The camera has moved. */
  cameraMoved(): void;
  /** The colours are others. */
  show(): void;
  /** Returns everything as data, for tests. */
  state(): object;
}

/** Returns the message of what was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
