// The straight lines between the rows of a trajectory. A place on them is the number of a row, and a part of the way to the next.

/** The rows or places that are looked at, at most. */
export const MOST = 400;
/** The largest change of a number between two places that are looked at, and in one step of the player: radians, metres. */
const APART = 0.05;
const STEP = 1 / 30;

export class Path {
  /** The largest change of a number along each line. */
  private readonly lengths: number[];

  constructor(readonly rows: number[][]) {
    this.lengths = rows.slice(1).map((row, k) => Math.max(...row.map((x, i) => Math.abs(x - rows[k][i]))));
  }

  /** The place of the last row. */
  get last(): number {
    return this.rows.length - 1;
  }

  /** Whether rows are as near to each other as the places that are looked at. */
  get isFine(): boolean {
    return this.lengths.every((length) => length <= APART);
  }

  /** Returns the configuration of a place. */
  at(place: number): number[] {
    const row = this.rows[Math.floor(place)];
    const [next, part] = [this.rows[Math.ceil(place)], place % 1];
    return part === 0 ? [...row] : row.map((x, k) => x + part * (next[k] - x));
  }

  /** Returns the place after some steps, back where they are negative: each is a row, or less where rows are far apart. A row that
   * ends a line of more steps than these ends the way: its corner is shown. */
  moved(place: number, steps: number): number {
    const sign = Math.sign(steps);
    let left = Math.abs(steps);
    while (left > 0 && (sign > 0 ? place < this.last : place > 0)) {
      const end = sign > 0 ? Math.floor(place) + 1 : Math.ceil(place) - 1;
      const rate = Math.min(1, STEP / this.lengths[Math.min(place, end) | 0]);
      const needed = Math.abs(end - place) / rate;
      place = needed <= left ? end : place + sign * left * rate;
      left -= needed;
      if (1 / rate > Math.abs(steps) && place === end) break;
    }
    return place;
  }

  /** Returns places to look at, every row among them unless there are too many. */
  places(): number[] {
    const every = Math.ceil(this.rows.length / MOST);
    if (every > 1) return this.rows.map((_, row) => row).filter((row) => row % every === 0 || row === this.last);
    const all = this.lengths.reduce((sum, length) => sum + length, 0);
    const apart = Math.max(APART, all / MOST);
    const places = this.lengths.flatMap((length, row) => {
      const parts = Math.max(1, Math.ceil(length / apart));
      return Array.from({ length: parts }, (_, k) => row + k / parts);
    });
    return [...places, this.last];
  }
}
