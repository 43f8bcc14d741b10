// Links: the part of the address after `#`, as names and values.

/** The version of the links that this page writes and reads. */
const VERSION = "1";

/** The parts of a link, of which each is taken once; an exception names what is wrong. */
export class Parts {
  private readonly given = new Map<string, string>();

  constructor(link: string) {
    for (const entry of link.split("&")) {
      const at = entry.indexOf("=");
      const key = at < 0 ? entry : entry.slice(0, at);
      if (at < 0 || this.given.has(key)) throw notUnderstood(entry);
      this.given.set(key, decodeURIComponent(entry.slice(at + 1)));
    }
    const version = this.text("v");
    if (version !== VERSION) {
      throw new Error(`the link is of version ${shortened(version ?? "none")}; this page reads version ${VERSION}`);
    }
  }

  /** Takes a text. */
  text(key: string): string | undefined {
    const value = this.given.get(key);
    this.given.delete(key);
    return value;
  }

  /** Takes numbers; without a count any number of them. */
  numbers(key: string, count?: number): number[] {
    const text = this.text(key) ?? "";
    const words = text === "" && count === undefined ? [] : text.split(",");
    const numbers = words.map((word) => (word.trim() === "" ? Number.NaN : Number(word)));
    if ((count !== undefined && numbers.length !== count) || !numbers.every(Number.isFinite)) {
      throw new Error(`the link's “${key}” must be ${count ?? "finite"} numbers`);
    }
    return numbers;
  }

  /** Takes one of a few words. */
  one<T extends string>(key: string, words: readonly T[], absent: T): T {
    const value = this.text(key) ?? absent;
    const found = words.find((word) => word === value);
    if (found === undefined) throw new Error(`the link's “${key}” must be one of ${words.join(", ")}`);
    return found;
  }

  /** Wants nothing to be left. */
  end(): void {
    for (const key of this.given.keys()) throw notUnderstood(key);
  }
}

/** Writes a link. */
export function written(entries: [string, string | number[]][]): string {
  const value = (x: string | number[]) => (typeof x === "string" ? encodeURIComponent(x) : x.join(","));
  return [["v", VERSION] as [string, string], ...entries].map(([key, x]) => `${key}=${value(x)}`).join("&");
}

function notUnderstood(entry: string): Error {
  return new Error(`the link's part “${shortened(entry)}” is not understood`);
}

export function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
