// Folders and zip files that are dropped on the page: the package of a robot, with its meshes.
import { unzip, type UnzipFileInfo } from "fflate";
import { isMesh, isSrdf, MOST_BYTES } from "./files";
import type { StoredFile } from "./storage";

/** A file with the folders that it lay in; `packed` if it came in a folder. */
export interface Named {
  name: string;
  file: File;
  packed: boolean;
}

/** A folder with more files is refused. */
const MOST_FILES = 20_000;

export const NO_ROBOT = "there is no robot in it: no URDF, SRDF or mesh";

/** What of a package belongs to a robot, by its name. */
function belongs(name: string): boolean {
  return (/\.urdf$/i.test(name) || isSrdf(name) || isMesh(name)) && !name.split("/").some((part) => part.startsWith("."));
}

/** Returns the files that were dropped. Has to be called before the event ends. */
export function dropped(data: DataTransfer): Promise<Named[]> {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(chosen(data.files));
  return inside(entries.filter((entry) => entry !== null));
}

/** Returns the files of an input, which may be that of a folder. */
export function chosen(files: Iterable<File>): Named[] {
  const named = [...files].map((file) => {
    const { name, webkitRelativePath: path } = file;
    return { name: path || name, file, packed: path !== "" };
  });
  const found = named.filter(({ name, packed }) => !packed || belongs(name));
  if (found.length === 0 && named.length > 0) throw new Error(`${named[0].name.split("/")[0]}: ${NO_ROBOT}`);
  return found;
}

/** Returns the files of folders, and the files beside them. */
async function inside(entries: FileSystemEntry[]): Promise<Named[]> {
  const found: Named[] = [];
  const todo = [...entries];
  let seen = 0;
  for (let entry = todo.pop(); entry; entry = todo.pop()) {
    const name = entry.fullPath.replace(/^\//, "");
    if (++seen > MOST_FILES) throw new Error(`${name.split("/")[0]}: the folder has more than ${MOST_FILES} files`);
    if (entry.isDirectory) {
      todo.push(...(await children(entry as FileSystemDirectoryEntry)));
    } else {
      const packed = name.includes("/");
      if (!packed || belongs(name)) found.push({ name, file: await fileOf(entry as FileSystemFileEntry), packed });
    }
  }
  if (found.length === 0) throw new Error(`${entries[0]?.name}: ${NO_ROBOT}`);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a folder, of which a browser tells a hundred entries at a time. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((done, failed) => entry.file(done, failed));
}

/** Returns what of a zip file belongs to a robot, unpacked; an exception tells what is wrong. */
export async function unzipped(name: string, bytes: Uint8Array): Promise<StoredFile[]> {
  let [count, size] = [0, 0];
  const filter = (file: UnzipFileInfo) => {
    if (!belongs(file.name)) return false;
    count++;
    size += file.originalSize;
    // Told before anything is unpacked: a small file may claim to be any size.
    if (count > MOST_FILES || size > MOST_BYTES) throw new Error(`what is in it has more than ${MOST_BYTES / 2 ** 20} MiB or ${MOST_FILES} files`);
    return true;
  };
  const files = await new Promise<Record<string, Uint8Array>>((done, failed) => {
    unzip(bytes, { filter }, (error, data) => (error ? failed(new Error(error.message)) : done(data)));
  });
  return Object.keys(files)
    .sort()
    .map((path) => ({ name: `${name.replace(/\.zip$/i, "")}/${path}`, bytes: files[path] }));
}

/**
 * Returns the robot of a package: its URDF, the one that is least deep if there are several, the meshes that it names,
 * and its SRDF. Without a URDF everything goes with the robot that is shown.
 */
export function packed(files: StoredFile[]): StoredFile[] {
  const depth = ({ name }: StoredFile) => name.split("/").length;
  const robots = files.filter(({ name }) => /\.urdf$/i.test(name)).sort((a, b) => depth(a) - depth(b));
  const [robot] = robots;
  if (!robot) return files;
  const text = new TextDecoder().decode(robot.bytes);
  const named = ({ name }: StoredFile) => isMesh(name) && text.includes(name.slice(name.lastIndexOf("/") + 1));
  const settings = files.filter(({ name }) => isSrdf(name));
  return [robot, ...files.filter(named), ...settings.slice(0, 1)];
}
