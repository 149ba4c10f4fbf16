import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { rescaled } from '#src/features/alerts/watching/split-facts.ts';
import { ratioText } from '#src/markets/answers/split-ratio.ts';
import { requesterOf, setUp, signal } from './alerts-support.ts';

/** In minutes. Alerts are set on a Monday; splits take effect on the Tuesday. */
const DAY = 24 * 60;
const TUESDAY = '2026-11-17';
const range = (low: number, high: number) => ({ low: new Decimal(low), high: new Decimal(high) });
const year = (price: number) => range(price / 2, price * 1.2);
/** Up and down by a hundredth around the price. */
const past = (price: number) =>
  Array.from({ length: 250 }, (_, day) => price * (day % 2 === 0 ? 0.99 : 1.01));

type World = Awaited<ReturnType<typeof setUp>>;

const fired = async ({ told }: World): Promise<readonly string[]> =>
  (await told()).filter((message) => message.startsWith('🔔'));
const levels = async ({ store, clock }: World): Promise<readonly string[]> =>
  (await store.due(clock.now())).flatMap(({ condition }) =>
    'price' in condition ? [condition.price.toFixed()] : [],
  );

/** One alert that was looked at once, at this price. */
const setAt = async (price: number, text: string): Promise<World> => {
  const world = await setUp();
  world.hand.move('AAPL', price, { previousClose: new Decimal(price) });
  await world.set(text);
  await world.look(1);
  return world;
};

/** What a source may still have, or have already, of the new shares when the day begins. */
const MIXTURES = [
  ['all of it adjusted', { close: true, year: true, past: true }],
  ['the previous close not adjusted', { close: false, year: true, past: true }],
  ['the year not adjusted', { close: true, year: false, past: true }],
  ['the history not adjusted', { close: true, year: true, past: false }],
  ['nothing adjusted', { close: false, year: false, past: false }],
] as const;

/** A 4:1 split from $200 and a 1:10 one from $5, with every kind of alert that a naive look would fire. */
const SPLITS = [
  {
    ratio: 4,
    text: '4:1 split',
    before: 200,
    texts: ['AAPL < 150', 'AAPL crosses below 180', 'AAPL -10% from now', 'AAPL 52w low', 'AAPL -5%'],
    lines: [
      '"at $150.00 or below" is now "at $37.50 or below"',
      '"crosses below $180.00" is now "crosses below $45.00"',
      '"down 10% from $200.00" is now "down 10% from $50.00"',
      'a new 52-week low: the last one, $100.00, counts as $25.00',
    ],
  },
  {
    ratio: 0.1,
    text: '1:10 reverse split',
    before: 5,
    texts: ['AAPL > 20', 'AAPL crosses above 6', 'AAPL 10% from now', 'AAPL 52w high', 'AAPL +5%'],
    lines: [
      '"at $20.00 or above" is now "at $200.00 or above"',
      '"crosses above $6.00" is now "crosses above $60.00"',
      '"up or down 10% from $5.00" is now "up or down 10% from $50.00"',
      'a new 52-week high: the last one, $6.00, counts as $60.00',
    ],
  },
] as const;

describe.each(SPLITS)('a $text', ({ ratio, text, before, texts, lines }) => {
  it.each(MIXTURES)('fires nothing and is told once, with %s', async (_what, has) => {
    const world = await setUp({ maxAlerts: 20 });
    const { set, look, told, hand, actions, openWatch, clock } = world;
    const after = before / ratio;
    hand.past('AAPL', past(before));
    hand.move('AAPL', before, { previousClose: new Decimal(before), yearRange: year(before) });
    for (const each of [...texts, 'AAPL rsi > 90', 'AAPL rsi < 10', 'AAPL ma5 > ma20', 'AAPL ma5 < ma20'])
      await set(each);
    await look(1);
    actions.split(TUESDAY, ratio);
    if (has.past) hand.past('AAPL', past(after));
    const quote = {
      previousClose: new Decimal(has.close ? after : before),
      yearRange: year(has.year ? after : before),
      volume: new Decimal(100),
    };
    await clock.advance((DAY - 2) * 60_000);
    hand.move('AAPL', after, quote);
    // Two processes come to it at once, and one begins anew after it.
    await Promise.all([world.watch.tick(), openWatch().tick()]);
    await look(1);
    await openWatch().tick();
    await look(20);
    // A little further in the direction of the new extremes.
    await look(1, 'AAPL', after * (ratio > 1 ? 0.9995 : 1.0005), quote);
    expect(await fired(world)).toEqual([]);
    const [notice, ...others] = await told();
    expect(others).toEqual([]);
    expect(notice).toContain(`**Apple (AAPL)**: ${text} on ${TUESDAY}.`);
    for (const line of lines) expect(notice).toContain(line);
    expect(notice?.split('\n')).toHaveLength(1 + lines.length);
  });
});

