import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { requesterOf, setUp, signal } from './alerts-support.ts';

const DAY = 24 * 60;
const range = (low: number, high: number) => ({
  dayRange: { low: new Decimal(low), high: new Decimal(high) },
});

/** At $190 with the day between 188 and `high`. */
const setAt = async (text: string, high = 192, at?: string) => {
  const world = await setUp({ ...(at && { at }) });
  world.hand.move('AAPL', 190, { ...range(188, high), previousClose: new Decimal(189) });
  await world.set(text);
  await world.look(1);
  return world;
};

describe('a level that was reached between two evaluations', () => {
  it('fires with the time between them, the high and the price', async () => {
    const { look, told, hand } = await setAt('AAPL > 200');
    hand.break();
    await look(5);
    hand.break(false);
    await look(5, 'AAPL', 195, range(188, 210));
    await look(1, 'AAPL', 195, range(188, 210));
    const [message, ...others] = await told();
    expect(others).toEqual([]);
    expect(message).toContain(
      "between 2026-11-17 00:01 KST and 2026-11-17 00:11 KST, exact time unknown: the day's high is $210.00, the price now $195.00",
    );
  });

  it.each([
    ['AAPL < 185', 190, range(184, 192)],
    ['AAPL crosses above 200', 195, range(188, 201)],
    ['AAPL 5% from now', 195, range(188, 199.5)],
    ['AAPL +5%', 195, { ...range(188, 199), previousClose: new Decimal(189) }],
    ['AAPL -5%', 190, { ...range(179, 192), previousClose: new Decimal(189) }],
  ])('counts for %s', async (text, price, quote) => {
    const { look, told } = await setAt(text);
    await look(1, 'AAPL', price, quote);
    expect(await told()).toEqual([expect.stringContaining('exact time unknown')]);
  });

  it('fires for a new 52-week high too, and not for a price below that of another day', async () => {
    const world = await setUp();
    const year = { yearRange: { low: new Decimal(100), high: new Decimal(200) } };
    world.hand.move('AAPL', 190, { ...range(188, 192), ...year });
    await world.set('AAPL 52w high');
    await world.look(1);
    const elsewhen = { low: new Decimal(100), high: new Decimal(215) };
    await world.look(3 * DAY, 'AAPL', 203, { ...range(201, 204), yearRange: elsewhen });
    expect(await world.told()).toEqual([]);
    const reached = { low: new Decimal(100), high: new Decimal(220) };
    await world.look(5, 'AAPL', 205, { ...range(201, 220), yearRange: reached });
    expect(await world.told()).toEqual([expect.stringContaining("the day's high is $220.00")]);
  });

  it('does not count where it was reached before the alert was set; higher than that does', async () => {
    const { look, told } = await setAt('AAPL > 200', 205);
    await look(1, 'AAPL', 191, range(188, 205));
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 191, range(188, 206));
    expect(await told()).toHaveLength(1);
  });

  it('counts from the opening where the alert was set before it', async () => {
    const { look, told } = await setAt('AAPL > 200', 205);
    // The range of the new day, first seen ten minutes after the opening.
    await look(DAY - 21, 'AAPL', 195, { ...range(194, 203), previousClose: new Decimal(195) });
    expect(await told()).toEqual([
      expect.stringContaining('between 2026-11-17 23:30 KST and 2026-11-17 23:40 KST'),
    ]);
  });

  it('fires a repeating alert again only where the range grew, and not for prices during the cooldown', async () => {
    const { look, told } = await setAt('AAPL > 200 repeat cooldown 30m');
    await look(1, 'AAPL', 201, range(188, 202));
    expect(await told()).toHaveLength(1);
    await look(1, 'AAPL', 195, range(188, 202));
    await look(1, 'AAPL', 195, range(188, 204));
    await look(40, 'AAPL', 195, range(188, 204));
    expect(await told()).toHaveLength(1);
    await look(1, 'AAPL', 195, range(188, 205));
    expect(await told()).toHaveLength(2);
  });

  it('does not count where the alert was put off meanwhile, nor what is of another day or in extended hours', async () => {
    const { look, told, service } = await setAt('AAPL > 200');
    await service.snooze({ which: 'AAPL', span: '1h' }, requesterOf('mina'), signal);
    await look(61, 'AAPL', 190, range(188, 203));
    await look(1, 'AAPL', 190, range(188, 203));
    // The price is not in it.
    await look(1, 'AAPL', 190, range(195, 210));
    expect(await told()).toEqual([]);
    const extended = await setUp({ at: '2026-11-16T20:59:00Z' });
    extended.hand.move('AAPL', 190, range(188, 192));
    await extended.set('AAPL > 200 extended');
    const after = {
      session: 'after',
      price: new Decimal(191),
      asOf: Temporal.Instant.from('2026-11-16T21:35:00Z'),
    } as const;
    await extended.look(36, 'AAPL', 190, { ...range(188, 210), extended: after });
    expect(await extended.told()).toEqual([]);
  });

  it('of a coin counts over midnight only where it grew or began anew', async () => {
    const world = await setUp({ at: '2026-11-16T23:50:00Z', maxAlerts: 9 });
    world.hand.move('BTC-USD', 99_000, range(95_000, 101_000));
    await world.set('BTC-USD > 100000');
    await world.look(1);
    await world.look(15, 'BTC-USD', 99_000, range(95_000, 101_000));
    expect(await world.told()).toEqual([]);
    await world.look(15, 'BTC-USD', 99_000, range(98_900, 99_500));
    expect(await world.told()).toEqual([]);
    await world.look(15, 'BTC-USD', 99_000, range(98_900, 100_500));
    expect(await world.told()).toHaveLength(1);
  });

  it('is evaluated the same way after a restart', async () => {
    const { told, hand, openWatch, clock } = await setAt('AAPL > 200', 205);
    hand.move('AAPL', 195, range(188, 205));
    await openWatch().tick();
    expect(await told()).toEqual([]);
    await clock.advance(10 * 60_000);
    hand.move('AAPL', 195, range(188, 209));
    await openWatch().tick();
    expect(await told()).toEqual([expect.stringContaining("the day's high is $209.00")]);
  });
});
