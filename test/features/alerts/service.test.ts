import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { Decimal } from '#src/kernel/money.ts';
import { alert as alertAbility } from '#src/features/alerts/index.ts';
import { symbols } from '#test/support/sample-market.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { msgContext } from '#test/support/context.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { requesterOf, inChannel, setUp, signal } from './alerts-support.ts';

const korean = (overrides: Partial<Requester> = {}): Requester =>
  requesterOf('mina', { locale: 'ko', ...overrides });

describe('setting an alert', () => {
  it('says what it waits for, whether that is met, when it is evaluated and where it is sent', async () => {
    const { service, hand } = await setUp({ at: '2026-11-16T09:30:00Z' });
    hand.move('005930.KS', 81_000, { asOf: Temporal.Instant.from('2026-11-16T06:30:00Z') });
    const answer = await service.set(
      { text: '삼성전자 8만원 이상 반복 만료 30일' },
      korean(inChannel('mina')),
      signal,
    );
    expect(answer.found).toBe(1);
    expect(answer.content).toBe(
      [
        '🔔 알림을 설정했어요: **삼성전자 (005930)** ₩80,000 이상 (반복 (최소 간격 1시간) · 2026-12-16 18:30 KST까지)',
        '이미 조건에 맞아요. 그대로면 화 09:00 KST부터 DM으로 알려 드릴게요.',
      ].join('\n'),
    );
    expect(answer.facts).toContainEqual(expect.objectContaining({ metric: 'price', value: '81000' }));
    expect(answer.facts).toContainEqual(
      expect.objectContaining({ metric: 'alertPrice', value: '80000', unit: 'KRW' }),
    );
  });

  it('takes a level of the yen as Koreans quote it: of a hundred, and shows it so', async () => {
    const { service, hand } = await setUp({ maxAlerts: 9 });
    hand.move('JPYKRW=X', 9.4251);
    for (const text of ['엔화 < 900', '100엔 < 900원', '엔화 9원 이하']) {
      const { content, facts } = await service.set({ text }, korean(), signal);
      expect(content).toContain('일본 엔/원 (100엔) (JPY/KRW)** ₩900.00 이하');
      expect(facts).toContainEqual(expect.objectContaining({ metric: 'alertPrice', value: '9' }));
    }
    expect((await service.list({}, korean(), signal)).content).toContain('(100엔) (JPY/KRW): ₩900.00 이하');
    const english = await service.set({ text: 'yen < 905.5' }, requesterOf('tom', { locale: 'en' }), signal);
    expect(english.content).toContain('(1 yen) (JPY/KRW)** at ₩9.0550 or below');
  });

  it('says whether a price after the close counts', async () => {
    const asOf = Temporal.Instant.from('2026-11-16T09:29:00Z');
    const { service, hand } = await setUp({ at: '2026-11-16T09:30:00Z', maxAlerts: 9 });
    hand.move('005930.KS', 81_000, { asOf });
    const ask = async (text: string): Promise<string> =>
      (await service.set({ text }, korean(), signal)).content;
    const regular = await ask('삼성전자 8만원 이상');
    expect(regular).toContain('시간외 시세로만 조건에 맞아요. 화 09:00 KST부터 여기로 알려 드릴게요.');
    const extended = await ask('삼성전자 8만원 이상 시간외');
    expect(extended).toContain('이미 조건에 맞아요. 다음 확인 때 여기로 알려 드릴게요.');
    expect(extended).not.toContain('시간외 시세로만');
    // In New York the price before the opening stands beside the close.
    hand.move('AAPL', 210, {
      asOf: Temporal.Instant.from('2026-11-13T21:00:00Z'),
      extended: { session: 'pre', price: new Decimal(190), asOf },
    });
    expect(await ask('AAPL > 200 extended')).not.toContain('이미 조건에 맞아요');
    expect(await ask('AAPL > 200')).toContain('그대로면');
  });

  it('rings in direct messages unless it is set here, and nothing that is stored points at one message', async () => {
    const { service, hand, store, clock } = await setUp();
    hand.move('AAPL', 190);
    const { target } = inChannel('mina');
    const interaction = { token: 'secret', isPrivate: true };
    const requester = requesterOf('mina', {
      isDirect: false,
      target: { ...target, interaction } as Requester['target'],
    });
    await service.set({ text: 'AAPL > 200 here' }, requester, signal);
    await service.set({ text: 'AAPL > 201' }, { ...requester, requestId: 'other' }, signal);
    const [here, direct] = await store.due(clock.now());
    expect(JSON.stringify([here, direct])).not.toContain('secret');
    expect(here?.target).toEqual(target);
    expect(direct?.target).toMatchObject({
      isDirect: true,
      chatId: 'mina',
      askedIn: { chatId: 'general' },
    });
  });

  it('moves when it is set again with another place, and there is still one of it', async () => {
    const { service, hand, store, clock } = await setUp({ maxAlerts: 1 });
    hand.move('AAPL', 190);
    const places: unknown[] = [];
    const say = async (text: string): Promise<MarketAnswer> => {
      const answer = await service.set({ text }, requesterOf('mina', inChannel('mina')), signal);
      places.push((await store.due(clock.now())).map(({ id, target }) => [id, target.isDirect ?? false]));
      return answer;
    };
    const first = await say('AAPL > 200');
    const id = /(?<=delete )\w{6}/u.exec(first.choices?.at(-1)?.command ?? '')?.[0];
    const [toChannel] = first.choices ?? [];
    expect(toChannel).toEqual({ label: 'Ring in this channel', command: '/alert AAPL > 200 --here --yes' });
    const moved = await say('AAPL > 200 here');
    expect(moved.content).toContain('here ⚠️ where others read it');
    expect(moved.choices?.[0]?.command).toBe('/alert AAPL > 200 here --dm --yes');
    await say('AAPL > 200');
    await say('AAPL > 200 dm');
    expect(places).toEqual([[[id, true]], [[id, false]], [[id, false]], [[id, true]]]);
  });

  it('takes the same once, however often it is asked for, and no more than the limit', async () => {
    const { service, hand, store, clock } = await setUp();
    hand.move('AAPL', 190);
    await service.set({ text: 'AAPL > 200' }, requesterOf('mina'), signal);
    expect(await service.set({ text: 'AAPL 200달러 이상' }, requesterOf('mina'), signal)).toMatchObject({
      found: 1,
      content: expect.stringContaining('Set already') as string,
    });
    expect(await store.due(clock.now())).toHaveLength(1);
    await service.set({ text: 'AAPL > 200 repeat' }, requesterOf('mina'), signal);
    await service.set({ text: 'AAPL > 202' }, requesterOf('mina'), signal);
    const full = await service.set({ text: 'AAPL > 203' }, requesterOf('mina'), signal);
    expect(full).toMatchObject({ found: 0, content: expect.stringContaining('3 active alerts') as string });
  });

  it('asks where a name fits several, and each answer repeats the alert', async () => {
    const { service } = await setUp();
    const asked = await service.set(
      { text: 'berkshire > 500 repeat', place: 'direct' },
      requesterOf('mina'),
      signal,
    );
    expect(asked.found).toBe(0);
    expect(asked.choices?.map(({ command }) => command)).toContain('/alert BRK-B > 500 repeat --dm');
    const long = await service.set(
      { text: `berkshire news ${'long '.repeat(15)}` },
      requesterOf('mina'),
      signal,
    );
    expect(long.choices ?? []).toEqual([]);
  });

  it('takes the coin in the money that is meant', async () => {
    const { hand, set } = await setUp({ maxAlerts: 9 });
    hand.move('BTC-USD', 100_000);
    hand.move('BTC-KRW', 140_000_000);
    for (const [text, symbol] of [
      ['비트코인 1.5억원 이상', 'BTC-KRW'],
      ['비트코인 1억6천 넘으면', 'BTC-KRW'],
      ['비트코인 12만 이상', 'BTC-USD'],
      ['BTC > 130000', 'BTC-USD'],
      ['BTC -5%', 'BTC-USD'],
    ] as const)
      expect((await set(text)).instrument.symbol, text).toBe(symbol);
  });

  it('asks about a level that is far off, and sets it with a second word', async () => {
    const { service, hand, store } = await setUp({ maxAlerts: 9 });
    hand.move('AAPL', 190);
    hand.move('BTC-USD', 100_000);
    hand.move('BTC-KRW', 140_000_000);
    const texts = ['AAPL > 2000', 'AAPL < 20', 'AAPL 1000%', 'AAPL -90% from now', 'BTC-USD > 150000000'];
    for (const text of texts) {
      const asked = await service.set({ text, place: 'direct' }, requesterOf('mina'), signal);
      expect(asked).toMatchObject({
        found: 0,
        content: expect.stringContaining('far from the price') as string,
      });
      expect(asked.facts).toContainEqual(expect.objectContaining({ metric: 'price' }));
      expect(asked.choices?.map(({ command }) => command)).toEqual([`/alert ${text} --dm --yes`]);
    }
    const again = await service.set({ text: 'every time AAPL > 2000' }, requesterOf('mina'), signal);
    expect(again.choices?.[0]?.command).toBe('/alert AAPL > 2000 repeat --yes');
    expect(await store.hasActive()).toBe(false);
    for (const text of texts)
      expect((await service.set({ text, isSure: true }, requesterOf('mina'), signal)).found, text).toBe(1);
  });

  it('waits for averages to cross whichever way they have to', async () => {
    const { hand, set } = await setUp();
    hand.past('AAPL', Array<number>(80).fill(100));
    for (const [price, direction] of [
      [90, 'up'],
      [110, 'down'],
    ] as const) {
      hand.move('AAPL', price);
      expect((await set('AAPL crosses 20 day average')).condition).toMatchObject({ fast: 1, direction });
    }
  });

  it('repeats what could not be read, with its signs', async () => {
    const { service } = await setUp();
    const { content } = await service.set({ text: 'AAPL > 500 <@U1> ZZZ' }, requesterOf('mina'), signal);
    expect(content).toContain('"AAPL > 500 U1 ZZZ"');
  });

  it('says why there are no headlines in the sample data', async () => {
    const { service, hand } = await setUp({ isSample: true });
    hand.move('AAPL', 190);
    const { content } = await service.set({ text: '애플 뉴스' }, korean(), signal);
    expect(content).toContain('샘플에는 새 뉴스가 없어');
  });

  it('sets nothing that ends before its market opens again', async () => {
    // The evening after the close in Seoul, and the morning before the one in New York.
    const { service, hand, store } = await setUp({ at: '2026-11-16T09:30:00Z' });
    hand.move('005930.KS', 81_000, { asOf: Temporal.Instant.from('2026-11-16T06:30:00Z') });
    hand.move('AAPL', 300);
    const { content, found } = await service.set({ text: '삼성전자 < 8만원 오늘' }, korean(), signal);
    expect(content).toContain('다음 개장(2026-11-17 (화) 09:00 KST) 전에 끝나는 알림');
    expect(found).toBe(0);
    expect(await store.hasActive()).toBe(false);
    expect((await service.set({ text: 'AAPL < 290 today' }, korean(), signal)).content).toContain(
      '2026-11-17 00:00 KST까지',
    );
    expect((await service.set({ text: '삼성전자 < 8만원 내일까지' }, korean(), signal)).found).toBe(1);
  });

  it('sets nothing that could never come true, or that has no price to measure from', async () => {
    const { service, hand, store } = await setUp();
    const ask = async (text: string): Promise<string> =>
      (await service.set({ text }, requesterOf('mina'), signal)).content;
    expect(await ask('AAPL > 200')).toContain('has nothing on Apple Inc.');
    hand.move('AAPL', 190);
    expect(await ask('AAPL rsi < 30')).toContain('not enough price history');
    expect(await ask('AAPL volume 3x')).toContain('no volume');
    expect(await ask('AAPL > 200 expires 2020-01-01')).toContain('end');
    hand.break();
    expect(await ask('AAPL 200')).toContain('Write `> 200` or `< 200`');
    expect(await ask('AAPL -3% from now')).toContain('no price for it right now');
    expect(await store.hasActive()).toBe(false);
  });

  it('says what the indicator is now', async () => {
    const { service, hand } = await setUp();
    hand.past('AAPL', Array<number>(30).fill(100));
    hand.move('AAPL', 100, { volume: new Decimal(1_500) });
    const answer = await service.set({ text: 'AAPL volume 3x' }, requesterOf('mina'), signal);
    expect(answer.content).toContain('now 1.50 times');
  });
});

