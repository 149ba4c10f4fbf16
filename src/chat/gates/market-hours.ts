import type { MarketHours, MarketSession } from '#src/kernel/market/finance.ts';
import { type Gate, PASS } from './gate.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { writeDayMoment } from '#src/kernel/time.ts';
import { type ZoneSettings, zoneOf } from '../context/time-zone.ts';
import type { CommandOf } from '../context/read-command.ts';
import { createThrottledReply, type ThrottledReplyDeps } from './throttled-reply.ts';

interface MarketHoursDeps extends ThrottledReplyDeps, ZoneSettings {
  readonly respectMarketHours: boolean;
  /** Absent: all markets. */
  readonly markets?: readonly string[] | undefined;
  readonly marketHours: MarketHours;
  readonly commandOf: CommandOf;
}

/** An outdated calendar (`unknown`) must not silence the bot. Extended hours count as closed. */
const mayTrade = ({ state }: MarketSession): boolean => state === 'open' || state === 'unknown';

interface Opening {
  readonly at: Timestamp;
  /** The markets that open at that time. */
  readonly markets: readonly string[];
}

/** The next opening of any market; undefined if no calendar covers it. */
const nextOpening = (sessions: readonly MarketSession[]): Opening | undefined => {
  const times = sessions.flatMap(({ nextOpenAt }) => nextOpenAt ?? []);
  const [at] = times.toSorted((a, b) => Temporal.Instant.compare(a, b));
  if (!at) return undefined;
  return { at, markets: sessions.filter((s) => s.nextOpenAt?.equals(at)).map(({ market }) => market) };
};

const describeClosed = (sessions: readonly MarketSession[], locale: Locale, timeZone: string): string => {
  const t = gateTexts(locale);
  const opening = nextOpening(sessions);
  if (!opening) return t.marketsClosed();
  const at = writeDayMoment(opening.at, timeZone, locale);
  return t.marketsClosedUntil({ markets: opening.markets.join(', '), at });
};

/** If configured, accepts questions only while a market is open. Commands are always accepted. */
export const marketHours = (deps: MarketHoursDeps): Gate => {
  const { respectMarketHours, marketHours: hours, commandOf, clock } = deps;
  const markets = deps.markets ?? hours.markets;
  const dropWithReply = createThrottledReply(deps);
  return {
    name: 'market-hours',
    check: (message) => {
      if (!respectMarketHours || commandOf(message)) return PASS;
      const now = clock.now();
      const sessions = markets.map((market) => hours.sessionAt(market, now));
      if (sessions.some(mayTrade)) return PASS;
      const { timeZone } = zoneOf(message, deps);
      return dropWithReply(message, 'markets-closed', (locale) => describeClosed(sessions, locale, timeZone));
    },
  };
};
