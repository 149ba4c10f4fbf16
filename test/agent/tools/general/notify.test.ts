import { describe, expect, it } from 'vitest';
import { notify, type NotifyDeps } from '#src/agent/tools/general/notify.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { Notifier } from '#src/kernel/chat/notification.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { factOf } from '#test/agent/memory/window/support.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const NOW = '2026-11-13T06:30:15Z';

/** A person who asks in a channel, and has a private chat too. */
const setUp = (special: Partial<NotifyDeps> = {}, now = NOW) => {
  const sent: { target: ReplyTarget; text: string; facts: unknown; at: string | undefined }[] = [];
  const notifier: Notifier = {
    notify: async (target, { text, facts }, at) => {
      sent.push({ target, text, facts, at: at?.toString() });
      return 'stored';
    },
  };
  const tool = notify({
    clock: new ManualClock(now),
    notifier,
    directTarget: async ({ target, userId }) => ({
      ...target,
      chatId: asId<ChatId>(`dm-${userId}`),
    }),
    ...special,
  });
  const call = (input: object, context: Partial<ToolExecutionContext> = {}) =>
    tool.invoke({ text: 'Check AAPL', ...input }, toolContextOf(context), new AbortController().signal);
  return { tool, call, sent };
};

describe('notify', () => {
  it('sends messages to the requester', () => {
    const { definition } = setUp().tool;
    expect(definition).toMatchObject({ name: 'notify', group: 'communication', adminsOnly: false });
    expect(definition.inputSchema).toMatchObject({ required: ['text'] });
  });

  it('writes to the private chat of the requester, wherever they asked', async () => {
    const { call, sent } = setUp();
    const result = await call({}, { chatType: 'channel' });
    expect(result).toEqual({
      content: 'Stored. It is being sent privately now.',
      isError: false,
      receipt: { effect: 'sent', text: '✉️ Sent to you as a direct message.' },
    });
    expect(sent).toMatchObject([
      { target: { chatId: 'dm-me', recipientId: 'me' }, text: '⏰ Reminder: Check AAPL', at: undefined },
    ]);
  });

  it('comes with the made-up numbers that the model writes into it', async () => {
    const { call, sent } = setUp();
    const price = factOf('AAPL', { value: '304.12' });
    const samplesIn = (text: string) => (text.includes(price.value) ? [price] : []);
    await call({ text: 'Buy below 304.12' }, { samplesIn });
    await call({}, { samplesIn });
    expect(sent.map(({ facts }) => facts)).toEqual([[price], []]);
  });

  it('marks it in the language of the person', async () => {
    const { call, sent } = setUp();
    await call({ text: '  실적 발표 확인  ' }, { locale: 'ko' });
    expect(sent[0]?.text).toBe('⏰ 알림: 실적 발표 확인');
  });

  it("repeats when it comes, in the person's zone", async () => {
    const { call, sent } = setUp();
    expect((await call({ inMinutes: 90 })).content).toBe(
      'Stored. It will be sent privately at 2026-11-13 (Friday) 17:00:15, UTC+09:00, Asia/Seoul.',
    );
    expect((await call({ inMinutes: 90 }, { locale: 'ko' })).content).toContain('(금요일) 17:00:15');
    expect(sent[0]?.at).toBe('2026-11-13T08:00:15Z');
  });

  it.each([
    ['2026-11-13T16:00', '2026-11-13T07:00:00Z', '2026-11-13 (Friday) 16:00:00, UTC+09:00'],
    ['2026-11-13 16:00:30', '2026-11-13T07:00:30Z', '2026-11-13 (Friday) 16:00:30, UTC+09:00'],
    ['2026-11-13T09:30-05:00', '2026-11-13T14:30:00Z', '2026-11-13 (Friday) 23:30:00, UTC+09:00'],
    ['2027-03-15T09:30[America/New_York]', '2027-03-15T13:30:00Z', '2027-03-15 (Monday) 22:30:00, UTC+09:00'],
    ['2026-11-13T06:30:16Z', '2026-11-13T06:30:16Z', '2026-11-13 (Friday) 15:30:16, UTC+09:00'],
    ['2027-11-13T15:30:15', '2027-11-13T06:30:15Z', '2027-11-13 (Saturday) 15:30:15, UTC+09:00'],
  ])('takes %s', async (at, instant, told) => {
    const { call, sent } = setUp();
    const { content, isError } = await call({ at });
    expect(isError).toBe(false);
    expect(content).toBe(`Stored. It will be sent privately at ${told}, Asia/Seoul.`);
    expect(sent[0]?.at).toBe(instant);
  });

  it.each([
    // A time that the clocks skip comes when they are past it; one that they show twice, the first time.
    ['2027-03-14T02:30', '2027-03-14 (Sunday) 03:30:00, UTC-04:00', '2027-03-14T07:30:00Z'],
    ['2027-11-07T01:30', '2027-11-07 (Sunday) 01:30:00, UTC-04:00', '2027-11-07T05:30:00Z'],
    ['2027-07-01T09:00', '2027-07-01 (Thursday) 09:00:00, UTC-04:00', '2027-07-01T13:00:00Z'],
    ['2027-01-04T09:00', '2027-01-04 (Monday) 09:00:00, UTC-05:00', '2027-01-04T14:00:00Z'],
  ])('knows summer time: %s', async (at, told, instant) => {
    const { call, sent } = setUp();
    const { content } = await call({ at }, { timeZone: 'America/New_York' });
    expect(content).toContain(`${told}, America/New_York`);
    expect(sent[0]?.at).toBe(instant);
  });

  it('counts minutes as time that passes, also over a change of the clocks', async () => {
    const { call } = setUp({}, '2026-11-01T05:00:00Z');
    const { content } = await call({ inMinutes: 120 }, { timeZone: 'America/New_York' });
    expect(content).toContain('2026-11-01 (Sunday) 02:00:00, UTC-05:00');
  });

  it.each(['2026-11-13T15:30:15', '2026-11-13T15:30', '2020-01-01T00:00Z'])(
    'refuses what is past, and says what time it is: %s',
    async (at) => {
      const { call, sent } = setUp();
      expect(await call({ at })).toEqual({
        content: expect.stringMatching(
          /is past: it is now 2026-11-13 \(Friday\) 15:30:15, UTC\+09:00, Asia\/Seoul\.$/,
        ),
        isError: true,
      });
      expect(sent).toEqual([]);
    },
  );

  it('refuses what is more than a year ahead', async () => {
    const { call, sent } = setUp();
    expect(await call({ at: '2027-11-13T15:30:16' })).toMatchObject({
      content: expect.stringContaining('more than a year ahead'),
      isError: true,
    });
    expect(sent).toEqual([]);
  });

  it.each([
    [{ text: '' }, 'text'],
    [{ text: '   ' }, 'text'],
    [{ text: 'x'.repeat(1_001) }, 'text'],
    [{ inMinutes: 0 }, 'inMinutes'],
    [{ inMinutes: 525_601 }, 'inMinutes'],
    [{ inMinutes: 1.5 }, 'inMinutes'],
    [{ inMinutes: 5, at: '2026-11-13T16:00' }, 'either at or inMinutes'],
    [{ at: 'tomorrow' }, '"tomorrow" is no ISO date-time'],
    [{ at: '2026-11-14' }, '"2026-11-14" is no ISO date-time'],
  ])('refuses input that does not fit: %o', async (input, named) => {
    const { call, sent } = setUp();
    expect(await call(input)).toMatchObject({ isError: true, content: expect.stringContaining(named) });
    expect(sent).toEqual([]);
  });

  it('stores nothing where there is no private chat', async () => {
    const { call, sent } = setUp({ directTarget: async () => undefined });
    expect(await call({})).toMatchObject({
      isError: true,
      content: expect.stringContaining('no private chat'),
    });
    expect(sent).toEqual([]);
  });

  it('says when too many wait', async () => {
    const { call } = setUp({ notifier: { notify: async () => 'full' } });
    expect(await call({ inMinutes: 5 })).toMatchObject({
      isError: true,
      content: expect.stringContaining('was not stored'),
    });
  });
});
