import { setTimeout } from 'node:timers/promises';
import type { Role } from '#src/kernel/operations/status.ts';
import type { RunningPostgres } from '#test/support/postgres-server.ts';
import { type Bot, FINCLAW, type Model, openBot } from '../floor/processes.ts';
import { median, percentile } from '../statistics.ts';
import { cutConnections } from './database.ts';
import type { PlannedFault } from './plan.ts';

/** Longer than a session is kept for a process that does not stir. */
const FREEZE_MS = 14_000;
const DATABASE_DOWN_MS = 500;
const START_ATTEMPTS = 5;
/** So soon after its start a process still prepares itself, and few delays were counted. */
const MIN_COUNTED_MS = 10_000;

/** One process from its start to its end. */
interface Life {
  readonly bot: Bot;
  countedFromMs: number;
  isFrozen: boolean;
}

interface Delays {
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface CrewParts {
  readonly roles: readonly Role[];
  readonly env: NodeJS.ProcessEnv;
  readonly model: Model;
  readonly postgres: RunningPostgres;
  readonly databaseUrl: string;
}

/** Several processes on one database, to which things happen; whoever ends is started again. */
export class Crew {
  readonly #parts: CrewParts;
  /** By place. None while a process starts. */
  readonly #lives = new Map<number, Life>();
  /** By place, sample after sample. */
  readonly #residentMb = new Map<number, number[]>();
  /** How late the event loops were since somebody last asked, by place; one for each life. */
  #delays = new Map<number, Delays[]>();
  readonly problems: string[] = [];
  /** All p99 of event loops, one for each process and time between reports. */
  readonly p99sMs: number[] = [];
  #isStopped = false;

  constructor(parts: CrewParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    for (const place of this.#parts.roles.keys()) await this.#spawn(place);
  }

  nameOf(place: number): string {
    const role = this.#parts.roles[place] ?? 'all';
    return role === 'worker' ? `worker ${place}` : role;
  }

  async happen({ fault, place }: PlannedFault): Promise<void> {
    const { postgres, databaseUrl } = this.#parts;
    if (fault === 'cut') return cutConnections(databaseUrl, 'all');
    if (fault === 'deaf') return cutConnections(databaseUrl, 'links');
    if (fault === 'restart') return postgres.restart(DATABASE_DOWN_MS);
    const life = this.#lives.get(place);
    if (!life || life.isFrozen) return;
    if (fault === 'freeze') {
      life.isFrozen = true;
      life.bot.signal('SIGSTOP');
      await setTimeout(FREEZE_MS);
      life.bot.signal('SIGCONT');
      life.isFrozen = false;
      return;
    }
    this.#bury(place, life);
    if (fault === 'kill') life.bot.signal('SIGKILL');
    await life.bot.stop();
    await this.#spawn(place);
  }

  /** Looks at the memory, and whether all are still there. */
  sample(): void {
    for (const [place, life] of this.#lives) {
      if (life.bot.hasEnded()) {
        this.problems.push(`${this.nameOf(place)} ended by itself`);
        this.#bury(place, life);
        void life.bot.stop().then(() => this.#spawn(place));
      } else {
        const sizes = this.#residentMb.get(place) ?? [];
        this.#residentMb.set(place, sizes);
        sizes.push(life.bot.residentMb());
      }
    }
  }

  /** How late the event loop of each process was at p99 and at most, since the last call, and its memory. */
  report(): string {
    const lines = [...this.#parts.roles.keys()].map((place) => {
      const life = this.#lives.get(place);
      if (life) this.#note(place, life);
      const delays = this.#delays.get(place) ?? [];
      const p99Ms = Math.max(...delays.map((delay) => delay.p99Ms));
      const maxMs = Math.max(...delays.map((delay) => delay.maxMs));
      const late = delays.length > 0 ? `${p99Ms.toFixed(1)} (max ${maxMs.toFixed(0)})` : '–';
      return `${this.nameOf(place)} ${late} ms late, ${this.#residentMb.get(place)?.at(-1)?.toFixed(0) ?? '–'} MB`;
    });
    this.#delays = new Map();
    for (const life of this.#lives.values()) this.#countAnew(life);
    return lines.join('; ');
  }

  /** The memory in each place, in the first and in the second half of all samples: no life is long. */
  memory(): string {
    return [...this.#parts.roles.keys()]
      .map((place) => {
        const sizes = this.#residentMb.get(place) ?? [];
        const middle = Math.floor(sizes.length / 2);
        const [before, after] = [sizes.slice(0, middle), sizes.slice(middle)];
        return `${this.nameOf(place)} ${median(before).toFixed(0)}, then ${median(after).toFixed(0)} MB, at most ${percentile(sizes, 1).toFixed(0)} MB`;
      })
      .join('; ');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#lives.values()].map(({ bot }) => bot.stop()));
  }

  #countAnew(life: Life): void {
    life.countedFromMs = performance.now();
    life.bot.signal('SIGUSR2');
  }

  #note(place: number, { bot, countedFromMs }: Life): void {
    const { loop } = bot.report();
    if (!loop || performance.now() - countedFromMs < MIN_COUNTED_MS) return;
    this.#delays.set(place, [...(this.#delays.get(place) ?? []), loop]);
    this.p99sMs.push(loop.p99Ms);
  }

  #bury(place: number, life: Life): void {
    this.#note(place, life);
    this.#lives.delete(place);
  }

  /** Nobody can start without the database, so it is tried again. */
  async #spawn(place: number): Promise<void> {
    const { roles, env, model, databaseUrl } = this.#parts;
    for (let attempt = 1; !this.#isStopped; attempt += 1) {
      try {
        const bot = await openBot(FINCLAW, { name: 'slack', env }, model, {
          probe: { watchesLoop: true },
          env: { DATABASE_URL: databaseUrl, FINCLAW_ROLE: roles[place] },
        });
        if (this.#isStopped) return await bot.stop();
        const life: Life = { bot, countedFromMs: performance.now(), isFrozen: false };
        // The start itself does not count.
        this.#countAnew(life);
        this.#lives.set(place, life);
        return undefined;
      } catch (error) {
        if (attempt === START_ATTEMPTS) throw error;
      }
    }
  }
}
