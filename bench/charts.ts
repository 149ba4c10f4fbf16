import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HistoryRange } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { createCharts } from '#src/markets/charts/charts.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { History } from '#src/markets/sources/source.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { median, summarize } from './statistics.ts';

const RUNS = 30;
/** Until the process has compiled what it runs all the time. */
const WARM_UPS = 6;
const BAR_MS = 120;
const BAR_DELAY_MS = 20;
const BYTES_A_KB = 1024;
const NANOSECONDS_A_MS = 1_000_000;
const READER: Audience = { locale: 'ko', timeZone: 'Asia/Seoul' };

const historiesOf = async (names: readonly string[], range: HistoryRange): Promise<readonly History[]> => {
  const symbols = createSymbolSearch();
  const source = createSampleSource(systemClock);
  const { signal } = new AbortController();
  const found = names.map(async (name) => {
    const match = symbols.resolve(name);
    const history = match.status === 'found' && (await source.getHistory?.(match.instrument, range, signal));
    if (!history) throw new Error(`The sample lacks ${name}`);
    return history;
  });
  return Promise.all(found);
};

/** How long a picture takes in its process once that is warm, and whether the rest of the bot can work meanwhile. */
export const benchCharts = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'finclaw-bench-'));
  const logger = createLogger({
    level: 'error',
    pretty: true,
    secrets: [],
    write: (line) => process.stderr.write(line),
  });
  const charts = createCharts({
    files: createSentFiles({ dataDir, clock: systemClock }),
    clock: systemClock,
    logger,
  });
  const histories = await historiesOf(['005930', '000660', 'NVDA', 'AAPL'], '1y');
  const { signal } = new AbortController();
  const kinds = {
    candles: (run: number) => {
      const history = histories[run % histories.length];
      if (!history) throw new Error('There is no history');
      return charts.candles(history, { theme: run % 2 === 0 ? 'light' : 'dark' }, READER, signal);
    },
    comparison: () => charts.comparison(histories, {}, READER, signal),
  };
  try {
    const startMb = process.memoryUsage.rss() / BYTES_A_KB ** 2;
    const startedMs = performance.now();
    await kinds.candles(0);
    console.log(
      `chart, the first one: ${(performance.now() - startedMs).toFixed(0)} ms with the start of its process`,
    );
    for (const [name, draw] of Object.entries(kinds)) {
      for (let run = 0; run < WARM_UPS; run += 1) await draw(run);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const samples: number[] = [];
      const sizes: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        const drawnFromMs = performance.now();
        const { sizeBytes = 0 } = await draw(run);
        samples.push(performance.now() - drawnFromMs);
        sizes.push(sizeBytes / BYTES_A_KB);
      }
      delay.disable();
      const p99Ms = delay.percentile(99) / NANOSECONDS_A_MS;
      const verdict = median(samples) <= BAR_MS && p99Ms < BAR_DELAY_MS ? '' : ' (missed)';
      console.log(
        `chart, ${name}: ${summarize(samples, 'ms')}; bar ${BAR_MS} ms; event-loop delay p99 ${p99Ms.toFixed(1)} ms; bar ${BAR_DELAY_MS} ms; ${median(sizes).toFixed(0)} KB a picture${verdict}`,
      );
    }
    const peakMb = process.resourceUsage().maxRSS / BYTES_A_KB;
    console.log(
      `chart, memory: ${peakMb.toFixed(0)} MB of the process at most, ${startMb.toFixed(0)} MB before the first`,
    );
  } finally {
    await charts.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};
