import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { acquireWriteLock } from '#src/agent/memory/transcript/write-lock.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/clock.ts';
import { createLogger } from '#src/platform/logger.ts';

/**
 * Another process that wants the same lock. `node lock-process.ts <what> <directory> …`; a line on its output
 * says how far it is.
 */
const [what, directory = '', name = '', times = '0', writers = '1'] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const acquire = async () => {
  const lock = await acquireWriteLock({ sessionDir: directory, sessionId: 'shared', timeoutMs: 30_000 });
  if (!lock.acquired) throw new Error(`The lock is held by ${lock.heldBy}`);
  return lock;
};

/** Takes the lock and keeps it until it is killed. */
const hold = async (): Promise<void> => {
  await acquire();
  say('held');
  await setTimeout(60_000);
};

/** Takes the lock and ends without giving it back. */
const end = async (): Promise<void> => {
  await acquire();
  say('held');
};

/** Says how many listen for the end of the process: before, with one lock, with two, with one, with none. */
const listen = async (): Promise<void> => {
  const counts = [process.listenerCount('exit')];
  const releases: (() => Promise<void>)[] = [];
  for (const sessionId of ['a', 'b']) {
    const lock = await acquireWriteLock({ sessionDir: directory, sessionId });
    if (lock.acquired) releases.push(lock.release);
    counts.push(process.listenerCount('exit'));
  }
  for (const release of releases) {
    await release();
    counts.push(process.listenerCount('exit'));
  }
  say(counts.join(' '));
};

/**
 * Adds one to a number in a file, again and again, with a pause between reading and writing. Each time it leaves
 * the lock behind as a process does that died with it, so that all who wait find it stale at the same moment.
 */
const count = async (): Promise<void> => {
  const path = join(directory, 'number');
  for (let time = 0; time < Number(times); time += 1) {
    const { release } = await acquire();
    const before = Number(readFileSync(path, 'utf8'));
    await setTimeout(1);
    writeFileSync(path, String(before + 1));
    const dead = { pid: 99_999_999, timestamp: '2026-11-13T06:30:00Z', token: `${name}-${time}` };
    writeFileSync(join(directory, 'shared.lock'), JSON.stringify(dead));
    await release();
  }
};

const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });
const store = createTranscriptStore(directory, systemClock, logger);

/** Puts now these and now those entries in the place of the others, until it is killed. */
const replace = async (): Promise<void> => {
  for (let time = 0; ; time += 1) {
    const turnId = asId<TurnId>(time % 2 === 0 ? 'even' : 'odd');
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text: '가'.repeat(500) }] };
    const entries = Array.from({ length: 100 }, (_, index) => ({ turnId, at: String(index), message }));
    await store.replace(asId<SessionKey>('shared'), entries);
    if (time === 1) say('begun');
  }
};

/** So many lines one writer may be ahead of the others. */
const STAGE_LINES = 50;

/** Waits until all writers have come this far: however they are scheduled, they take turns. */
const meet = async (stage: number): Promise<void> => {
  writeFileSync(join(directory, `${name}.${stage}`), '');
  const met = (): number => readdirSync(directory).filter((file) => file.endsWith(`.${stage}`)).length;
  while (met() < Number(writers)) await setTimeout(1);
};

/** Begins when it is let, so that several of them write at the same time. */
const append = async (): Promise<void> => {
  say('loaded');
  while (!existsSync(join(directory, 'go'))) await setTimeout(1);
  for (let time = 0; time < Number(times); time += 1) {
    if (time > 0 && time % STAGE_LINES === 0) await meet(time / STAGE_LINES);
    await store.append(asId<SessionKey>('shared'), {
      turnId: asId<TurnId>(name),
      message: { role: 'user', content: [{ type: 'text', text: `${name} ${time} ${'가'.repeat(500)}` }] },
    });
    // Whoever asks for it only now and then would otherwise hardly find it free.
    await setTimeout(1);
  }
};

const roles: Readonly<Record<string, () => Promise<void>>> = { hold, end, listen, count, append, replace };
await roles[what ?? '']?.();
