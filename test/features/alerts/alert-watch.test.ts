import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { requesterOf, HOUR, inChannel, MINUTE, setUp, signal } from './alerts-support.ts';

const DAY = 24 * HOUR;

const year = (high: number) => ({ yearRange: { low: new Decimal(50), high: new Decimal(high) } });

describe('when an alert is told', () => {
  it('turns true once, and stays quiet while it holds and after it', async () => {
    const { set, look, told, woken, hand } = await setUp();
    hand.move('AAPL', 190);
    await set('AAPL > 200');
    await look(1, 'AAPL', 199.99);
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 200);
    await look(1, 'AAPL', 205);
    await look(1, 'AAPL', 190);
    await look(1, 'AAPL', 205);
    const [message, ...others] = await told();
    expect(others).toEqual([]);
    expect(woken()).toBe(1);
    expect(message).toContain('**Apple (AAPL)**: at $200.00 or above');
    expect(message).toContain('$200.00');
    expect(message).toContain(' · hand');
  });

  it('holds at once for above, waits for the change for crosses', async () => {
    const { set, look, told, hand } = await setUp();
    hand.move('AAPL', 210);
    await set('AAPL crosses above 200');
    await look(1);
    expect(await told()).toEqual([]);
    await set('AAPL > 200');
    await look(1);
    expect(await told()).toHaveLength(1);
    await look(1, 'AAPL', 195);
    await look(1, 'AAPL', 201);
    expect((await told())[1]).toContain('crosses above $200.00');
  });

  it('tells a repeating one again only when it was untrue in between and its cooldown is over', async () => {
    const { set, look, told, hand } = await setUp();
    hand.move('AAPL', 190);
    await set('AAPL > 200 repeat cooldown 2h');
    await look(1, 'AAPL', 201);
    await look(1, 'AAPL', 199);
    await look(1, 'AAPL', 202);
    expect(await told()).toHaveLength(1);
    await look(110, 'AAPL', 203);
    expect(await told()).toHaveLength(1);
    await look(15, 'AAPL', 203);
    expect(await told()).toHaveLength(2);
    await look(130, 'AAPL', 204);
    expect(await told()).toHaveLength(2);
  });

  it('is sent once by a watch that begins after a restart, and by two that evaluate at once', async () => {
    const { set, hand, told, openWatch, clock } = await setUp();
    hand.move('AAPL', 190);
    await set('AAPL > 200 repeat');
    await openWatch().tick();
    hand.move('AAPL', 201);
    const [one, other] = [openWatch(), openWatch()];
    await Promise.all([one.tick(), other.tick()]);
    expect(await told()).toHaveLength(1);
    await clock.advance(3 * HOUR);
    await openWatch().tick();
    expect(await told()).toHaveLength(1);
  });

  it('ends with its expiry, and rests while it is snoozed', async () => {
    const { set, look, told, service, hand, storage } = await setUp();
    hand.move('AAPL', 190);
    await set('AAPL > 200 expires 30m');
    await look(31, 'AAPL', 201);
    expect(await told()).toEqual([]);
    const alert = await set('AAPL > 200');
    await service.snooze({ which: alert.id, span: '1h' }, requesterOf('mina'), signal);
    await look(59);
    expect(await told()).toEqual([]);
    await look(2);
    expect(await told()).toHaveLength(1);
    // What has come true can be put off as well, and is told again if it still holds.
    await storage.db.updateTable('notifications').set({ status: 'sent' }).execute();
    await service.snooze({ which: alert.id, span: '1h' }, requesterOf('mina'), signal);
    await look(61);
    expect(await told()).toHaveLength(2);
  });

  it('mentions its owner and nobody else, by no name in its words, and marks made-up prices', async () => {
    const { service, look, told, hand, storage } = await setUp({ isSample: true });
    hand.move('AAPL', 210, { asOf: Temporal.Instant.from('2026-11-13T21:00:00Z') });
    await service.set({ text: 'AAPL > 200 here' }, requesterOf('<@jun>', inChannel('mina')), signal);
    await look(1);
    const [message] = await told();
    expect(message).toMatch(/^🔔 [^]*\n\n⚠️ SAMPLE[^\n]*$/u);
    expect(message).not.toContain('jun');
    const row = await storage.db.selectFrom('notifications').selectAll().executeTakeFirstOrThrow();
    expect(JSON.parse(row.payload)).toMatchObject({ mentions: 'mina', locale: 'en' });
  });
});

