import { describe, expect, it } from 'vitest';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { queueTexts, stopTexts } from '#commands/chat/texts.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import { SHOW_AFTER_MS } from '#src/chat/delivery/live-answers.ts';
import { answer, startEngineApp, until } from '#test/support/engine-app.ts';
import { held, IN_GROUP, OVERHEARD, settled } from './gateway-support.ts';

const GUILD = { guildId: 'g1', chatId: asId<ChatId>('C0HERE') };
const HERE = { ...IN_GROUP, ...GUILD };
const ELSEWHERE = { ...HERE, chatId: asId<ChatId>('C0ELSE') };
const MANAGER = { managesGuild: true };

describe('the settings of a server', () => {
  it('choose where the bot answers, cannot lock their makers out, and hold after a restart', async () => {
    const app = await startEngineApp();
    const t = guildTexts('en');
    await app.ask('mina', '/settings channels here', { ...HERE, ...MANAGER });
    expect(await app.ask('ann', 'How is Apple?', HERE)).toEqual(['ok']);
    expect(await app.ask('ann', 'How is Apple?', ELSEWHERE)).toEqual([t.elsewhere({ chats: '<#C0HERE>' })]);
    expect(await app.send('ann', 'Hm.', { ...ELSEWHERE, mentionsBot: false })).toMatchObject({
      outcome: 'dropped',
    });
    expect(await app.ask('ann', 'How is Apple?', { ...IN_GROUP, guildId: 'g2' })).toEqual(['ok']);
    expect(await app.ask('ann', 'How is Apple?')).toEqual(['ok']);
    await app.stop();

    const again = await startEngineApp({ dataDir: app.dataDir });
    expect(await again.send('ann', 'How is Apple?', ELSEWHERE)).toMatchObject({
      reason: 'channel-not-chosen',
    });
    await again.ask('mina', '/settings channels all', { ...ELSEWHERE, ...MANAGER });
    expect(await again.ask('ann', 'How is Apple?', ELSEWHERE)).toEqual(['ok']);
  });

  it('choose the language of the bot and of the model there, before that of the operator', async () => {
    const app = await startEngineApp({ env: { FINCLAW_LOCALE: 'en' } });
    const promptOf = () => JSON.stringify(app.claude.history.at(-1)?.body.system);
    await app.ask('ann', 'How is Apple?', HERE);
    const before = promptOf();
    await app.ask('mina', '/settings language ko', { ...HERE, ...MANAGER });
    await app.ask('ann', 'How is Apple?', HERE);
    expect(promptOf()).not.toBe(before);
    expect(JSON.stringify(app.claude.history.at(-1)?.body.messages)).toContain('language: ko');
    expect(await app.ask('ann', '/stop', HERE)).toEqual([stopTexts('ko').nothing()]);
    expect(await app.ask('ann', '/stop', IN_GROUP)).toEqual([stopTexts('en').nothing()]);
  });

  it('choose the queue mode there', async () => {
    const app = await startEngineApp();
    await app.ask('mina', '/settings queue steer', { ...HERE, ...MANAGER });
    const [shown] = await app.ask('ann', '/queue', HERE);
    const { meanings, scopes, current } = queueTexts('en');
    expect(shown).toContain(current({ mode: 'steer', meaning: meanings.steer, setFor: scopes.guild }));
  });

  it('may change during an answer, which still replaces the live message that it began with', async () => {
    const app = await startEngineApp({ config: { live: { mode: 'stream' } } });
    const messageId = asId<MessageId>('live-1');
    let isPosted = false;
    const openLive: ChannelPlugin['openLive'] = (_target, { onPosted }) => {
      void onPosted(messageId).then(() => {
        isPosted = true;
      });
      return { showStatus: () => undefined, showText: () => undefined, end: async () => messageId };
    };
    Object.assign(app.channel, { openLive });
    const { reply, letGo } = held(answer('Apple rose.'));
    app.claude.reply(reply);
    const running = await app.send('ann', 'How is Apple?', HERE);
    await app.clock.untilWaiting(SHOW_AFTER_MS);
    await app.clock.advance(SHOW_AFTER_MS);
    await until(() => isPosted);
    await app.ask('mina', '/settings live status', { ...HERE, ...MANAGER });
    letGo();
    await settled(running);
    expect(app.channel.sent.at(-1)).toMatchObject({ payload: { text: 'Apple rose.' }, replaces: messageId });
  });
});

describe('/stop in a channel', () => {
  it("stops the sender's answer in a thread of it", async () => {
    const app = await startEngineApp();
    const { reply, letGo } = held(answer('too late'));
    app.claude.reply(reply);
    const thread = { ...HERE, threadId: asId<ThreadId>('t1') };
    const running = await app.send('ann', 'How is Apple?', thread);
    await expect.poll(() => app.claude.history.length).toBe(1);
    expect(await app.ask('bob', '/stop', HERE)).toEqual([stopTexts('en').notYours()]);
    expect(await app.ask('ann', '/stop', HERE)).toEqual([stopTexts('en').done()]);
    letGo();
    await settled(running);
    expect(app.channel.texts).not.toContain('too late');
    expect(await app.send('ann', 'Hm.', { ...OVERHEARD, ...GUILD })).toMatchObject({ outcome: 'dropped' });
  });
});
