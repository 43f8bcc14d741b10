// Files that people drop on the page.

/** Larger files are refused. */
const MOST_BYTES = 256 * 2 ** 20;

export async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MOST_BYTES) throw new Error(`the file has more than ${MOST_BYTES / 2 ** 20} MiB`);
  return new Uint8Array(await file.arrayBuffer());
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("the file is not text");
  }
}

/** Whether a file is a recording of a simulation. */
export function isRecording(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 7)) === "SOVOREC";
}

/** Whether a text is meant as a scene of the simulation: JSON. */
export function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** Larger texts are not kept: browsers give a page some megabytes. */
const MOST_KEPT = 2_000_000;

/** Keeps a text over a reload; returns whether the browser took it. */
export function keep(key: string, text: string): boolean {
  if (text.length > MOST_KEPT) return false;
  try {
    localStorage.setItem(`superovoid-studio-${key}`, text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the text that was kept last. */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(`superovoid-studio-${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}
