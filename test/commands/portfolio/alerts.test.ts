import { describe, expect, it } from 'vitest';
import { alerts } from '#src/features/alerts/index.ts';
import { symbols } from '#test/support/sample-market.ts';
import { chatNoticeTexts } from '#src/kernel/chat/texts/chat-notices.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { msgContext } from '#test/support/context.ts';

const setUp = () => {
  const calls: string[] = [];
  const answer = (call: string) => {
    calls.push(call);
    return { content: call, facts: [], found: 1 };
  };
  const command = alerts.command.create({
    symbols,
    alerts: { list: async () => answer('own') },
    chatNotices: {
      list: async () => answer('here'),
      remove: async ({ which }, { target }) => answer(`remove ${which} in ${target.chatId}`),
    },
  });
  const run = async (line: string, ctx: Partial<TurnContext> = {}, flags?: ReadonlyMap<string, string>) => {
    const args = line === '' ? [] : line.split(' ');
    const result = await command.execute(args, msgContext(ctx), new AbortController().signal, flags);
    expect(result.ephemeral).toBe(line !== '' || ctx.chatType !== undefined);
    return result.content;
  };
  return { run, calls };
};

const CHANNEL = { chatType: 'channel' } as const;

describe('/alerts here', () => {
  it.each([
    ['who runs the server', { managesGuild: true }],
    ['an administrator of the bot', { isAdmin: true }],
  ])('is for %s: lists and removes what is set in this channel', async (_who, standing) => {
    const { run } = setUp();
    const ctx = { ...CHANNEL, ...standing };
    for (const line of ['here', '여기']) expect(await run(line, ctx)).toBe('here');
    for (const line of ['here remove k3m7pq', '여기 삭제 k3m7pq'])
      expect(await run(line, ctx)).toBe(`remove k3m7pq in ${msgContext().chatId}`);
    expect(await run('here', ctx, new Map([['remove', 'k3m7pq']]))).toContain('remove k3m7pq');
  });

  it('is for nobody else, and not for direct chats', async () => {
    for (const locale of ['en', 'ko'] as const) {
      const { run, calls } = setUp();
      const t = chatNoticeTexts(locale);
      for (const line of ['here', 'here remove k3m7pq'])
        expect(await run(line, { ...CHANNEL, locale })).toBe(t.managersOnly());
      expect(await run('here', { chatType: 'direct', isAdmin: true, locale })).toBe(t.onlyInChannel());
      expect(calls).toEqual([]);
    }
  });

  it('leaves the list of your own as it is', async () => {
    const { run } = setUp();
    for (const ctx of [{}, CHANNEL]) expect(await run('', ctx)).toBe('own');
  });

  it('is not meant by who wants to delete an alert of their own: those are listed', async () => {
    const { run } = setUp();
    for (const line of ['delete k3m7pq', '삭제 k3m7pq']) expect(await run(line, CHANNEL)).toBe('own');
  });
});
