// Files that people drop on the page.

/** Larger files are refused. */
const MOST_BYTES = 256 * 2 ** 20;

export async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > MOST_BYTES) throw new Error(`the file has more than ${MOST_BYTES / 2 ** 20} MiB`);
  return new Uint8Array(await file.arrayBuffer());
}

/** Fetches a file of the folder `files` beside the page. */
export async function besideThePage(name: string): Promise<File> {
  const answer = await fetch(`files/${encodeURIComponent(name)}`);
  if (!answer.ok) throw new Error(`${name}: the server answers ${answer.status}`);
  return new File([await answer.blob()], name);
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
