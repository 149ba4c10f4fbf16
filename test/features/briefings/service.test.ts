import { describe, expect, it } from 'vitest';
import { createBriefingService } from '#src/features/briefings/service.ts';
import { createBriefingStore } from '#src/features/briefings/store.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { requesterOf, inChannel, ownerOf, owners } from '../watchlist/support.ts';
import { composerOf, instrument, mina, signal } from './support.ts';

const setUp = async (world: Parameters<typeof composerOf>[0] = {}) => {
  const clock = new ManualClock();
  const { storage } = await sqliteStorage();
  const store = createBriefingStore(storage, clock);
  const composer = composerOf({ clock, ...world });
  const state = { changed: 0 };
  const changed = (): void => void (state.changed += 1);
  const service = createBriefingService({
    owners,
    store,
    symbols,
    compose: composer.compose,
    clock,
    directTarget: async ({ name }) => (name === 'mina' ? mina.target : undefined),
    changed,
    maxPerChannel: 2,
  });
  return { service, store, state, ...composer };
};

describe('a briefing that is set', () => {
  it('says when, where and in which zone, and what is in it', async () => {
    const { service, store, state } = await setUp();
    const korean = requesterOf('mina', { locale: 'ko' });
    const { content, choices, found } = await service.set(
      { time: '아침 8시 반', days: '평일', names: ['애플'] },
      korean,
      signal,
    );
    const [briefing] = await store.listOf(ownerOf(mina));
    expect(content).toBe(
      [
        '📰 평일 08:30에 여기로 브리핑을 보낼게요. 첫 회: 2026-11-16 (월) 08:30 KST',
        '함께 볼 종목: 애플 (AAPL)',
        '관심 종목과 보유 종목도 담고, 휴장일은 쉬어요.',
      ].join('\n'),
    );
    expect(choices).toEqual([expect.objectContaining({ command: `/briefing delete ${briefing?.id}` })]);
    expect(briefing).toMatchObject({ isPrivate: true, locale: 'ko', days: [1, 2, 3, 4, 5] });
    expect(found).toBe(1);
    expect(state.changed).toBe(1);
  });

  it('comes to the person alone until they say that it is for everyone, and is one all the time', async () => {
    const { service, store } = await setUp();
    const first = await service.set({ time: '08:30', names: ['AAPL'] }, inChannel('mina'), signal);
    expect(first.content).toContain('weekdays at 08:30 by DM');
    expect(first.choices?.[0]).toEqual({ label: 'Everyone here', command: '/briefing 08:30 AAPL here' });
    expect(await store.listOf(ownerOf(mina))).toMatchObject([{ isPrivate: true }]);
    const request = { time: '08:30', names: ['AAPL'], place: 'here' } as const;
    const { content, choices } = await service.set(
      request,
      { ...inChannel('mina'), requestId: 'second' },
      signal,
    );
    const [briefing, ...others] = await store.listOf(ownerOf(mina));
    expect(others).toEqual([]);
    expect(content).toMatch(/weekdays at 08:30 here.*Everyone here sees it/s);
    expect(choices?.[0]).toEqual({ label: 'Only me', command: '/briefing 08:30 AAPL dm' });
    expect(briefing?.isPrivate).toBe(false);
    expect(briefing?.target).toMatchObject({ chatId: 'general' });
    expect(briefing?.target).not.toHaveProperty('interaction');
  });

  it('comes to the person alone where that is asked for', async () => {
    const { service, store } = await setUp();
    await service.set({ time: '08:30', place: 'direct' }, inChannel('mina'), signal);
    const [briefing] = await store.listOf(ownerOf(mina));
    expect(briefing).toMatchObject({
      isPrivate: true,
      target: { chatId: 'mina', recipientId: 'mina', isDirect: true },
    });
  });

  it('is not set where the person cannot be reached alone', async () => {
    const { service, store } = await setUp();
    const juno = inChannel('juno');
    expect((await service.set({ time: '08:30', place: 'direct' }, juno, signal)).found).toBe(0);
    expect(await store.listOf(ownerOf(juno))).toEqual([]);
  });

  it('is none where anything in it is unclear, and then nothing is stored', async () => {
    const { service, store, state } = await setUp();
    for (const [request, said] of [
      [{ time: 'soon' }, '"soon" is no time of day'],
      [{ time: '' }, 'When?'],
      [{ time: '8:30', days: 'someday' }, 'cannot read "someday" as days'],
      [{ time: '8시', days: '내일' }, 'not only once'],
      [{ time: '8:30', names: ['현대'] }, 'could be several'],
      [{ time: '8:30', names: Array.from({ length: 11 }, () => 'AAPL') }, 'Up to 10 names'],
    ] as const) {
      const { content, found } = await service.set(request, mina, signal);
      expect(content).toContain(said);
      expect(found).toBe(0);
    }
    expect(await store.listOf(ownerOf(mina))).toEqual([]);
    expect(state.changed).toBe(0);
  });

  it('is there once however often it is asked for, and there are not too many', async () => {
    const { service, store } = await setUp();
    const ask = (time: string, names: readonly string[] = []) =>
      service.set({ time, names }, requesterOf('mina', { requestId: crypto.randomUUID() }), signal);
    await ask('8:30');
    expect(await ask('0830')).toMatchObject({ found: 1, content: expect.stringContaining('Already set') });
    expect(await store.listOf(ownerOf(mina))).toHaveLength(1);
    await ask('8:30', ['AAPL']);
    for (let hour = 10; hour < 18; hour += 1) await ask(`${hour}:00`);
    const eleventh = await ask('18:00');
    expect(eleventh).toMatchObject({ found: 0, content: expect.stringContaining('10 briefings') });
    expect(await store.listOf(ownerOf(mina))).toHaveLength(10);
  });
});

