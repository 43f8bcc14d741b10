// Answers to many questions, a few at a time so that the page stays live.

/** Milliseconds of work between two chances for the page. */
const SLICE = 8;

export class Gradually<T> {
  private asked = 0;

  /** `done` takes all answers; none if a question has no answer, of which `failed` tells. */
  constructor(
    private readonly done: (found: T[]) => void,
    private readonly failed: (error: unknown) => void = () => {},
  ) {}

  /** Asks about each of some things, instead of those of before. */
  begin<Q>(things: Q[], ask: (thing: Q) => T): void {
    const asked = ++this.asked;
    const found: T[] = [];
    const work = () => {
      if (asked !== this.asked) return;
      const end = performance.now() + SLICE;
      while (found.length < things.length && performance.now() < end) {
        try {
          found.push(ask(things[found.length]));
        } catch (error) {
          this.end();
          return this.failed(error);
        }
      }
      if (found.length < things.length) window.setTimeout(work);
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
