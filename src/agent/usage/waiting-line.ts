import type { Clock } from '#src/infra/clock.ts';

/** Those who wait for money that others have reserved, in order, one line a budget. */
export class WaitingLine {
  readonly #lines = new Map<string, (() => void)[]>();
  readonly #clock: Clock;
  #version = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Another one after every call: whoever looked before a call and waits after it would miss it. */
  get version(): number {
    return this.#version;
  }

  isEmpty(name: string): boolean {
    return !this.#lines.has(name);
  }

  /** Money became free: the first in each of these lines looks again. */
  call(...names: readonly string[]): void {
    this.#version += 1;
    for (const name of names) this.#lines.get(name)?.[0]?.();
  }

  /** Resolves when it is called, or after so long. Rejects with the signal's reason on abort. */
  wait(name: string, isFirst: boolean, waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.#lines.get(name) ?? [];
      this.#lines.set(name, line);
      const leave = (): void => {
        cancel();
        signal.removeEventListener('abort', onAbort);
        line.splice(line.indexOf(onCall), 1);
        if (line.length === 0) this.#lines.delete(name);
      };
      const onCall = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
      };
      const cancel = this.#clock.after(waitMs, onCall);
      if (isFirst) line.unshift(onCall);
      else line.push(onCall);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
