import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTranscriptStore,
  type TranscriptEntry,
} from '#src/agent/memory/transcript/transcript-store.ts';
import { asId, type SessionKey, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { systemClock } from '#src/platform/clock.ts';
import { createLogger } from '#src/platform/logger.ts';
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

/** Every hundredth line is gone, another one spoiled, another there twice, and the last is cut short. */
const damage = (whole: string): string =>
  whole
    .split('\n')
    .flatMap((line, index) => {
      if (index % 100 === 10) return [];
      if (index % 100 === 40) return [line.replaceAll('"', '')];
      return index % 100 === 70 ? [line, line] : [line];
    })
    .join('\n')
    .slice(0, -20);

/** How long a conversation of 10,000 entries takes to load: a whole one, and one that has to be repaired. */
export const benchTranscriptLoad = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-bench-'));
  const directory = join(dataDir, 'sessions');
  const logger = createLogger({ level: 'error', pretty: false, secrets: [], write: () => undefined });
  const store = createTranscriptStore(dataDir, systemClock, logger);
  const none: ReadonlySet<TurnId> = new Set();
  try {
    await store.replace(SESSION, entries);
    const [name = ''] = readdirSync(directory);
    const whole = readFileSync(join(directory, name), 'utf8');
    for (const [what, text] of [
      ['whole', whole],
      ['damaged', damage(whole)],
    ] as const) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        writeFileSync(join(directory, name), text);
        const startedAtMs = performance.now();
        await store.load(SESSION, none);
        times.push(performance.now() - startedAtMs);
      }
      const megabytes = (Buffer.byteLength(text) / 1e6).toFixed(1);
      console.log(
        `transcript of ${entries.length} entries, ${what} (${megabytes} MB): ${summarize(times, 'ms')}`,
      );
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