describe('in which hours', () => {
  it('nothing is asked of the market while no alert is in session', async () => {
    const { set, look, told, hand } = await setUp({ at: '2026-11-16T12:00:00Z' });
    hand.move('AAPL', 210);
    await set('AAPL > 200');
    hand.asked.quotes.length = 0;
    await look(1);
    expect(hand.asked.quotes).toEqual([]);
    expect(await told()).toEqual([]);
    await look(150);
    expect(hand.asked.quotes).toEqual([['AAPL']]);
    expect(await told()).toHaveLength(1);
  });

  it('nothing is evaluated on a holiday', async () => {
    const { set, look, told, hand } = await setUp({ at: '2026-11-26T15:00:00Z' });
    hand.move('AAPL', 210);
    await set('AAPL > 200');
    await look(60);
    expect(await told()).toEqual([]);
  });

  it('prices after the close count for those who asked for them', async () => {
    const { set, look, told, hand, clock } = await setUp({ at: '2026-11-16T20:59:00Z' });
    const close = Temporal.Instant.from('2026-11-16T21:00:00Z');
    hand.move('AAPL', 190);
    await set('AAPL > 200');
    await set('AAPL > 201 extended');
    const asOf = clock.now().add({ minutes: 15 });
    const extended = { session: 'after', price: new Decimal(205), asOf } as const;
    // The regular price still counts at this time, and is what it was.
    await look(20, 'AAPL', 195, { asOf: close, extended });
    expect(await told()).toHaveLength(1);
    expect((await told())[0]).toContain('$201.00');
  });

  it('a late price of the session counts for half an hour after the close, and not later', async () => {
    const { set, look, told, hand } = await setUp({ at: '2026-11-16T20:59:00Z' });
    hand.move('AAPL', 190);
    await set('AAPL > 200');
    await set('AAPL > 202');
    const asOf = Temporal.Instant.from('2026-11-16T20:58:00Z');
    await look(25, 'AAPL', 201, { asOf });
    expect(await told()).toHaveLength(1);
    await look(10, 'AAPL', 203, { asOf });
    expect(await told()).toHaveLength(1);
  });

  it('an old price, and one of yesterday, change nothing', async () => {
    const { set, look, told, hand } = await setUp();
    hand.move('AAPL', 190);
    await set('AAPL > 200');
    await look(1, 'AAPL', 210, { asOf: Temporal.Instant.from('2026-11-13T20:59:00Z') });
    await look(120, 'AAPL', 210, { asOf: Temporal.Instant.from('2026-11-16T15:00:00Z') });
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 210);
    expect(await told()).toHaveLength(1);
  });

  it('neither does what is still the close of the day before at the opening, nor a price in other money', async () => {
    const { set, look, told, hand } = await setUp({ at: '2026-11-16T14:20:00Z' });
    const asOf = Temporal.Instant.from('2026-11-13T20:59:00Z');
    hand.move('AAPL', 210, { asOf, delayMinutes: 15 });
    const { instrument } = await set('AAPL > 200');
    await look(12);
    expect(hand.asked.quotes).toHaveLength(2);
    await look(20, 'AAPL', 210, { instrument: { ...instrument, currency: 'KRW' } });
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 210);
    expect(await told()).toHaveLength(1);
  });
});