describe('an alert over a split', () => {
  it('goes on at its new level, says so in the list, and fires there', async () => {
    const world = await setAt(200, 'AAPL < 150');
    world.actions.split(TUESDAY, 4);
    const { look, service } = world;
    await look(DAY, 'AAPL', 50);
    const { content, facts } = await service.list({}, requesterOf('mina'), signal);
    expect(content).toContain(
      'at $37.50 or below · once · adjusted for the 4:1 split on 2026-11-17, before that $150.00',
    );
    expect(facts).toContainEqual(expect.objectContaining({ metric: 'alertPrice', value: '37.5' }));
    await look(1, 'AAPL', 42);
    expect(await fired(world)).toEqual([]);
    await look(1, 'AAPL', 37.4);
    expect(await fired(world)).toEqual([expect.stringContaining('at $37.50 or below')]);
  });

  it('lists each of two splits that came while nobody looked', async () => {
    const world = await setAt(200, 'AAPL < 150');
    world.actions.split(TUESDAY, 4);
    world.actions.split('2026-11-18', 1.5);
    await world.look(3 * DAY, 'AAPL', 33);
    for (const [locale, words] of [
      ['en', 'adjusted for the 4:1 split on 2026-11-17, 3:2 split on 2026-11-18, before that $150.00'],
      ['ko', '2026-11-17 4:1 주식 분할, 2026-11-18 3:2 주식 분할 반영'],
    ] as const) {
      const { content } = await world.service.list({}, requesterOf('mina', { locale }), signal);
      expect(content).toContain(words);
    }
  });

  it('says of a high that was there when it was adjusted that it may be as old as the day', async () => {
    const world = await setAt(200, 'AAPL > 240');
    world.actions.split(TUESDAY, 4);
    const reached = { previousClose: new Decimal(50), dayRange: range(49, 61) };
    await world.look(DAY, 'AAPL', 50, reached);
    await world.look(1, 'AAPL', 50, reached);
    expect(await fired(world)).toEqual([
      expect.stringContaining('This happened between 2026-11-17 23:30 KST and 2026-11-18 00:02 KST'),
    ]);
  });

  it('is told in the language it was set in', async () => {
    const world = await setUp();
    world.hand.move('005930.KS', 5_000);
    await world.clock.advance(10 * 60 * 60_000);
    world.hand.move('005930.KS', 5_000);
    await world.set('삼성전자 4천원 이하', requesterOf('mina', { locale: 'ko' }));
    await world.look(1);
    world.actions.split('2026-11-18', 0.1);
    await world.look(DAY, '005930.KS', 50_500);
    // A reverse split is read as many into one.
    expect(await world.told()).toEqual([
      expect.stringMatching(
        /^✂️ \*\*삼성전자 \(005930\)\*\*: 2026-11-18 10:1 주식 병합이 있었습니다\.[^]*이전 "₩4,000 이하" → 지금 "₩40,000 이하"$/u,
      ),
    ]);
  });

  it('is rounded to what people read, and its ratio is written as companies write it', async () => {
    const world = await setUp();
    world.hand.move('AAPL', 200);
    const alert = await world.set('AAPL < 150');
    for (const [price, ratio, level, text] of [
      ['100', '3', '33.33', '3:1'],
      ['150', '1.05', '142.86', '21:20'],
      ['0.5', '400', '0.00125', '400:1'],
      ['199.125', '4', '49.781', '4:1'],
      ['20', '0.1', '200', '1:10'],
      ['20', '0.3333333333', '60', '1:3'],
      ['30', '1.5', '20', '3:2'],
      ['1', '0.0004', '2500', '1:2500'],
    ] as const) {
      const split = {
        kind: 'split',
        date: Temporal.PlainDate.from(TUESDAY),
        ratio: new Decimal(ratio),
      } as const;
      const condition = { kind: 'below', price: new Decimal(price) } as const;
      const at = { price: new Decimal(1), day: TUESDAY };
      expect(rescaled({ ...alert, condition }, [split], at).condition).toEqual({
        kind: 'below',
        price: new Decimal(level),
      });
      expect(ratioText(split.ratio)).toBe(text);
    }
  });

  it('that was set before anybody remembered prices counts from the day it was set', async () => {
    const world = await setAt(200, 'AAPL < 150');
    world.actions.split(TUESDAY, 4);
    const forget = () => world.storage.db.updateTable('alerts').set({ memory: '{}' }).execute();
    await forget();
    world.actions.split('2026-11-12', 2);
    await world.storage.db.updateTable('alerts').set({ version: 7 }).execute();
    await world.look(3 * DAY, 'AAPL', 50, { previousClose: new Decimal(50) });
    // Only the one of Tuesday came after it was set.
    expect(await levels(world)).toEqual(['37.5']);
    await world.look(1, 'AAPL', 50, { previousClose: new Decimal(50) });
    expect(await levels(world)).toEqual(['37.5']);
    expect(await fired(world)).toEqual([]);
  });

  it('is left as it is by a dividend, and by a split that was in the price when it was set', async () => {
    // Sunday: the source has adjusted the close of Friday before the split of Monday.
    const world = await setUp({ at: '2026-11-15T15:00:00Z' });
    world.hand.move('AAPL', 50, { asOf: Temporal.Instant.from('2026-11-13T21:00:00Z') });
    await world.set('AAPL < 40');
    world.actions.split('2026-11-16', 4);
    await world.look(DAY, 'AAPL', 50.5, { previousClose: new Decimal(50) });
    await world.look(1);
    expect(await world.told()).toEqual([]);
    expect(await levels(world)).toEqual(['40']);
  });

  it('waits where the price comes in new shares later on the day', async () => {
    const world = await setAt(200, 'AAPL < 150');
    world.actions.split(TUESDAY, 4);
    await world.look(DAY, 'AAPL', 201);
    expect(await levels(world)).toEqual(['150']);
    await world.look(30, 'AAPL', 50.2);
    expect(await levels(world)).toEqual(['37.5']);
    await world.look(1);
    expect(await fired(world)).toEqual([]);
  });

  it('whose owner has left the channel ends', async () => {
    const world = await setUp({ membership: async () => 'left' });
    world.hand.move('AAPL', 200);
    await world.set('AAPL < 150 here', requesterOf('mina'));
    await world.look(1);
    world.actions.split(TUESDAY, 4);
    await world.look(DAY, 'AAPL', 50);
    expect(await world.store.hasActive()).toBe(false);
  });
});