describe("what is somebody's own", () => {
  it("is listed for them, and is nothing to anybody else's hands", async () => {
    const { service, hand, set, store } = await setUp();
    hand.move('AAPL', 190);
    const mine = await set('AAPL > 200');
    const [mina, other] = [requesterOf('mina'), requesterOf('joon')];
    expect((await service.list({}, mina, signal)).content).toContain(mine.id);
    expect((await service.list({}, other, signal)).content).toContain('You have no alerts');
    for (const which of [mine.id, 'AAPL', 'all'])
      expect((await service.remove({ which }, other, signal)).found).toBe(0);
    expect((await service.snooze({ which: mine.id }, other, signal)).found).toBe(0);
    expect(await store.listOf(mine.ownerId)).toHaveLength(1);
  });

  it('goes by id, by name where that is one, and all at once', async () => {
    const { service, hand, set, store, look } = await setUp();
    for (const symbol of ['AAPL', 'TSLA']) hand.move(symbol, 190);
    const mina = requesterOf('mina');
    const first = await set('AAPL > 200');
    await set('AAPL > 300');
    await set('TSLA > 200');
    const several = await service.remove({ which: 'apple' }, mina, signal);
    expect(several.found).toBe(0);
    expect(several.choices?.map(({ command }) => command)).toContain(`/alert delete ${first.id} --page=1`);
    expect((await service.remove({ which: '테슬라' }, mina, signal)).found).toBe(1);
    // One that has come true is no longer listed, but its button still works.
    await look(1, 'AAPL', 201);
    expect((await service.remove({ which: first.id.toUpperCase() }, mina, signal)).found).toBe(1);
    const asked = await service.remove({ which: 'all' }, mina, signal);
    expect(asked.choices?.[0]?.command).toBe('/alert delete all --yes');
    expect(await store.hasActive()).toBe(true);
    const all = await service.remove({ which: 'all', isSure: true }, mina, signal);
    expect(all.content).toBe('Deleted your alert.');
    expect(await store.hasActive()).toBe(false);
  });

  it('is put off as it is said', async () => {
    const { service, hand, set, store } = await setUp();
    for (const symbol of ['AAPL', 'TSLA']) hand.move(symbol, 190);
    const { ownerId } = await set('AAPL > 200');
    await set('TSLA > 200');
    for (const [which, ...until] of [
      ['AAPL 2h', '2026-11-16T17:00:00Z'],
      ['애플 내일까지', '2026-11-18T15:00:00Z'],
      ['Apple Inc. until Friday', '2026-11-20T15:00:00Z'],
      ['AAPL', '2026-11-16T16:00:00Z'],
      ['all 1d', '2026-11-17T15:00:00Z', '2026-11-17T15:00:00Z'],
      ['모두 연말까지', '2026-12-31T15:00:00Z', '2026-12-31T15:00:00Z'],
    ] as const) {
      expect((await service.snooze({ which }, requesterOf('mina'), signal)).found, which).toBe(1);
      const ends = (await store.listOf(ownerId)).flatMap(({ snoozedUntil }) => snoozedUntil ?? []);
      expect(ends.map(String), which).toEqual(until);
    }
  });

  it('is not put off for what is no time, and says so', async () => {
    const { service, hand, set } = await setUp();
    hand.move('AAPL', 190);
    await set('AAPL > 200');
    const said = async (which: string): Promise<string> =>
      (await service.snooze({ which }, requesterOf('mina'), signal)).content;
    expect(await said('')).toContain('/alert snooze AAPL until Friday');
    expect(await said('AAPL a while')).toContain('"a while" is not a time');
    expect(await said('AAPL 900d')).toContain('"900d" is not a time');
    expect(await said('zzzzzz 1h')).toContain('no alert "zzzzzz"');
    expect(await said('somebody else')).toContain('no alert "somebody else"');
  });

  it('is listed with how to delete and pause each of them, whether it has a button or not', async () => {
    const { service, hand, set } = await setUp({ maxAlerts: 9 });
    hand.move('AAPL', 190);
    for (let level = 200; level < 209; level += 1) await set(`AAPL > ${level}`);
    const { content, choices } = await service.list({}, requesterOf('mina'), signal);
    expect(choices).toHaveLength(8);
    expect(content).toContain('Delete `/alert delete ID`');
  });

  it('is listed in pages that turn in place, each alert with its button', async () => {
    const { service, hand, set } = await setUp({ maxAlerts: 9 });
    hand.move('AAPL', 190);
    for (let level = 200; level < 209; level += 1) await set(`AAPL > ${level}`);
    const pageOf = async (page: number) => service.list({ page }, requesterOf('mina'), signal);
    const [first, second] = [await pageOf(1), await pageOf(2)];
    expect(first.choices?.at(-1)).toEqual({
      label: 'More ›',
      command: '/alerts --page=2',
      effect: 'replaces',
    });
    expect(second.choices?.map(({ label }) => label)).toEqual([expect.stringContaining('Delete'), '‹ Back']);
    const deletes = [...(first.choices ?? []), ...(second.choices ?? [])].filter(
      (each) => each.isDestructive,
    );
    expect(new Set(deletes.map(({ command }) => command)).size).toBe(9);
    expect((await pageOf(99)).content).toBe(second.content);
  });

  it('is deleted from the page of the list that it is on, which is shown again without it', async () => {
    const { service, hand, set } = await setUp({ maxAlerts: 9 });
    hand.move('AAPL', 190);
    for (let level = 200; level < 209; level += 1) await set(`AAPL > ${level}`);
    const second = await service.list({ page: 2 }, requesterOf('mina'), signal);
    const [last] = second.choices ?? [];
    expect(last).toMatchObject({ effect: 'replaces', isDestructive: true });
    const [id = ''] = /(?<=delete )\S+/u.exec(last?.command ?? '') ?? [];
    expect(last?.command).toBe(`/alert delete ${id} --page=2`);
    const press = () => service.remove({ which: id, page: 2 }, requesterOf('mina'), signal);
    const shown = await press();
    expect(shown.content).toMatch(/^Deleted: .*\n\n.*8 of 9/u);
    expect(shown.content).not.toContain(id);
    expect(shown.cards?.text).toMatch(/^Deleted: /u);
    expect(shown.choices).toHaveLength(8);
    const again = await press();
    expect(again.content).toContain(`no alert "${id}"`);
    expect(again.choices).toHaveLength(8);
  });

  it('is reached by the command, with what is to be pressed', async () => {
    const { service, hand, store, clock } = await setUp();
    hand.move('AAPL', 190);
    const { execute } = alertAbility.command.create({ alerts: service, symbols });
    const ctx = msgContext({ chatType: 'channel' });
    const flags = new Map<string, string | true>([
      ['repeat', true],
      ['expires', '30d'],
    ]);
    const set = await execute(['AAPL', '>', '200'], ctx, signal, flags);
    expect(set.ephemeral).toBe(true);
    const [alert] = await store.due(clock.now());
    expect(alert?.isRepeating).toBe(true);
    expect(alert?.expiresAt?.toString()).toBe('2026-12-16T15:00:00Z');
    const bare = await execute([], ctx, signal);
    expect(bare.content).toContain('/alert AAPL > 200');
    expect(bare.content).toContain(alert?.id ?? 'no alert');
    const snoozed = await execute(['snooze', alert?.id ?? '', '1d'], ctx, signal);
    expect(snoozed.content).toContain('2026-11-18 00:00 KST');
    await execute(['AAPL', '알림', '삭제해줘'], ctx, signal);
    expect(await store.hasActive()).toBe(false);
  });

  it('is set by the tool for who asks, once however often the call is made', async () => {
    const { service, hand, store, clock } = await setUp();
    hand.move('AAPL', 190);
    const tool = toolOf(alertAbility, 'set_alert', { alerts: service });
    expect(tool.definition.accessesSensitiveData).toBe(true);
    const input = { symbol: 'AAPL', condition: 'above', value: '200' };
    for (const _ of [1, 2]) expect((await tool.invoke(input, toolContextOf(), signal)).isError).toBe(false);
    expect(await store.due(clock.now())).toHaveLength(1);
    expect((await tool.invoke({ symbol: 'AAPL', condition: 'above' }, toolContextOf(), signal)).isError).toBe(
      true,
    );
  });
});
