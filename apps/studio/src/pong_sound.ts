// Short tones for what happens in a match; off until someone wants them.
import type { CourtEvent } from "./core";

/** Hertz; of what happens at once the last of these is heard. */
const TONES: Record<CourtEvent, number> = { wall: 220, stroke: 330, point: 150, let: 110, won: 523 };
const ORDER = Object.keys(TONES).reverse() as CourtEvent[];

export class PongSound {
  private context: AudioContext | undefined;
  on = false;

  /** Plays the tones of events. */
  play(events: CourtEvent[]): void {
    if (!this.on || events.length === 0) return;
    this.context ??= new AudioContext();
    const { context } = this;
    const end = context.currentTime + 0.08;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.08, context.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, end);
    gain.connect(context.destination);
    const tone = context.createOscillator();
    tone.frequency.value = TONES[ORDER.find((event) => events.includes(event)) ?? "wall"];
    tone.connect(gain);
    tone.start();
    tone.stop(end);
  }
}
