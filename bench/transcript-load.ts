import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import {
  createTranscriptStore,
  type TranscriptEntry,
} from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { openStorage } from '#src/platform/storage/database.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { createTranscriptRows } from '#src/agent/store/transcript-rows.ts';
import { summarize } from './statistics.ts';

const TURNS = 2_500;
const RUNS = 9;
const SESSION = asId<SessionKey>('agent:main:bench:local:direct:someone');

const words = (text: string): ConversationMessage['content'] => [{ type: 'text', text }];

/** A question, a call, its result and the answer. */
const turnOf = (number: number): readonly ConversationMessage[] => {
  const id = `toolu_${number.toString().padStart(22, '0')}`;
  return [
    { role: 'user', content: words(`삼성전자 지금 얼마야? (${number})\n<context>\ntime: …\n</context>`) },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'get_quote', input: { symbols: ['005930.KS'] } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool_result', toolUseId: id, content: '₩102,300 '.repeat(30), isError: false }],
    },
    { role: 'assistant', content: words('삼성전자는 지금 ₩102,300입니다. '.repeat(8)) },
  ];
};

const entries: readonly TranscriptEntry[] = Array.from({ length: TURNS }, (_, number) =>
  turnOf(number).map((message, step) => ({
    turnId: asId<TurnId>(`turn-${number}`),
    at: Temporal.Instant.fromEpochMilliseconds(1_800_000_000_000 + number * 60_000 + step).toString(),
    message,
  })),
).flat();

/** As if each entry had been appended at its own time. */
const SPREAD = 'update transcript_entries set position = version * 1000, version = 0';

/** Every hundredth entry is gone, another one spoiled, another there twice, and the last is cut short. */
const DAMAGE = [
  'delete from transcript_entries where position / 1000 % 100 = 10',
  `update transcript_entries set message = replace(message, '"', '') where position / 1000 % 100 = 40`,
  `insert into transcript_entries select session_key, state, position, 1, turn_id, at, message, left_at
     from transcript_entries where position / 1000 % 100 = 70`,
  `update transcript_entries set message = substr(message, 1, 20)
     where position = (select max(position) from transcript_entries)`,
];

/** How long a conversation of 10,000 entries takes to load: a whole one, and one that has to be repaired. */
export const benchTranscriptLoad = async (): Promise<void> => {
  const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });
  const none: ReadonlySet<TurnId> = new Set();
  const times: Record<'whole' | 'damaged', number[]> = { whole: [], damaged: [] };
  for (let run = 0; run < RUNS; run += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-bench-'));
    const storage = await openStorage({ dataDir, schema: SCHEMA });
    const store = createTranscriptStore(createTranscriptRows(storage), systemClock, logger);
    try {
      await store.replace(SESSION, entries);
      await sql.raw(SPREAD).execute(storage.db);
      for (const what of ['whole', 'damaged'] as const) {
        if (what === 'damaged') for (const statement of DAMAGE) await sql.raw(statement).execute(storage.db);
        const startedAtMs = performance.now();
        await store.load(SESSION, none);
        times[what].push(performance.now() - startedAtMs);
      }
    } finally {
      await storage.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  for (const what of ['whole', 'damaged'] as const)
    console.log(`transcript of ${entries.length} entries, ${what}: ${summarize(times[what], 'ms')}`);
};
