import { describe, expect, it } from 'vitest';
import type { ZoneSource } from '#src/kernel/time.ts';
import { placeInTime, writtenMoment } from '#src/features/portfolio/entries/entry-time.ts';
import { everyRow } from '#test/support/every-row.ts';
import { symbols } from '#test/support/sample-market.ts';
import { openPortfolios } from '../service-support.ts';

/** Somebody in one zone, at one moment, with prices near what they type. */
const openAt = async (now: string, timeZone: string, zoneFrom: ZoneSource = 'profile') => {
  const all = await openPortfolios(now);
  all.prices.set('AAPL', { price: '272' });
  all.closes.set('USDKRW=X', { '2025-12-22': '1450' });
  const say = (body: string) =>
    all.say(body.startsWith('/') ? body : `/portfolio ${body}`, { locale: 'en', timeZone, zoneFrom });
  const moments = async () =>
    (await all.ledgerOf('mina')).map(({ date, time }) =>
      `${date.toString()} ${time?.toString() ?? ''}`.trim(),
    );
  return { ...all, say, moments };
};

describe('the day of a trade', () => {
  it('asks about a time at which no Korean exchange trades, and about no other', async () => {
    const { say, prices } = await openAt('2026-11-13T03:00:00Z', 'Asia/Seoul');
    prices.set('005930.KS', { price: '70000' });
    const late = await say('add 삼성전자 1 70000 2026-11-12 23:30');
    expect(late.content).toMatch(/^Not recorded yet[^]*At 23:30 no Korean exchange trades/u);
    for (const fine of ['2 70000 2026-11-12 08:05', '3 70000 2026-11-12 19:55'])
      expect((await say(`add 삼성전자 ${fine}`)).content).toContain('✅ Recorded');
  });

  it('before 1970 is asked about', async () => {
    const { say, moments, prices } = await openAt('2026-11-13T03:00:00Z', 'Asia/Seoul');
    prices.set('005930.KS', { price: '70000' });
    for (const typed of ['삼성전자 1 70000 1926-03-12', 'AAPL 1 272 1969-12-31'])
      expect((await say(`add ${typed}`)).content).toMatch(
        /^Not recorded yet[^]*(?:Fri 1926-03-12|Wed 1969-12-31) is before 1970\. Check the year\./u,
      );
    await say('add 삼성전자 1 70000 1926-03-12 --yes');
    expect(await moments()).toEqual(['1926-03-12']);
  });

  it('after midnight in Seoul is the one on which New York trades, with the clock of New York', async () => {
    const { say, moments } = await openAt('2025-12-29T16:00:00Z', 'Asia/Seoul');
    const bought = await say('add AAPL 10 272');
    expect(bought.content).toContain('Dated 2025-12-29 (the US market), 2025-12-30 where you are.');
    const sold = await say('sell AAPL 5 372.4 01:00 --yes');
    expect(sold.content).toContain('· 2025-12-29 11:00');
    await say('add AAPL 1 272 2025-12-30 00:30');
    // A time without a day is the latest such time; a written zone wins over the person's own.
    await say('add AAPL 2 272 23:40');
    await say('add AAPL 3 272 09:45 ET');
    // A day without a time stays as it is written; a time in the evening before a trading day is overnight trading.
    await say('add AAPL 4 272 2025-12-30');
    await say('add AAPL 6 272 2025-12-26 10:30');
    expect(await moments()).toEqual([
      '2025-12-29',
      '2025-12-29 11:00:00',
      '2025-12-29 10:30:00',
      '2025-12-29 09:40:00',
      '2025-12-29 09:45:00',
      '2025-12-30',
      '2025-12-25 20:30:00',
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
    expect(closed.content).toContain('weekend');
    for (const { label, command } of closed.choices?.slice(0, 1) ?? []) {
      expect(label).toContain('Fri 2026-11-13');
      await say(command);
    }
    expect(await moments()).toEqual(['2026-11-13 12:00:00', '2026-11-13 12:30:00', '2026-11-13 12:00:00']);
  });

  everyRow<[what: string, now: string, zone: string, of: string, typed: string, moment: string]>([
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
    ['of a coin, with a time', '2025-12-29T16:00Z', 'Asia/Seoul', 'BTC', ' 00:30', '2025-12-30 00:30:00'],
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

const instrumentOf = (code: string) => {
  const match = symbols.resolve(code);
  if (match.status !== 'found') throw new Error(code);
  return match.instrument;
};

/** Whose clock it is, and how that is known. */
const PEOPLE: readonly (readonly [timeZone: string, zoneFrom: ZoneSource])[] = [
  ['Asia/Seoul', 'profile'],
  ['Asia/Seoul', 'bot'],
  ['America/New_York', 'platform'],
  ['UTC', 'machine'],
  ['Asia/Seoul', 'language'],
];
/** The clocks change in New York on 2026-03-08 and 2026-11-01. */
const DAYS = ['2026-03-06', '2026-03-08', '2026-03-09', '2026-10-31', '2026-11-01', '2026-11-02'];
const NOW = Temporal.Instant.from('2026-11-16T12:00:00Z');

/** Times over the whole of these days; without the hours that New York skips or has twice, in which no exchange trades. */
const typedTimes = DAYS.flatMap((day) =>
  Array.from({ length: 22 }, (_each, index) =>
    Temporal.PlainDate.from(day)
      .toPlainDateTime('00:05')
      .add({ minutes: 65 * index }),
  ),
).filter((at) => {
  const isChange = (zone: string): boolean => {
    const there = at.toZonedDateTime(zone).withTimeZone('America/New_York').toPlainDateTime();
    const isSunday = DAYS[1] === there.toPlainDate().toString() || DAYS[4] === there.toPlainDate().toString();
    return isSunday && there.hour >= 1 && there.hour < 4;
  };
  return !['Asia/Seoul', 'America/New_York', 'UTC'].some(isChange);
});

const placeOf = (code: string, timeZone: string, zoneFrom: ZoneSource) => {
  const today = NOW.toZonedDateTimeISO(timeZone).toPlainDate();
  return (date: string, time: string): Temporal.PlainDateTime => {
    const said = { today, now: NOW, timeZone, zoneFrom };
    const { request } = placeInTime({ kind: 'buy', date, time }, instrumentOf(code), said);
    return Temporal.PlainDate.from(request.date ?? '').toPlainDateTime(request.time);
  };
};

describe('the clock of a person', () => {
  it.each(PEOPLE)(
    '%s (%s) keeps times in order, and reads what it writes as the same moment',
    (zone, from) => {
      for (const code of ['AAPL', '005930', 'BTC']) {
        const place = placeOf(code, zone, from);
        // With a guessed zone the exchange's clock counts; a written zone gives the same moment.
        const exchange = code === 'AAPL' ? 'America/New_York' : code === '005930' ? 'Asia/Seoul' : zone;
        const isGuess = from === 'machine' || from === 'language';
        const clock = isGuess ? exchange : zone;
        const stored = typedTimes.map((typed, index) => {
          if (index % 3 > 0) return place(typed.toPlainDate().toString(), typed.toPlainTime().toString());
          const inSeoul = typed.toZonedDateTime(clock).withTimeZone('Asia/Seoul').toPlainDateTime();
          return place(inSeoul.toPlainDate().toString(), `${inSeoul.toPlainTime().toString()} KST`);
        });
        expect(stored.map(String)).toEqual([...new Set(stored.map(String))].toSorted());
        const written = stored.map((at) =>
          writtenMoment(instrumentOf(code), at.toPlainDate(), at.toPlainTime(), {
            timeZone: zone,
            zoneFrom: from,
          }),
        );
        expect(written.map(({ date, time }) => place(date, time).toString())).toEqual(stored.map(String));
        // A person who sets their zone before pressing the button still gets the entry that was shown.
        const elsewhere = placeOf(code, 'Asia/Tokyo', 'profile');
        if (isGuess)
          expect(written.map(({ date, time }) => elsewhere(date, time).toString())).toEqual(
            stored.map(String),
          );
      }
    },
  );

  it('is the exchange’s for every line where the zone is a guess', async () => {
    const { say, moments } = await openAt('2026-11-16T12:00:00Z', 'UTC', 'machine');
    await say('add AAPL 10 200 2026-11-10 --yes');
    await say('add AAPL 10 300 2026-11-12 08:45 --yes');
    const sold = await say('sell AAPL 10 300 2026-11-12 10:30 --yes');
    expect(sold.content).toContain('+$500.00');
    expect(sold.content).not.toContain('Its time is');
    await say('add 005930 2 71000 today 10:00 --yes');
    expect(await moments()).toEqual([
      '2026-11-10',
      '2026-11-12 08:45:00',
      '2026-11-12 10:30:00',
      '2026-11-16 10:00:00',
    ]);
  });

  it('is the person’s at every hour, and the answer tells the time of the exchange', async () => {
    const { say, moments, prices } = await openAt('2026-11-16T12:00:00Z', 'Asia/Seoul');
    prices.set('TSLA', { price: '250' });
    const early = await say('add TSLA 1 250 2026-11-13 09:35');
    expect(early.content).toContain('At 2026-11-12 19:35 in New York (2026-11-13 09:35 in Seoul).');
    expect(early.content).toContain('If 09:35 was the time in New York, write `09:35 ET`.');
    await say('add TSLA 1 251 2026-11-13 10:35');
    await say('add TSLA 1 252 2026-11-13 17:30');
    await say('add TSLA 1 253 2026-11-13 18:30');
    // Sunday evening in New York is overnight trading; the afternoon is not.
    expect((await say('add TSLA 1 254 2026-11-16 10:35')).content).toContain('2026-11-15 20:35 in New York');
    expect((await say('add TSLA 1 255 2026-11-16 05:35')).content).toContain('weekend');
    expect((await say('add TSLA 1 256 2026-11-15')).content).toContain('weekend');
    expect((await say('add TSLA 1 257 2026-11-13 09:35 ET')).content).not.toContain('Its time is');
    expect(await moments()).toEqual([
      '2026-11-12 19:35:00',
      '2026-11-12 20:35:00',
      '2026-11-13 03:30:00',
      '2026-11-13 04:30:00',
      '2026-11-15 20:35:00',
      '2026-11-13 09:35:00',
    ]);
  });
});
