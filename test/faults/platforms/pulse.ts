import type { Happening, HistoryEntry } from '#test/fakes/platform/history.ts';
import type { BotProcess } from '../bot-process.ts';

const BEAT_MS = 50;
/** As rounds with several processes name them. */
const OUTAGES: ReadonlySet<string> = new Set(['cut', 'restart', 'end', 'freeze']);
/** No process ends with these. */
const SURVIVED: ReadonlySet<string> = new Set(['cut', 'restart', 'deaf', 'freeze']);

/** Sees whether the bot lives, how long nothing has happened, and writes down what happens to the processes. */
export class Pulse {
  readonly notes: HistoryEntry[] = [];
  readonly #startedMs = performance.now();
  readonly #size: () => number;
  #quietBeats = 0;
  #lastSize = 0;
  #bot: BotProcess | undefined;

  /** `size`: grows whenever something happens on the platform. */
  constructor(size: () => number) {
    this.#size = size;
  }

  get quietBeats(): number {
    return this.#quietBeats;
  }

  get killedAtMs(): readonly number[] {
    return this.notes.flatMap((note) =>
      note.type === 'killed' && !SURVIVED.has(note.signal) ? [note.atMs] : [],
    );
  }

  /** When a process could not use the database: it was cut off, stood still, or closed its connections to end. */
  get outagesAtMs(): readonly number[] {
    return this.notes.flatMap((note) =>
      note.type === 'killed' && OUTAGES.has(note.signal) ? [note.atMs] : [],
    );
  }

  readonly stir = (): void => {
    this.#quietBeats = 0;
  };

  readonly note = (happening: Happening): void => {
    this.stir();
    this.notes.push({ ...happening, atMs: Math.round(performance.now() - this.#startedMs) });
  };

  readonly attend = (bot: BotProcess): void => {
    this.#bot = bot;
    void this.#watch(bot);
  };

  stop(): void {
    this.#bot = undefined;
  }

  async #watch(bot: BotProcess): Promise<void> {
    while (this.#bot === bot) {
      await bot.beat();
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
      const size = this.#size();
      this.#quietBeats = size === this.#lastSize ? this.#quietBeats + 1 : 0;
      this.#lastSize = size;
    }
  }
}
