import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { conversationIn, copyOf, held, query, transcriptIn } from './gateway-support.ts';

const HERE: Partial<MsgContext> = {
  chatType: 'channel',
  chatId: asId<ChatId>('C1'),
  mentionsBot: true,
};
const ALONE: Partial<MsgContext> = { ...HERE, interaction: { token: 'for-ann', isPrivate: true } };
const IN_THREAD = { threadId: asId<ThreadId>('T1') };

const lastRequest = ({ claude }: EngineApp): string => JSON.stringify(claude.history.at(-1)?.body ?? {});

describe('what one person alone sees in a shared chat', () => {
  it.each([
    ['the chat', {}],
    ['a thread', IN_THREAD],
  ])(
    'is in no request for anybody else in %s, also when they ask later or at the same time',
    async (_where, at) => {
      const app = await startEngineApp();
      const { reply, letGo } = held(answer('ANN-EXPLANATION'));
      app.claude.reply(reply);
      const explained = app.ask('ann', 'explain ANN-QUESTION', { ...ALONE, ...at });
      await until(() => app.claude.history.length === 1);
      app.claude.reply(answer('hello bob'));
      const both = app.ask('bob', 'hello', { ...HERE, ...at });
      letGo();
      expect(await explained).toEqual(['ANN-EXPLANATION']);
      await both;
      app.claude.reply(answer('I cannot say.'));
      await app.ask('bob', 'what did ann ask you in private?', { ...HERE, ...at });
      expect(conversationIn(app.claude.history.at(-1)?.body)).toContain('hello bob');
      expect(lastRequest(app)).not.toMatch(/ANN-/u);
      // Ann herself goes on where she was, and sees nothing of it in public either.
      app.claude.reply(answer('more'));
      await app.ask('ann', 'and more?', { ...ALONE, ...at });
      expect(conversationIn(app.claude.history.at(-1)?.body)).toContain('ANN-EXPLANATION');
      app.claude.reply(answer('in public'));
      await app.ask('ann', 'what did I ask you?', { ...HERE, ...at });
      expect(lastRequest(app)).not.toMatch(/ANN-/u);
    },
  );

  it('is not quoted in a new thread of the chat, and counts as no part in it', async () => {
    const app = await startEngineApp();
    app.claude.reply(answer('ANN-EXPLANATION'));
    await app.ask('ann', 'explain ANN-QUESTION', { ...ALONE, ...IN_THREAD });
    const unaddressed = { ...HERE, ...IN_THREAD, mentionsBot: false };
    expect((await app.send('bob', 'just talking', unaddressed)).outcome).toBe('dropped');
    app.claude.reply(answer('hello'));
    await app.ask('bob', 'hello', { ...HERE, threadId: asId<ThreadId>('T2') });
    expect(lastRequest(app)).not.toMatch(/ANN-/u);
  });

  it('is explained to that person alone, stopped by them, and deleted with their data', async () => {
    const app = await startEngineApp();
    app.claude.reply(answer('It costs 12.'));
    await app.ask('ann', 'explain', ALONE);
    const [{ id } = { id: '' }] = query(copyOf(app), 'select id from inbox order by id desc limit 1');
    const why = `/why ${String(id)}`;
    expect(await app.ask('ann', why, ALONE)).not.toEqual(await app.ask('bob', why, ALONE));
    expect((await app.ask('bob', why, ALONE)).join()).not.toContain('12');

    app.claude.reply(held().reply);
    const running = app.send('ann', 'explain again', ALONE);
    await until(() => app.claude.history.length === 2);
    const [bobs = ''] = await app.ask('bob', '/stop', ALONE);
    const [anns = ''] = await app.ask('ann', '/stop', ALONE);
    expect(anns).not.toBe(bobs);
    await running;

    expect(transcriptIn(app).join()).toContain('It costs 12.');
    await app.ask('ann', '/privacy delete --yes');
    expect(transcriptIn(app)).toEqual([]);
  });
});
