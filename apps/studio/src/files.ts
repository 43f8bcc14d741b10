// Files that people drop on the page.
import type { StoredFile } from "./storage";

/** Larger files are refused. */
export const MOST_BYTES = 256 * 2 ** 20;

export async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MOST_BYTES) throw new Error(`the file has more than ${MOST_BYTES / 2 ** 20} MiB`);
  return new Uint8Array(await file.arrayBuffer());
}

/** Fetches files of the folder `files` beside the page; the name that is empty stands for all, which the folder lists. */
export async function besideThePage(names: string[]): Promise<{ name: string; file: File; packed: boolean }[]> {
  const beside = async (name: string) => {
    const answer = await fetch(`files/${encodeURIComponent(name)}`);
    if (!answer.ok) throw new Error(`${name}: the server answers ${answer.status}`);
    return answer;
  };
  const listed = names.includes("") ? ((await (await beside("")).json()) as string[]) : names;
  // The name of a file has no folders, that of a mesh may.
  return Promise.all(listed.map(async (name) => ({ name, file: new File([await (await beside(name)).blob()], name), packed: false })));
}

/** Returns the bytes of a file that comes with the page. */
export async function bytesAt(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: the server answers ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("the file is not text");
  }
}

/** Whether a file is a mesh, by its name. */
export function isMesh(name: string): boolean {
  return /\.(stl|obj|dae)$/i.test(name);
}

/** Whether a file says which pairs of links are not compared, by its name. */
export function isSrdf(name: string): boolean {
  return /\.srdf$/i.test(name);
}

/** Whether a file is a trajectory, by its name. */
export function isTrajectory(name: string): boolean {
  return /\.csv$/i.test(name);
}

/** Whether a file belongs to the robot that it comes with, or to the one that is shown: a mesh, an SRDF or obstacles. */
export function goesWithRobot({ name, bytes }: StoredFile): boolean {
  return isMesh(name) || isSrdf(name) || isObstacles(bytes);
}

/** Whether a file is meant as obstacles of a robot: JSON whose second key is that. */
export function isObstacles(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 1000));
  return /^\s*\{\s*"version"\s*:[^,]*,\s*"obstacles"/.test(start);
}

/** Whether a file is meant as a robot: XML that is neither a mesh nor an SRDF. */
export function isUrdf(name: string, bytes: Uint8Array): boolean {
  if (/\.urdf$/i.test(name)) return true;
  const start = new TextDecoder().decode(bytes.subarray(0, 1000));
  return !isMesh(name) && !isSrdf(name) && start.trimStart().startsWith("<");
}

/** Whether a file is a zip file. */
export function isZip(bytes: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, k) => bytes[k] === byte);
}

/** Whether a file is a recording of a simulation. */
export function isRecording(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 7)) === "SOVOREC";
}

/** Whether a text is meant as the record of a match of Pong: JSON that begins with its players. */
export function isMatch(text: string): boolean {
  return isJson(text) && /"settings"\s*:\s*\{\s*"players"/.test(text);
}

/** Whether a text is meant as a terrain: JSON whose second key is that. */
export function isTerrain(text: string): boolean {
  return /^\s*\{\s*"version"\s*:[^,]*,\s*"terrain"/.test(text);
}

/** Whether a text is meant as a figure of the sketcher: JSON whose second key is that. */
export function isFigure(text: string): boolean {
  return /^\s*\{\s*"version"\s*:[^,]*,\s*"figure"/.test(text);
}

/** Whether a text is meant as a scene of the simulation: JSON. */
export function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** Saves a text as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
