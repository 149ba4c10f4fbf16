import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { kindOf } from '#test/support/fact-kind.ts';
import { expect, it, onTestFinished } from 'vitest';
import { openFeatures } from '#src/features/open/open-features.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';
import { inFull } from '#test/support/in-full.ts';

const audience = { locale: 'en', timeZone: 'America/New_York' } as const;
const { signal } = new AbortController();

it('tells of a running day the same change as its quote, and no close', async () => {
  const now = Temporal.Instant.from('2026-11-13T06:00:00Z'); // 15:00 in Seoul.
  const clock = { ...systemClock, now: () => now };
  const { yahoo, upbit } = await startLiveMarket(clock);
  const { markets, stop } = openFeatures({
    settings: { mode: 'yahoo', hasLiveSetup: true, yahooUrl: yahoo.url, upbitUrl: upbit.url },
    personal: personalDepsOn((await sqliteStorage()).storage, clock),
    files: createSentFiles({ dataDir: '/nonexistent', clock }),
    clock,
    logger: recordingLogger().logger,
  });
  onTestFinished(stop);
  const [quote, history] = await Promise.all([
    markets.quotes(['005930'], audience, signal),
    inFull(markets.history({ query: '005930', range: '1d' }, audience, signal)),
  ]);
  const quoted = quote.facts.find(({ metric }) => metric === 'changePercent')?.value;
  expect(quoted).toMatch(/\d/u);
  expect(history.facts.find((fact) => kindOf(fact) === 'changePercent 1d')?.value).toBe(quoted);
  expect(history.content).toMatch(/^Previous close .* → last price /mu);
});
