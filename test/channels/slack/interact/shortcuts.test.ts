import { describe, expect, it } from 'vitest';
import { slackTexts } from '#channels/slack/send/texts.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import type { DeliveryId } from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { NEVER, outbound, setUpChannel, type SlackSetUp } from '../fixture.ts';

const lastOf = ({ host }: SlackSetUp) => {
  const message = host.received.at(-1);
  if (!message) throw new Error('nothing was received');
  return message;
};

describe('the menu of a message on Slack', () => {
  it('asks about the message, which comes along as the words of its author, and answers only who asked', async () => {
    const setUp = await setUpChannel();
    const { fake, host, channel } = setUp;
    const bob = fake.addUser({ name: 'bob' });
    const said = fake.say(fake.general.id, fake.alice.id, 'AAPL &amp; 삼성전자 look cheap');
    await fake.until(() => host.received.length === 1);
    const handle = fake.shortcut(bob.id, 'finclaw_menu_explain', said);
    await fake.until(() => host.received.length === 2);
    expect(lastOf(setUp)).toMatchObject({
      body: 'Explain this message.',
      senderId: bob.id,
      chatId: fake.general.id,
      mentionsBot: true,
      interaction: { isPrivate: true },
      forwarded: [{ text: 'AAPL & 삼성전자 look cheap', authorName: 'alice', isFromOthers: true }],
    });
    await channel.send(outbound(replyTargetOf(lastOf(setUp)), 'It says…'), NEVER);
    expect(handle.answers).toMatchObject([{ forWhom: { user: bob.id }, does: 'post', rendered: 'It says…' }]);
    expect(handle.acknowledgedAfterMs).toBeLessThan(3_000);
  });

  it('asks in the language of the person, in the thread of the message, and not for a message of the bot as of others', async () => {
    const setUp = await setUpChannel();
    const { fake, host, channel } = setUp;
    const kim = fake.addUser({ name: 'kim', locale: 'ko-KR' });
    const root = fake.say(fake.general.id, fake.alice.id, 'prices?', { mention: true });
    await fake.until(() => host.received.length === 1);
    const { messageId } = await channel.send(
      outbound(replyTargetOf({ ...lastOf(setUp) }), 'AAPL is at $300'),
      NEVER,
    );
    fake.shortcut(kim.id, 'finclaw_menu_prices', { channel: fake.general.id, ts: messageId });
    await fake.until(() => host.received.some(({ body }) => body === '/price'));
    const asked = host.received.find(({ body }) => body === '/price');
    expect(asked?.threadId).toBe(root.ts);
    expect(asked?.forwarded?.[0]?.isFromOthers).toBeUndefined();
    fake.shortcut(kim.id, 'finclaw_menu_explain', root);
    await fake.until(() => host.received.some(({ body }) => body === '이 메시지를 설명해 줘.'));
  });

  it('does not take a clip of somebody else for words of the person who asks', async () => {
    const setUp = await setUpChannel();
    const { fake, host } = setUp;
    const bob = fake.addUser({ name: 'bob' });
    const clip = { durationMs: 2_000, transcription: { content: 'sell everything', hasMore: false } };
    const file = { name: 'clip.m4a', mimetype: 'audio/mp4', content: 'sound', clip };
    const said = fake.say(fake.general.id, fake.alice.id, '', { files: [file] });
    await fake.until(() => host.received.length === 1);
    fake.shortcut(bob.id, 'finclaw_menu_explain', said);
    await fake.until(() => host.received.length === 2);
    const { media = [] } = lastOf(setUp);
    expect(media).toMatchObject([{ name: 'clip.m4a' }]);
    expect(media[0]).not.toHaveProperty('isVoice');
  });

  it('says where nothing is to be read, and ignores a shortcut of another app', async () => {
    const { fake, host } = await setUpChannel();
    const empty = fake.say(fake.general.id, fake.alice.id, ' ', { events: 'none' });
    const handle = fake.shortcut(fake.alice.id, 'finclaw_menu_explain', empty);
    await fake.until(() => handle.answers.length === 1);
    expect(handle.answers[0]?.rendered).toContain('no text and no file');
    await fake.shortcut(fake.alice.id, 'somebody_elses').settled;
    expect(host.received).toEqual([]);
  });
});

