import { describe, expect, it } from 'vitest';
import { placeInTime } from '#src/finance/portfolio/entries/read-entry-moment.ts';
import { symbols } from '#test/support/sample-market.ts';
import { openPortfolios } from './desk-support.ts';

/** Somebody in one zone, at one moment, with prices near what they type. */
const openAt = async (now: string, timeZone: string) => {
  const all = await openPortfolios(now);
  all.prices.set('AAPL', { price: '272' });
  all.closes.set('USDKRW=X', { '2025-12-22': '1450' });
  const say = (body: string) =>
    all.say(body.startsWith('/') ? body : `/portfolio ${body}`, { locale: 'en', timeZone });
  const moments = async () =>
    (await all.ledgerOf('mina')).map(({ date, time }) =>
      `${date.toString()} ${time?.toString() ?? ''}`.trim(),
    );
  return { ...all, say, moments };
};

describe('the day of a trade', () => {
  it('after midnight in Seoul is the one on which New York trades, with the clock of New York', async () => {
    const { say, moments } = await openAt('2025-12-29T16:00:00Z', 'Asia/Seoul');
    const bought = await say('add AAPL 10 272');
    expect(bought.content).toContain(
      'Its day is 2025-12-29, that of the US market at that moment (2025-12-30 where you are).',
    );
    const sold = await say('sell AAPL 5 372.4 01:00 --yes');
    expect(sold.content).toContain('· 2025-12-29 11:00');
    await say('add AAPL 1 272 2025-12-30 00:30');
    // Of a time without a day the last one counts; a zone that is named counts before the person's own.
    await say('add AAPL 2 272 23:40');
    await say('add AAPL 3 272 09:45 ET');
    // A day without a time stays as it is written, and so does a time at which New York does not trade.
    await say('add AAPL 4 272 2025-12-30');
    await say('add AAPL 6 272 2025-12-26 10:30');
    expect(await moments()).toEqual([
      '2025-12-29',
      '2025-12-29 11:00:00',
      '2025-12-29 10:30:00',
      '2025-12-29 09:40:00',
      '2025-12-29 09:45:00',
      '2025-12-30',
      '2025-12-26 10:30:00',
    ]);
    expect((await say('tax 2025 kr')).content).toMatch(/Net gain: .*727,900.*, 1 sale/u);
  });

  it('of a Saturday night in Seoul is Friday, and the offered commands mean what they say', async () => {
    const { say, moments } = await openAt('2026-11-16T03:00:00Z', 'Asia/Seoul');
    expect((await say('add AAPL 3 272 2026-11-14 02:00')).content).toContain('Recorded');
    const far = await say('add AAPL 3 900 2026-11-14 02:30');
    expect(far.choices?.at(-1)?.command).toContain('--date=2026-11-14 --time=02:30');
    await say(far.choices?.at(-1)?.command ?? '');
    const closed = await say('add AAPL 2 272 2026-11-15 02:00');
    expect(closed.content).toContain('is a weekend');
    for (const { label, command } of closed.choices?.slice(0, 1) ?? []) {
      expect(label).toContain('Fri 2026-11-13');
      await say(command);
    }
    expect(await moments()).toEqual(['2026-11-13 12:00:00', '2026-11-13 12:30:00', '2026-11-13 12:00:00']);
  });

  it.each<[what: string, now: string, zone: string, of: string, typed: string, moment: string]>([
    [
      'before the clocks change',
      '2026-03-20T03:00Z',
      'Asia/Seoul',
      'AAPL',
      '2026-03-07 00:00',
      '2026-03-06 10:00:00',
    ],
    [
      'after the clocks change',
      '2026-03-20T03:00Z',
      'Asia/Seoul',
      'AAPL',
      '2026-03-10 00:00',
      '2026-03-09 11:00:00',
    ],
    [
      'of a Korean share, told in New York',
      '2026-11-17T01:30Z',
      'America/New_York',
      '005930',
      '',
      '2026-11-17',
    ],
    ['and with a time', '2026-11-17T01:30Z', 'America/New_York', '005930', ' 20:15', '2026-11-17 10:15:00'],
    [
      'and a zone',
      '2026-11-17T01:30Z',
      'America/New_York',
      '005930',
      '2026-11-16 15:10 KST',
      '2026-11-16 15:10:00',
    ],
    ['of a coin', '2025-12-29T16:00Z', 'Asia/Seoul', 'BTC', '', '2025-12-30'],
    ['of a coin, with a time', '2025-12-29T16:00Z', 'Asia/Seoul', 'BTC', ' 00:30', '2025-12-30 00:30'],
    ['of a coin, with a zone', '2025-12-29T16:00Z', 'Asia/Seoul', 'BTC', ' 15:30 UTC', '2025-12-30 00:30:00'],
    ['at home', '2026-11-16T20:00Z', 'America/New_York', 'AAPL', ' 14:45', '2026-11-16 14:45:00'],
  ])('%s: %s in %s, %s %s', (_what, at, timeZone, of, typed, moment) => {
    const now = Temporal.Instant.from(at);
    const match = symbols.resolve(of);
    const instrument = match.status === 'found' ? match.instrument : undefined;
    const [date, ...time] = typed.split(' ');
    const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
    const placed = placeInTime({ kind: 'buy', date, time: time.join(' ') }, instrument, {
      today,
      now,
      timeZone,
    });
    const day = placed.request.date === '' ? placed.today.toString() : placed.request.date;
    expect(`${day} ${placed.request.time}`.trim()).toBe(moment);
  });
});