describe('briefings of a person', () => {
  it('are listed and deleted by them alone', async () => {
    const { service, store } = await setUp();
    await service.set({ time: '22:00', days: 'mon,wed,fri', names: ['NVDA'] }, mina, signal);
    const [briefing] = await store.listOf(ownerOf(mina));
    const id = briefing?.id ?? '';
    expect((await service.list({}, mina, signal)).content).toMatch(
      new RegExp(
        `\`${id}\` · Mon, Wed, Fri 22:00 \\(Asia/Seoul\\) · here · NVIDIA.* · next: Fri 2026-11-13 22:00 KST`,
      ),
    );
    const juno = requesterOf('juno');
    expect((await service.list({}, juno, signal)).content).not.toContain(id);
    expect((await service.remove({ which: id }, juno, signal)).found).toBe(0);
    expect((await service.remove({ which: 'zzzzzz' }, mina, signal)).choices).toHaveLength(1);
    expect(await store.listOf(ownerOf(mina))).toHaveLength(1);
    expect((await service.remove({ which: id.toUpperCase() }, mina, signal)).content).toContain('Deleted');
    expect(await store.listOf(ownerOf(mina))).toEqual([]);
  });

  it('are deleted from the list, which is shown again without them', async () => {
    const { service, store } = await setUp();
    for (const time of ['7:00', '8:00'])
      await service.set({ time }, requesterOf('mina', { requestId: time }), signal);
    const [first, second] = await store.listOf(ownerOf(mina));
    const { choices } = await service.list({}, mina, signal);
    expect(choices?.[0]).toMatchObject({
      command: `/briefing delete ${first?.id} --page=1`,
      effect: 'replaces',
      isDestructive: true,
    });
    const remove = () => service.remove({ which: first?.id ?? '', page: 1 }, mina, signal);
    const shown = await remove();
    expect(shown.content).toMatch(/^Deleted/u);
    expect(shown.choices?.map(({ command }) => command)).toEqual([`/briefing delete ${second?.id} --page=1`]);
    const again = await remove();
    expect(again.content).toContain(`no briefing "${first?.id}"`);
    expect(again.choices).toHaveLength(1);
  });

  it('ask which one goes where it is not said and there are several', async () => {
    const { service, store } = await setUp();
    for (const time of ['7:00', '8:00'])
      await service.set({ time }, requesterOf('mina', { requestId: time }), signal);
    const { choices, found } = await service.remove({ which: '' }, mina, signal);
    expect({ found, choices: choices?.length }).toEqual({ found: 0, choices: 2 });
    const asked = await service.remove({ which: 'all' }, mina, signal);
    expect(asked.choices?.[0]?.command).toBe('/briefing delete all --yes');
    expect(await store.listOf(ownerOf(mina))).toHaveLength(2);
    await service.remove({ which: 'all', isSure: true }, mina, signal);
    expect(await store.listOf(ownerOf(mina))).toEqual([]);
  });
});

describe('a briefing right now', () => {
  it('is as it would be sent there: in a channel without what is one’s own', async () => {
    const { service, watchlist, read } = await setUp();
    await watchlist.add(ownerOf(mina), [instrument('TSLA')], 50);
    expect((await service.now({}, mina, signal)).content).toContain('TSLA');
    read.length = 0;
    const { content, isUntrusted } = await service.now({ names: ['AAPL'] }, inChannel('mina'), signal);
    expect(content).toContain('Apple (AAPL)');
    expect(content).not.toContain('TSLA');
    expect(read).toEqual([]);
    expect(isUntrusted).toBe(true);
  });

  it('says in one sentence that no source could be reached', async () => {
    const { service } = await setUp({ isDown: true });
    expect(await service.now({}, mina, signal)).toMatchObject({
      found: 0,
      content: expect.stringMatching(/^Your briefing has no data/),
    });
  });
});
