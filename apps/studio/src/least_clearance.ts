// The least clearance over the rows of a trajectory, computed a few rows at a time so that the page stays live.
import type { RobotModel } from "./core";

/** Of longer trajectories so many rows, evenly spaced, are asked. */
const MOST = 400;
/** Milliseconds of work between two chances for the page. */
const SLICE = 8;

export class LeastClearance {
  private asked = 0;

  /** `done` takes the least signed distance of each row that was asked, metres; none if a row has no answer. */
  constructor(private readonly done: (clearances: number[]) => void) {}

  /** Asks the rows of a trajectory; pairs farther apart than `within`, metres, count as so far. */
  begin(model: RobotModel, rows: number[][], within: number): void {
    const asked = ++this.asked;
    const every = Math.max(1, Math.ceil(rows.length / MOST));
    const some = rows.filter((_, row) => row % every === 0 || row === rows.length - 1);
    const found: number[] = [];
    const work = () => {
      if (asked !== this.asked) return;
      const end = performance.now() + SLICE;
      while (found.length < some.length && performance.now() < end) {
        try {
          const [closest] = model.clearances(some[found.length], within);
          found.push(closest?.contact.distance ?? within);
        } catch {
          // The row itself tells why when it is shown.
          return this.end();
        }
      }
      if (found.length < some.length) window.setTimeout(work);
      else this.done(found);
    };
    window.setTimeout(work);
  }

  /** Leaves off what is not done. */
  end(): void {
    this.asked++;
    this.done([]);
  }
}
