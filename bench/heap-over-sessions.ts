import { setTimeout } from 'node:timers/promises';
import { runPostgres } from '#test/support/postgres-server.ts';
import {
  type Bot,
  FINCLAW,
  freePort,
  type Model,
  openBot,
  openModel,
  openPlatform,
  type Platform,
} from './floor/processes.ts';
import { QUESTION } from './floor/setting.ts';

/** After so many, all code has run and all pools are full. */
const FIRST_SESSIONS = 500;
const SESSIONS = 5_500;
const PLACES = 200;
const AT_ONCE = 32;
/** Longer than anything is kept for a conversation that rests. */
const EXPIRED_AFTER_MS = 16 * 60_000;
/** Something is kept until the next message comes. */
const LAST_QUESTIONS = 50;
/** What was just answered may still be on its way out. */
const REST_MS = 2_000;
const POLL_MS = 100;
const AIM_KB = 10;

interface Mark {
  readonly usedMb: number;
  readonly residentMb: number;
}

interface Subject {
  readonly name: string;
  readonly platform: Platform;
  readonly bot: Bot;
}

/** After a collection, and a rest. */
export const mark = async ({ bot }: Pick<Subject, 'bot'>): Promise<Mark> => {
  await setTimeout(REST_MS);
  const before = bot.report().memory?.collections ?? 0;
  bot.signal('SIGUSR2');
  for (;;) {
    await setTimeout(POLL_MS);
    const { memory } = bot.report();
    if (memory && memory.collections > before)
      return { usedMb: memory.heapMb + memory.outsideMb, residentMb: bot.residentMb() };
  }
};

const openSubject = async (
  opened: AsyncDisposableStack,
  model: Model,
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<Subject> => {
  const platform = await openPlatform({ platform: 'slack', places: PLACES, callDelayMs: 0 });
  opened.defer(platform.close);
  const bot = await openBot(FINCLAW, platform, model, {
    env,
    probe: { watchesMemory: true },
    nodeFlags: ['--expose-gc'],
  });
  opened.defer(bot.stop);
  return { name, platform, bot };
};

const kilobytes = (megabytes: number): string => `${(1_024 * megabytes).toFixed(1)} kB`;

/** What a conversation at rest takes in memory: heap and buffers of the main thread, after a collection. */
export const benchHeapOverSessions = async (isQuick: boolean): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const model = await openModel();
  opened.defer(model.close);
  const postgres = await runPostgres(await freePort());
  opened.defer(postgres.stop);
  const subjects = [
    await openSubject(opened, model, 'SQLite', {}),
    await openSubject(opened, model, 'PostgreSQL', { DATABASE_URL: await postgres.createDatabase() }),
  ];
  const load = { text: QUESTION, atOnce: AT_ONCE, isNew: true };
  const measured: { readonly subject: Subject; readonly first: Mark; readonly eachMb: number }[] = [];
  for (const subject of subjects) {
    await subject.platform.load({ ...load, questions: FIRST_SESSIONS });
    const first = await mark(subject);
    await subject.platform.load({ ...load, questions: SESSIONS - FIRST_SESSIONS });
    const last = await mark(subject);
    const eachMb = (last.usedMb - first.usedMb) / (SESSIONS - FIRST_SESSIONS);
    measured.push({ subject, first, eachMb });
    console.log(
      `memory of a session right after its answer, ${subject.name}: ${kilobytes(eachMb)} (${first.usedMb.toFixed(1)} MB after ${FIRST_SESSIONS}, ${last.usedMb.toFixed(1)} MB after ${SESSIONS}; resident ${first.residentMb.toFixed(0)} and ${last.residentMb.toFixed(0)} MB); aim ${AIM_KB} kB`,
    );
  }
  if (isQuick) return;
  await setTimeout(EXPIRED_AFTER_MS);
  for (const { subject, first, eachMb } of measured) {
    await subject.platform.load({ ...load, questions: LAST_QUESTIONS });
    const rested = await mark(subject);
    // The first mark has the share of the first sessions in it, which has gone with the others.
    const emptyMb = first.usedMb - FIRST_SESSIONS * eachMb;
    console.log(
      `memory of a session ${EXPIRED_AFTER_MS / 60_000} minutes later, ${subject.name}: ${kilobytes((rested.usedMb - emptyMb) / SESSIONS)} (${rested.usedMb.toFixed(1)} MB; resident ${rested.residentMb.toFixed(0)} MB); aim ${AIM_KB} kB`,
    );
  }
};
