import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The program in a process of its own. It loads at once and starts on a word. */
export class BotProcess {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #loaded: Promise<unknown>;
  #log = '';

  constructor(program: string, env: NodeJS.ProcessEnv) {
    this.#child = fork(program, {
      cwd: env['FINCLAW_DATA_DIR'],
      env: { ...process.env, NODE_COMPILE_CACHE, ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    this.exited = once(this.#child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.#loaded = Promise.race([once(this.#child, 'message'), this.exited]);
  }

  /** What it wrote to its log. */
  get log(): string {
    return this.#log;
  }

  async start(): Promise<void> {
    await this.#loaded;
    if (this.#child.connected) this.#child.send('start', () => undefined);
  }

  /** Resolves when it has answered, which needs its event loop; never, where it cannot any more. */
  async beat(): Promise<void> {
    if (!this.#child.connected) return new Promise(() => undefined);
    const answered = once(this.#child, 'message');
    // One that is just being killed has no ear any more.
    this.#child.send('beat', () => undefined);
    await answered;
  }

  end(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
