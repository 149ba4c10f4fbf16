import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTranscriptStore } from '#src/agent/memory/transcript/transcript-store.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { openStorage, type Storage } from '#src/platform/storage/database.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { median, summarize } from '../statistics.ts';
import { benchSessions } from './sessions.ts';
import type { Setting } from './setting.ts';

const SESSIONS = 10_000;
const ENTRIES = 200;
const OPENINGS = 30;
const LOADS_AGAIN = 10;
const keyOf = (number: number): SessionKey => asId<SessionKey>(`agent:main:bench:local:direct:p${number}`);

const open = (dataDir: string): Promise<Storage> => openStorage({ dataDir, schema: SCHEMA });

const storeOn = (storage: Storage) => {
  const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });
  return createTranscriptStore(createTranscriptRows(storage), systemClock, logger);
};

/** A database with one conversation of 200 entries, written as the program writes it. */
const fillOne = async (dataDir: string): Promise<void> => {
  const storage = await open(dataDir);
  const store = storeOn(storage);
  for (let number = 0; number < ENTRIES; number += 1) {
    const role = number % 2 === 0 ? 'user' : 'assistant';
    const text =
      `Apple closed below the close of the day before, on the data of that day. (${number}) `.repeat(2);
    await store.append(keyOf(0), {
      turnId: asId<TurnId>(`turn-${Math.floor(number / 2)}`),
      message: { role, content: [{ type: 'text', text }] },
    });
  }
  await storage.close();
};

/**
 * Copies the conversation within the database, because 2 million rows one by one would take too long: the first entry of
 * every conversation, then the second of every one, as they would arrive.
 */
const multiply = (dataDir: string): void => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  const columns = database
    .prepare("select name from pragma_table_info('transcript_entries')")
    .all()
    .map(({ name }) => String(name));
  const copied = columns.map((name) =>
    name === 'session_key' ? "'agent:main:bench:local:direct:p' || n" : name,
  );
  // Nobody minds losing it, so neither a log nor a small cache slows it down.
  database.exec(`
    pragma journal_mode = off;
    pragma synchronous = off;
    pragma cache_size = -2000000;
    create temp table entries as select * from transcript_entries order by position;
    create temp table numbers as
      with recursive counting (n) as (select 1 union all select n + 1 from counting where n < ${SESSIONS - 1})
      select n from counting;
    insert into transcript_entries (${columns.join(', ')}) select ${copied.join(', ')} from entries cross join numbers;
    analyze main;
  `);
  database.close();
};

interface LoadTimes {
  /** Nothing of the conversation is in memory, as after a start. */
  readonly first: number[];
  readonly again: number[];
}

/** A new connection for each conversation, so that on both stores as much of it is in memory: nothing, then all. */
const timeLoads = async (dataDir: string, sessions: number, { first, again }: LoadTimes): Promise<void> => {
  for (let number = 0; number < OPENINGS; number += 1) {
    const storage = await open(dataDir);
    const store = storeOn(storage);
    const key = keyOf((number * 7_919) % sessions);
    // The code of a load is prepared by another conversation.
    await store.load(asId<SessionKey>('nobody'), new Set());
    for (let time = 0; time <= LOADS_AGAIN; time += 1) {
      const startedAtMs = performance.now();
      const entries = await store.load(key, new Set());
      (time === 0 ? first : again).push(1_000 * (performance.now() - startedAtMs));
      if (entries.length !== ENTRIES) throw new Error(`${entries.length} entries in ${key}`);
    }
    await storage.close();
  }
};

const printLoads = (what: string, small: readonly number[], large: readonly number[]): void => {
  console.log(`growth, load of a session ${what}, alone: ${summarize(small, 'µs')}`);
  console.log(
    `growth, load of a session ${what}, among ${SESSIONS}: ${summarize(large, 'µs')}, ${(median(large) / median(small)).toFixed(2)}×; aim at most 1.2×`,
  );
};

/** Loading one of 10,000 conversations of 200 entries against loading the only one; then a message among many sessions. */
export const benchGrowth = async (setting: Setting): Promise<void> => {
  const [small, large] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'finclaw-floor-'))) as [string, string];
  try {
    const startedAtMs = performance.now();
    for (const dataDir of [small, large]) await fillOne(dataDir);
    multiply(large);
    console.log(
      `growth: ${SESSIONS} sessions of ${ENTRIES} entries filled in ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`,
    );
    const [alone, among]: [LoadTimes, LoadTimes] = [
      { first: [], again: [] },
      { first: [], again: [] },
    ];
    for (let round = 0; round < (setting.isQuick ? 3 : 6); round += 1) {
      await timeLoads(small, 1, alone);
      await timeLoads(large, SESSIONS, among);
    }
    printLoads('for the first time', alone.first, among.first);
    printLoads('again', alone.again, among.again);
  } finally {
    for (const dataDir of [small, large]) rmSync(dataDir, { recursive: true, force: true });
  }
  await benchSessions(setting);
};