describe('what is not only a price', () => {
  it("the day's change is from the previous close, and begins anew every day", async () => {
    const { set, look, told, hand } = await setUp();
    const previousClose = new Decimal(100);
    hand.move('AAPL', 101, { previousClose });
    await set('AAPL 5% repeat cooldown 1h');
    await look(1, 'AAPL', 101, { previousClose });
    await look(1, 'AAPL', 104.99, { previousClose });
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 95, { previousClose });
    expect(await told()).toHaveLength(1);
    await look(DAY / MINUTE, 'AAPL', 89, { previousClose: new Decimal(95) });
    expect(await told()).toHaveLength(2);
  });

  it('RSI and averages are evaluated with the current price, and history is requested once in 15 minutes', async () => {
    const { set, look, told, hand } = await setUp();
    hand.past(
      'AAPL',
      Array.from({ length: 60 }, (_, day) => 130 - day / 2),
    );
    hand.move('AAPL', 100);
    await set('AAPL rsi > 80');
    await set('AAPL ma5 > ma20');
    hand.asked.histories.length = 0;
    await look(1);
    await look(1, 'AAPL', 101);
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 160);
    await look(1);
    expect(await told()).toHaveLength(2);
    expect(hand.asked.histories).toEqual(['AAPL']);
    await set('AAPL rsi < 20');
    hand.asked.histories.length = 0;
    await look(15);
    expect(hand.asked.histories).toEqual(['AAPL']);
  });

  it('a new 52-week high is above the highest so far, also where it was reached between two evaluations', async () => {
    const { set, look, told, hand } = await setUp();
    hand.move('AAPL', 100, year(120));
    await set('AAPL 52w high repeat cooldown 1m');
    await look(1, 'AAPL', 119, year(120));
    await look(1, 'AAPL', 120, year(120));
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 120.5, year(120));
    expect(await told()).toHaveLength(1);
    await look(1, 'AAPL', 118, year(120.5));
    const dayRange = { low: new Decimal(117), high: new Decimal(121) };
    await look(1, 'AAPL', 119, { ...year(121), dayRange });
    expect(await told()).toHaveLength(2);
  });

  it('volume is against the usual one', async () => {
    const { set, look, told, hand } = await setUp();
    hand.past('AAPL', Array<number>(30).fill(100));
    hand.move('AAPL', 100, { volume: new Decimal(500) });
    await set('AAPL volume 3x');
    await look(1, 'AAPL', 100, { volume: new Decimal(2_999) });
    expect(await told()).toEqual([]);
    await look(1, 'AAPL', 100, { volume: new Decimal(3_000) });
    expect(await told()).toHaveLength(1);
  });

  it('only headlines that came after the alert are told, at any hour, each once', async () => {
    const { set, look, told, hand, clock } = await setUp({ at: '2026-11-15T03:00:00Z' });
    hand.move('AAPL', 190, { asOf: Temporal.Instant.from('2026-11-13T21:00:00Z') });
    hand.publish('Apple recall of old phones');
    await clock.advance(MINUTE);
    await set('AAPL news recall repeat cooldown 10m');
    hand.asked.news.length = 0;
    await look(1);
    await look(1);
    expect(hand.asked.news).toEqual(['AAPL']);
    await clock.advance(4 * MINUTE);
    hand.publish('Apple opens a shop');
    hand.publish('Apple RECALLS <@1> chargers');
    hand.publish('Second recall');
    await look(1);
    await look(20);
    const messages = await told();
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/Apple RECALLS ‹@.*Second recall|Second recall.*Apple RECALLS ‹@/su);
    expect(messages[0]).not.toMatch(/shop|old phones/u);
    expect(messages[0]).toContain('$190.00');
  });
});

describe('a watch that goes on', () => {
  it('recovers from a failed market or storage in the next evaluation', async () => {
    const { set, look, told, hand, records, storage } = await setUp();
    hand.move('AAPL', 190);
    await set('AAPL > 200');
    hand.break();
    await look(1, 'AAPL', 201);
    hand.break(false);
    await storage.db.schema.alterTable('alert_firings').renameTo('gone').execute();
    await look(1);
    expect(await told()).toEqual([]);
    expect(records().map(({ message }) => message)).toContain('Some alerts could not be evaluated');
    await storage.db.schema.alterTable('gone').renameTo('alert_firings').execute();
    await look(1);
    expect(await told()).toHaveLength(1);
  });

  it('keeps the histories and splits that it asked for while no price is to be had', async () => {
    const { set, look, hand, actions } = await setUp();
    hand.past('AAPL', Array<number>(60).fill(100));
    hand.move('AAPL', 100);
    await set('AAPL rsi > 95');
    await look(1);
    hand.asked.histories.length = 0;
    actions.asked.length = 0;
    hand.break();
    await look(1);
    hand.break(false);
    await look(1);
    expect([hand.asked.histories, actions.asked]).toEqual([[], []]);
  });

  it('evaluates by itself once a minute from start to stop, and seldom without alerts', async () => {
    const { set, hand, watch, told, clock } = await setUp();
    hand.move('AAPL', 210);
    watch.start();
    await clock.advance(MINUTE);
    await set('AAPL > 200');
    await watch.tick();
    await clock.advance(MINUTE);
    expect(await told()).toHaveLength(1);
    await set('AAPL > 220');
    hand.asked.quotes.length = 0;
    await clock.advance(10 * MINUTE);
    expect(hand.asked.quotes.length).toBeGreaterThanOrEqual(5);
    await watch.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
