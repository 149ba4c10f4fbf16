import { describe, expect, it } from 'vitest';
import type { MarketSession, SessionState } from '#src/kernel/market/finance.ts';
import { PASS } from '#src/chat/gates/gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { createMarketHours } from '#src/markets/calendar/calendar.ts';
import { marketHours } from '#src/chat/gates/market-hours.ts';
import { commandOfSlash } from '#test/support/commands.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { directMessage, senderNamed } from './support.ts';
import { stripMentions } from '#test/support/markup.ts';

type MarketHoursDeps = Parameters<typeof marketHours>[0];

/** A Saturday in Seoul and New York. */
const WEEKEND = '2026-11-14T06:00:00Z';
/** Seoul trades from 00:00 to 06:30 UTC. */
const SEOUL_OPEN = '2026-11-13T06:29:00Z';

const setUp = (at: string, overrides: Partial<MarketHoursDeps> = {}) => {
  const clock = new ManualClock(at);
  const gate = marketHours({
    respectMarketHours: true,
    marketHours: createMarketHours(),
    commandOf: commandOfSlash,
    timeZone: 'Asia/Seoul',
    locale: 'auto',
    stripMentions,
    clock,
    ...overrides,
  });
  return { clock, check: gate.check };
};

const session = (market: string, state: SessionState, nextOpenAt: string | null): MarketSession => ({
  market,
  state,
  nextOpenAt: nextOpenAt === null ? null : Temporal.Instant.from(nextOpenAt),
  nextChange: null,
});

const hoursOf = (...sessions: readonly MarketSession[]): MarketHoursDeps['marketHours'] => ({
  markets: sessions.map(({ market }) => market),
  sessionAt: (market) =>
    sessions.find((known) => known.market === market) ?? session(market, 'unknown', null),
});

const DROPPED = { verdict: 'drop', reason: 'markets-closed' };

describe('market-hours', () => {
  it('does not look at the clock where it is not configured', () => {
    expect(setUp(WEEKEND, { respectMarketHours: false }).check(directMessage())).toEqual(PASS);
  });

  it('passes until the last market closes, and from the first that opens', async () => {
    const { clock, check } = setUp(SEOUL_OPEN, { markets: ['KRX'] });
    expect(check(directMessage())).toEqual(PASS);
    await clock.advance(60_000);
    expect(check(directMessage())).toMatchObject(DROPPED);
    // The weekend, up to Monday at nine in Seoul.
    await clock.advance((65 * 60 + 30) * 60_000 - 1);
    expect(check(directMessage())).toMatchObject(DROPPED);
    await clock.advance(1);
    expect(check(directMessage())).toEqual(PASS);
  });

  it('goes by all markets where none is named, and otherwise by those that are', () => {
    expect(setUp(SEOUL_OPEN).check(directMessage())).toEqual(PASS);
    expect(setUp(SEOUL_OPEN, { markets: ['NYSE'] }).check(directMessage())).toMatchObject(DROPPED);
    expect(setUp(SEOUL_OPEN, { markets: ['NYSE', 'KRX'] }).check(directMessage())).toEqual(PASS);
  });

  it.each<[SessionState, boolean]>([
    ['open', true],
    ['unknown', true],
    ['pre', false],
    ['after', false],
    ['closed', false],
  ])('a market that is %s lets questions through: %s', (state, isPassed) => {
    const hours = hoursOf(session('A', 'closed', null), session('B', state, null));
    const verdict = setUp(WEEKEND, { marketHours: hours }).check(directMessage());
    expect(verdict).toMatchObject(isPassed ? PASS : DROPPED);
  });

  it('passes commands at any time', () => {
    expect(setUp(WEEKEND).check(directMessage({ body: '/price AAPL' }))).toEqual(PASS);
  });

  it.each([
    ['en', 'Asia/Seoul', 'How is Apple today?', 'KRX, TSE, Mon 2026-11-16 09:00 KST'],
    ['ko', 'Asia/Seoul', '애플 주가 알려줘', 'KRX, TSE, 2026-11-16 (월) 09:00 KST'],
    ['en', 'America/New_York', 'How is Apple today?', 'KRX, TSE, Sun 2026-11-15 19:00 EST'],
  ] as const)('says in %s and %s which market opens next, and when', (locale, timeZone, body, opening) => {
    const verdict = setUp(WEEKEND, { timeZone }).check(directMessage({ body }));
    const [markets = '', ...at] = opening.split(', ');
    const reply = gateTexts(locale).marketsClosedUntil({ markets, at: at.join(', ') });
    expect(verdict).toEqual({ ...DROPPED, reply });
    expect(reply).toContain(opening);
  });

  it('names all that open at that time, and does not guess where no calendar says when', () => {
    const later = session('C', 'closed', '2026-11-16T14:30:00Z');
    const together = hoursOf(
      later,
      session('A', 'pre', '2026-11-16T00:00:00Z'),
      session('D', 'closed', null),
      session('B', 'closed', '2026-11-16T00:00:00Z'),
    );
    const verdict = setUp(WEEKEND, { marketHours: together }).check(directMessage());
    expect(verdict).toMatchObject({ reply: expect.stringContaining('A, B, Mon 2026-11-16 09:00 KST') });
    const unknown = setUp(WEEKEND, { marketHours: hoursOf(session('A', 'closed', null)) });
    expect(unknown.check(directMessage())).toMatchObject({ reply: gateTexts('en').marketsClosed() });
  });

  it('says it once an hour to each person', async () => {
    const { clock, check } = setUp(WEEKEND);
    expect(check(directMessage())).toHaveProperty('reply');
    expect(check(directMessage())).toEqual(DROPPED);
    expect(check(directMessage(senderNamed('jun')))).toHaveProperty('reply');
    await clock.advance(60 * 60_000);
    expect(check(directMessage())).toHaveProperty('reply');
  });
});
