import type { Moment } from '#test/fakes/platform/server.ts';
import type { Kill } from './plan.ts';

export type Strike = (signal: Kill['signal'], why: string) => void;

/** Waits for the moment at which a process is to be killed. */
export class Executioner {
  #kill: Kill | undefined;
  #strike: Strike = () => undefined;
  #seen = 0;

  arm(kill: Kill | undefined, strike: Strike): void {
    this.#kill = kill;
    this.#strike = strike;
    this.#seen = 0;
  }

  /** False where it kills at once: what was about to happen does not. */
  readonly see = (moment: Moment | 'model' | 'market'): boolean => {
    const kill = this.#kill;
    // Time is counted from the moment at which the bot is there.
    if (!kill || moment !== (kill.moment === 'time' ? 'connect' : kill.moment)) return true;
    this.#seen += 1;
    if (this.#seen < kill.count) return true;
    this.#kill = undefined;
    const strike = this.#strike;
    const why = `${kill.moment} ${kill.count}, ${kill.delayMs} ms later`;
    if (kill.delayMs > 0) {
      setTimeout(() => strike(kill.signal, why), kill.delayMs);
      return true;
    }
    strike(kill.signal, why);
    return kill.signal === 'SIGTERM';
  };
}
