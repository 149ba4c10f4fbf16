import { describe, expect, it } from 'vitest';
import type { Membership } from '#src/kernel/channel/channel.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { requesterOf, inChannel, IN_CHANNELS, setUp, signal } from './alerts-support.ts';

const EN = chatNoticeTexts('en');
const mina = () => requesterOf('mina', inChannel('mina'));
const jun = () => requesterOf('jun', inChannel('jun'));
/** Somebody who was found to run the channel. */
const boss = () => requesterOf('boss', inChannel('boss'));

describe('an alert that is told in a channel', () => {
  it.each([
    ['left', EN.left],
    ['bot-removed', EN.botRemoved],
  ] as const)('ends where the check says %s; its owner is told in private', async (found, words) => {
    let membership: Membership = 'member';
    const world = await setUp({ membership: async () => membership });
    world.hand.move('AAPL', 140);
    const alert = await world.set('AAPL > 150 repeat cooldown 15m', mina());
    await world.look(1, 'AAPL', 160);
    expect(await world.told()).toEqual([expect.stringContaining('🔔')]);
    membership = found;
    await world.look(20, 'AAPL', 140);
    await world.look(20, 'AAPL', 160);
    const told = await world.storage.db
      .selectFrom('notifications')
      .select(['target', 'payload'])
      .orderBy('due_at')
      .execute();
    // What was not sent yet is taken back.
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0]?.target ?? '')).toMatchObject({ isDirect: true, recipientId: 'mina' });
    const what = (JSON.parse(told[0]?.payload ?? '') as { readonly text: string }).text;
    expect(what.startsWith(words({ what: '' }).split(':')[0] ?? '')).toBe(true);
    expect(what).toContain('Apple');
    expect(await world.store.listOf(alert.ownerId)).toEqual([]);
    await world.look(60, 'AAPL', 140);
    await world.look(60, 'AAPL', 160);
    expect(await world.told()).toHaveLength(1);
    expect(world.woken()).toBe(2);
    expect(JSON.stringify(world.records())).toContain('An alert in a channel has ended');
  });

  it('is not asked about in a direct chat by its owner, and others there are told all the same', async () => {
    const asked: string[] = [];
    const membership = async ({ recipientId }: { readonly recipientId: string }): Promise<Membership> => {
      asked.push(recipientId);
      return recipientId === 'mina' ? 'left' : 'member';
    };
    const world = await setUp({ membership });
    world.hand.move('AAPL', 140);
    await world.set('AAPL > 150 here', mina());
    await world.set('AAPL > 151 here', jun());
    await world.look(1, 'AAPL', 160);
    expect(asked.toSorted()).toEqual(['jun', 'mina']);
    const told = await world.told();
    expect(told.filter((text) => text.startsWith('🔔'))).toHaveLength(1);
    expect(told).toHaveLength(2);
  });

  it('repeats no more often than channels allow; direct chats are free', async () => {
    const world = await setUp();
    world.hand.move('AAPL', 140);
    const often = { text: 'AAPL > 150 repeat cooldown 1m here' };
    const refused = await world.service.set(often, mina(), signal);
    expect(refused).toMatchObject({ found: 0, content: EN.tooOften({ minutes: IN_CHANNELS.repeatMinutes }) });
    for (const requester of [requesterOf('mina'), { ...mina(), requestId: 'dm' }])
      expect(await world.service.set({ ...often, place: 'direct' }, requester, signal)).toMatchObject({
        found: 1,
      });
  });

  it('is one of so many in a channel, and of so many repeating ones of a person', async () => {
    const world = await setUp({ maxAlerts: 50 });
    world.hand.move('AAPL', 140);
    const set = (text: string, requester: ReturnType<typeof requesterOf>) =>
      world.service.set({ text, place: 'here' }, requester, signal);
    const elsewhere = { ...mina(), target: { ...mina().target, chatId: asId<ChatId>('random') } };
    for (const price of [200, 201]) await set(`AAPL > ${price} repeat`, mina());
    expect((await set('AAPL > 202 repeat', mina())).content).toBe(
      EN.repeatingFull({ limit: IN_CHANNELS.repeatingPerPerson }),
    );
    expect(await set('AAPL > 202 repeat', jun())).toMatchObject({ found: 1 });
    expect(await set('AAPL > 203', mina())).toMatchObject({ found: 1 });
    expect((await set('AAPL > 204', jun())).content).toBe(EN.alertsFull({ limit: IN_CHANNELS.perChat }));
    for (const requester of [elsewhere, requesterOf('jun')])
      expect(await set('AAPL > 204', { ...requester, requestId: crypto.randomUUID() })).toMatchObject({
        found: 1,
      });
  });
});

const setUpChat = async () => {
  const world = await setUp();
  world.hand.move('AAPL', 140);
  const alert = await world.set('AAPL > 150 here', mina());
  await world.set('AAPL > 151', requesterOf('mina'));
  const { target } = jun();
  const added = await world.briefings.add(
    {
      ownerId: alert.ownerId,
      time: Temporal.PlainTime.from('08:30'),
      days: [1, 2, 3, 4, 5],
      timeZone: 'Asia/Seoul',
      locale: 'ko',
      target,
      isPrivate: false,
      instruments: [],
      nextAt: world.clock.now(),
    },
    jun(),
    'r1',
    5,
    1,
  );
  if (!('briefing' in added)) throw new Error(added.status);
  return { ...world, alert, briefing: added.briefing };
};

describe('those who run a channel', () => {
  it('see what is set there and by whom, and nothing of direct chats or other channels', async () => {
    const { chatNotices, alert, briefing } = await setUpChat();
    const { content } = await chatNotices.list({}, boss(), signal);
    expect(content).toContain(EN.title({ alerts: 1, briefings: 1 }));
    expect(content).toMatch(new RegExp(`\`${alert.id}\`.*150.*<@mina>`));
    expect(content).toMatch(new RegExp(`\`${briefing.id}\`.*08:30.*<@jun>`));
    expect(content).not.toContain('151');
    const elsewhere = { ...boss(), target: { ...boss().target, chatId: asId<ChatId>('random') } };
    expect((await chatNotices.list({}, elsewhere, signal)).content).toBe(EN.none());
    expect((await chatNotices.remove({ which: alert.id }, elsewhere, signal)).content).toBe(
      EN.unknown({ typed: alert.id }),
    );
    expect((await chatNotices.list({}, requesterOf('boss'), signal)).content).toBe(EN.onlyInChannel());
  });

  it('remove what others set there; the owner is told in private, and it is noted', async () => {
    const { chatNotices, alert, briefing, audit, told, store, briefings } = await setUpChat();
    expect(await chatNotices.remove({ which: alert.id.toUpperCase() }, boss(), signal)).toMatchObject({
      found: 1,
    });
    expect(await chatNotices.remove({ which: briefing.id }, boss(), signal)).toMatchObject({ found: 1 });
    expect((await chatNotices.remove({ which: alert.id }, boss(), signal)).content).toBe(
      EN.unknown({ typed: alert.id }),
    );
    expect((await store.listOf(alert.ownerId)).map(({ condition }) => condition.kind)).toHaveLength(1);
    expect(await briefings.listOf(alert.ownerId)).toEqual([]);
    const notices = await told();
    expect(notices).toHaveLength(2);
    expect(notices.find((text) => text.includes('Apple'))).toContain('removed what you set in a channel');
    expect(notices.find((text) => text.includes('08:30'))).toContain('관리자가 채널에서 지웠어요');
    expect((await audit.recent(5)).map(({ action }) => action)).toEqual(['channel-remove', 'channel-remove']);
  });
});