/** The opened form. */
const askIn = async ({ fake }: SlackSetUp) => {
  const handle = fake.shortcut(fake.alice.id, 'finclaw_ask');
  await fake.until(() => fake.viewOf(handle) !== undefined);
  const view = fake.viewOf(handle);
  if (!view) throw new Error('no form was opened');
  return view;
};

describe('the shortcut that asks from anywhere', () => {
  it('takes a question, quotes it in the direct chat and has it answered there, once', async () => {
    const setUp = await setUpChannel();
    const { fake, host, channel } = setUp;
    const view = await askIn(setUp);
    const values = { question: { value: 'What is <Apple>\ntrading at?' } };
    await fake.submitView(fake.alice.id, view, values).settled;
    const direct = fake.directOf(fake.alice.id).id;
    const [quote] = fake.botMessagesIn(direct);
    expect(quote?.rendered).toContain('You asked:');
    const asked = host.received.filter(({ isFromSelf }) => !isFromSelf);
    expect(asked).toMatchObject([
      { body: 'What is <Apple>\ntrading at?', chatType: 'direct', messageId: quote?.ts },
    ]);
    const [message] = asked;
    if (!message) throw new Error('nothing was received');
    await channel.send(outbound(replyTargetOf(message), '$300'), NEVER);
    expect(fake.botMessagesIn(direct).at(-1)?.rendered).toBe('$300');
    await fake.submitView(fake.alice.id, view, values).settled;
    expect(host.received.filter(({ isFromSelf }) => !isFromSelf)).toHaveLength(1);
  });

  it('is taken where Slack is slow to quote it, and is not where it cannot be stored', async () => {
    const setUp = await setUpChannel();
    const { fake, host } = setUp;
    const view = await askIn(setUp);
    fake.fail('chat.postMessage', { kind: 'slow', delayMs: 5_000 });
    const values = { question: { value: 'apple?' } };
    const ack = await fake.submitView(fake.alice.id, view, values).settled;
    expect(ack?.afterMs).toBeLessThan(3_000);
    expect(host.bodies).toEqual(['apple?']);
    const other = await askIn(setUp);
    host.onReceive = () => {
      throw new Error('disk');
    };
    const refused = await fake.submitView(fake.alice.id, other, values).settled;
    expect(refused?.payload).toMatchObject({ response_action: 'errors' });
  });

  it('says so when its trigger is too old to open anything', async () => {
    let laterMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs };
    const { fake } = await setUpChannel({ fake: { clock } });
    fake.fail('views.open', { kind: 'slow', delayMs: 50 });
    const handle = fake.shortcut(fake.alice.id, 'finclaw_ask');
    await fake.until(() => entriesOf(fake.history, 'request').some(({ method }) => method === 'views.open'));
    laterMs = 4_000;
    const direct = fake.directOf(fake.alice.id).id;
    await fake.until(() => fake.botMessagesIn(direct).some(({ rendered }) => rendered.includes('too old')));
    expect(fake.viewOf(handle)).toBeUndefined();
  });
});