describe('a price far from what was seen before', () => {
  it('fires after a second observation, and says that the price was confirmed', async () => {
    const world = await setAt(200, 'AAPL < 150');
    const crash = { previousClose: new Decimal(200), dayRange: range(78, 195) };
    await world.look(DAY, 'AAPL', 100, crash);
    expect(await world.told()).toEqual([]);
    await world.look(1, 'AAPL', 101, crash);
    expect(await world.told()).toEqual([
      expect.stringContaining('a second look confirmed it, and no recent split is known.'),
    ]);
  });

  it('says that a recent split does not explain it, and of what cannot split nothing about splits', async () => {
    const world = await setAt(200, 'AAPL < 120');
    world.hand.move('ETH-USD', 3_000);
    await world.set('ETH-USD < 2500');
    await world.look(1);
    world.actions.split(TUESDAY, 4);
    const after = { previousClose: new Decimal(50) };
    await world.look(DAY, 'AAPL', 50, after);
    world.hand.move('ETH-USD', 2_000);
    await world.look(35, 'AAPL', 29, after);
    await world.look(1, 'AAPL', 29, after);
    const told = (await fired(world)).toSorted();
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('a second look confirmed it, and the recent split does not explain it.');
    expect(told[1]).toContain('a second look confirmed it.\n');
  });

  it('or that another live source disputes fires each alert after a second observation', async () => {
    const world = await setAt(200, 'AAPL < 190');
    await world.set('AAPL < 185');
    const disputed = (price: number) => ({
      price: new Decimal(price),
      asOf: world.clock.now(),
      source: 'another',
    });
    for (const [price, other, count] of [
      [189, 193, 0],
      [191, 193.5, 0],
      [189, 193, 0],
      [188.5, 193, 1],
      [184, 193, 1],
      [184, 193, 2],
    ] as const) {
      await world.look(1, 'AAPL', price, { otherPrice: disputed(other) });
      expect(await fired(world)).toHaveLength(count);
    }
  });

  it('fires a change of the day, too, also for an alert that is set later', async () => {
    const world = await setAt(200, 'AAPL -10%');
    const crash = { previousClose: new Decimal(200), dayRange: range(78, 195) };
    await world.look(DAY, 'AAPL', 100, crash);
    await world.look(1, 'AAPL', 101, crash);
    await world.set('AAPL -60%');
    await world.look(1, 'AAPL', 95, crash);
    await world.look(1, 'AAPL', 79, crash);
    expect(await world.told()).toHaveLength(2);
  });

  it('waits a quarter of an hour where nobody can say whether it was split, and then says that', async () => {
    const world = await setAt(200, 'AAPL < 150');
    const crash = { previousClose: new Decimal(200), dayRange: range(78, 195) };
    world.actions.break();
    await world.look(DAY, 'AAPL', 100, crash);
    await world.look(10);
    expect(await world.told()).toEqual([]);
    await world.look(6);
    expect(await world.told()).toEqual([expect.stringContaining('could not check whether it was a split')]);
  });

  it('does not keep older alerts waiting for an answer about splits, unless newer ones were set at another price', async () => {
    const world = await setAt(200, 'AAPL > 210');
    world.actions.break();
    for (const price of [205, 51]) {
      world.hand.move('AAPL', price, { previousClose: new Decimal(price) });
      await world.clock.advance(DAY * 60_000);
      await world.set(`AAPL > ${price * 2}`);
      await world.look(1, 'AAPL', price, { previousClose: new Decimal(price) });
      if (price === 205) {
        await world.look(1, 'AAPL', 211, { previousClose: new Decimal(205) });
        expect(await fired(world)).toHaveLength(1);
        await world.set('AAPL < 150');
        await world.look(1);
      }
    }
    await world.look(1);
    expect(await fired(world)).toHaveLength(1);
  });

  it.each([false, true])(
    'that looks as after an unreported split is held back for a quarter of an hour and then told, after a restart, too (%s)',
    async (isRestarted) => {
      const world = await setAt(200, 'AAPL < 150');
      const after = { previousClose: new Decimal(50) };
      await world.look(DAY, 'AAPL', 50.5, after);
      const watch = isRestarted ? world.openWatch() : world.watch;
      const lookOn = async (minutes: number, price = 50.4): Promise<void> => {
        await world.clock.advance(minutes * 60_000);
        world.hand.move('AAPL', price, after);
        await watch.tick();
      };
      for (const _ of [1, 2]) await lookOn(6);
      expect(await world.told()).toEqual([]);
      await lookOn(6);
      await lookOn(1);
      expect(await world.told()).toEqual([
        expect.stringMatching(/^⚠️ [^]*a 4:1 split, [^]*I have not judged/u),
      ]);
      // Reported at last.
      world.actions.split(TUESDAY, 4);
      await lookOn(10);
      expect(await levels(world)).toEqual(['37.5']);
      expect(await world.told()).toHaveLength(2);
      expect(await fired(world)).toEqual([]);
    },
  );

  it('counts after the next day, where no split was reported by then', async () => {
    const world = await setAt(200, 'AAPL < 150');
    const after = { previousClose: new Decimal(50) };
    for (const _ of ['Tuesday', 'Wednesday', 'Thursday']) {
      expect(await fired(world)).toEqual([]);
      await world.look(DAY, 'AAPL', 50.5, after);
      await world.look(1);
    }
    expect(await fired(world)).toHaveLength(1);
  });

  it('once, and never again, is left out, and the log says so', async () => {
    const world = await setAt(189, 'AAPL < 150');
    const usual = { previousClose: new Decimal(189) };
    await world.look(1, 'AAPL', 0.01, usual);
    await world.look(1, 'AAPL', 190, usual);
    await world.look(1, 'AAPL', 190, { ...usual, dayRange: range(188, 191) });
    await world.look(1, 'AAPL', 190, { ...usual, dayRange: range(0.01, 191) });
    expect(await world.told()).toEqual([]);
    expect(world.records().map(({ message }) => message)).toContain(
      'A price that was not confirmed was left out',
    );
    await world.look(1, 'AAPL', 160, usual);
    await world.look(1, 'AAPL', 149, usual);
    expect(await world.told()).toHaveLength(1);
  });

  it('of a coin is one that moved by more than a quarter', async () => {
    const world = await setUp();
    for (const price of [100_000, 100_000, 80_000]) {
      world.hand.move('BTC-USD', price);
      if (price === 100_000) await world.set('BTC-USD < 85000').catch(() => undefined);
      await world.look(1);
    }
    expect(await world.told()).toHaveLength(1);
  });
});
