import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { recordingLogger } from './context.ts';

/** The last minutes of the sample's last date: coins cost then what the sample's table says. */
const sampleClock = { now: () => Temporal.Instant.from('2026-11-13T23:57:00Z') };

/** The market of somebody who tries the bot out, and the names of all there is. */
export const sampleMarket: Market = createMarket({
  sources: [createSampleSource(sampleClock)],
  calendar: { sessionOf, lastCloseBefore },
  clock: { ...systemClock, ...sampleClock },
  logger: recordingLogger().logger,
});

/** No source answers. */
export const quotesDown: Pick<Market, 'getQuotes'> = {
  getQuotes: async (instruments) =>
    instruments.map((instrument) => ({ status: 'unavailable', instrument, reason: 'down' })),
};

export const symbols = createSymbolSearch();