describe('a thread of the assistant on Slack', () => {
  it('begins with questions in the reader’s language, and gets its title from the first one', async () => {
    const setUp = await setUpChannel();
    const { fake, host, channel } = setUp;
    host.home = { ...host.home, languageOf: async () => 'ko' };
    const { channel: direct, threadTs } = fake.openAssistant(fake.alice.id);
    await fake.until(() => fake.assistantOf(direct, threadTs).prompts !== undefined);
    const { prompts = [] } = fake.assistantOf(direct, threadTs);
    expect(prompts[0]?.message).toBe('삼성전자 지금 얼마야?');
    expect(prompts).toHaveLength(4);
    fake.sayDirect(fake.alice.id, `삼성전자 &amp; 애플 얼마야? ${'아주 긴 질문 '.repeat(40)}`, { threadTs });
    await fake.until(() => fake.assistantOf(direct, threadTs).title !== undefined);
    const { title = '' } = fake.assistantOf(direct, threadTs);
    expect(title).toMatch(/^삼성전자 & 애플 얼마야\?/u);
    expect(title.length).toBeLessThanOrEqual(100);
    // The answer, and what is shown before it, are in the thread.
    await fake.until(() => host.received.length === 1);
    expect(lastOf(setUp)).toMatchObject({ chatType: 'direct', threadId: threadTs });
    const target = replyTargetOf(lastOf(setUp));
    const live = channel.openLive?.(target, {
      mode: 'status',
      locale: 'ko',
      deliveryId: newId<DeliveryId>(),
      onPosted: async () => undefined,
    });
    live?.showStatus('시세 조회 중…');
    await fake.until(() => fake.statusOf(direct, threadTs) === '시세 조회 중…');
    await live?.end('replaced');
    await channel.send(outbound(target, '둘 다 올랐습니다'), NEVER);
    expect(fake.statusOf(direct, threadTs)).toBe('');
    expect(fake.messagesIn(direct, threadTs).at(-1)?.rendered).toBe('둘 다 올랐습니다');
    fake.sayDirect(fake.alice.id, '그럼 테슬라는?', { threadTs });
    await fake.until(() => host.received.length === 2);
    expect(fake.assistantOf(direct, threadTs).title).toBe(title);
  });

  it('gets its title from the first question after a restart, and no second one after the next', async () => {
    const { fake, host, channel } = await setUpChannel();
    const { channel: direct, threadTs } = fake.openAssistant(fake.alice.id);
    await channel.close();
    const next = await setUpChannel({ on: fake });
    next.host.earlier = host.received;
    fake.sayDirect(fake.alice.id, 'Apple?', { threadTs });
    await fake.until(() => fake.assistantOf(direct, threadTs).title === 'Apple?');
    await next.channel.close();
    const last = await setUpChannel({ on: fake });
    last.host.earlier = next.host.received;
    fake.sayDirect(fake.alice.id, 'And Tesla?', { threadTs });
    await fake.until(() => last.host.received.length === 1);
    // A message that no gate lets through names nothing.
    const other = fake.openAssistant(fake.alice.id);
    last.host.onReceive = () => ({ outcome: 'dropped', reason: 'test' });
    fake.sayDirect(fake.alice.id, 'Nvidia?', { threadTs: other.threadTs });
    await fake.until(() => fake.assistantOf(other.channel, other.threadTs).prompts !== undefined);
    await last.channel.close();
    expect(fake.assistantOf(direct, threadTs).title).toBe('Apple?');
    expect(fake.assistantOf(other.channel, other.threadTs).title).toBeUndefined();
  });

  it.each(['ko', 'en'] as const)('suggests in %s what even the offline model understands', async (locale) => {
    const read = createReadSentence(createSymbolSearch());
    const today = Temporal.PlainDate.from('2026-11-16');
    for (const { message: text } of slackTexts(locale).prompts) {
      const { calls } = await read({ text, locale, today, calls: [] }, NEVER);
      expect({ text, count: calls.length }).toEqual({ text, count: 1 });
    }
  });

  it('works without the scope for it', async () => {
    const setUp = await setUpChannel({ fake: { scopes: ['chat:write', 'im:history', 'users:read'] } });
    const { fake, host } = setUp;
    const { threadTs } = fake.openAssistant(fake.alice.id);
    fake.sayDirect(fake.alice.id, 'apple?', { threadTs });
    await fake.until(() => host.received.length === 1);
  });
});
