// Files that outlive a reload, in the browser's data base.
import { get, set } from "idb-keyval";

export interface KeptFile {
  name: string;
  bytes: Uint8Array;
}

/** Keeps files under a name; returns whether the browser took them. */
export async function keep(key: string, files: KeptFile[]): Promise<boolean> {
  try {
    await set(`superovoid-studio-${key}`, files);
    return true;
  } catch {
    // A browser may refuse to store anything, or so much.
    return false;
  }
}

/** Returns the files that were kept last. */
export async function kept(key: string): Promise<KeptFile[] | undefined> {
  try {
    return await get<KeptFile[]>(`superovoid-studio-${key}`);
  } catch {
    return undefined;
  }
}
