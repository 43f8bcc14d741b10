// Short tones for what happens in a match; off until someone wants them.

/** Hertz for walls, strokes, points, lets and the end. */
const TONES = [220, 330, 330, 150, 150, 110, 523, 523];

export class PongSound {
  private context: AudioContext | undefined;
  on = false;

  /** Plays the tones of events. */
  play(events: Uint8Array): void {
    if (!this.on || events.length === 0) return;
    this.context ??= new AudioContext();
    const { context } = this;
    const end = context.currentTime + 0.08;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.08, context.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, end);
    gain.connect(context.destination);
    const tone = context.createOscillator();
    tone.frequency.value = TONES[Math.max(...events)] ?? TONES[0];
    tone.connect(gain);
    tone.start();
    tone.stop(end);
  }
}
