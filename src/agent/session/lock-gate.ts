import type { Clock } from '#src/infra/clock.ts';

/** One at a time inside this process; the others wait in order of arrival, without asking again and again. */
export class LockGate {
  #isTaken = false;
  #waiting: (() => void)[] = [];

  /** True when it is the caller's turn, until it calls `leave`; false when that was not within the time. */
  enter(timeoutMs: number, clock: Clock): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const admit = (): void => {
        cancelTimer();
        resolve(true);
      };
      const cancelTimer = clock.after(timeoutMs, () => {
        this.#waiting = this.#waiting.filter((other) => other !== admit);
        resolve(false);
      });
      this.#waiting.push(admit);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  get isFree(): boolean {
    return !this.#isTaken;
  }
}
