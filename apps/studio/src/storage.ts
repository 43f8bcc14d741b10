// Files that outlive a reload, in the browser's data base.
import { get, set } from "idb-keyval";

export interface StoredFile {
  name: string;
  bytes: Uint8Array;
}

/** Keeps files under a name; returns whether the browser took them. */
export async function store(key: string, files: StoredFile[]): Promise<boolean> {
  try {
    await set(`superovoid-studio-${key}`, files);
    return true;
  } catch {
    // A browser may refuse to store anything, or so much.
    return false;
  }
}

/** Returns the files that were kept last. */
export async function stored(key: string): Promise<StoredFile[] | undefined> {
  try {
    return await get<StoredFile[]>(`superovoid-studio-${key}`);
  } catch {
    return undefined;
  }
}
