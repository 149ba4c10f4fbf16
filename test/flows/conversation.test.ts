import { describe, expect, it } from 'vitest';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { resetTexts } from '#commands/chat/texts.ts';
import { asId, type ChannelId, type ChatId, type EventId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { startTestApp } from '#test/support/app.ts';
import { copyDatabaseTo, temporaryDir } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { query } from './gateway-support.ts';

const from = (user: string, body: string, more: Partial<MsgContext> = {}): MsgContext =>
  inboundMessage({
    channelId: asId<ChannelId>('test'),
    chatId: asId<ChatId>(user),
    senderId: asId<UserId>(user),
    body,
    ...more,
  });

describe('a conversation on a platform', () => {
  it('answers to the message, in its chat', async () => {
    const { channel } = await startTestApp();
    const question = from('ann', 'How is Apple doing today?');
    await channel.receive(question);
    const [answer] = await channel.waitForSent(1);
    expect(answer?.target).toMatchObject({
      chatId: 'ann',
      replyToMessageId: question.messageId,
      recipientId: 'ann',
    });
    expect(answer?.payload.text).toContain('Apple (AAPL)');
  });

  it('leaves no sign on a question that is answered', async () => {
    const { channel } = await startTestApp();
    const receipt = await channel.receive(from('ann', 'How is Apple doing today?'));
    if (receipt.outcome === 'accepted') await receipt.settled;
    expect(channel.visibleReactions).toEqual([]);
  });

  it('answers an event once, however often the platform delivers it', async () => {
    const { channel } = await startTestApp();
    const event = from('ann', '/price AAPL', { id: asId<EventId>('the-same') });
    const receipts = await Promise.all([1, 2, 3, 4].map(() => channel.receive(event)));
    await channel.waitForSent(1);
    await channel.receive(from('ann', '/price KO'));
    await channel.waitForSent(2);
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual([
      'accepted',
      'duplicate',
      'duplicate',
      'duplicate',
    ]);
    expect(channel.texts.filter((text) => text.includes('AAPL'))).toHaveLength(1);
  });

  it('keeps the order within a chat and lets chats run beside each other', async () => {
    const { channel } = await startTestApp();
    const { promise: bobHasHis, resolve: bobGetsHis } = Promise.withResolvers<void>();
    channel.onSend = async ({ target }) => {
      // Ann's chat stands still; Bob must not notice.
      if (target.chatId === 'ann') await bobHasHis;
      else bobGetsHis();
    };
    await channel.receive(from('ann', 'How much is Apple?'));
    await channel.receive(from('ann', 'How much is Tesla?'));
    await channel.receive(from('bob', 'How much is Netflix?'));
    await channel.waitForSent(3);
    const order = channel.sent.map(
      ({ target, payload }) => `${target.chatId} ${/\(([A-Z]+)\)/.exec(payload.text)?.[1]}`,
    );
    expect(order).toEqual(['bob NFLX', 'ann AAPL', 'ann TSLA']);
  });

  it('runs a command beside an answer that is under way', async () => {
    const { channel } = await startTestApp();
    const held = Promise.withResolvers<void>();
    channel.onSend = ({ payload }) => (payload.text.includes('(AAPL') ? held.promise : undefined);
    await channel.receive(from('ann', 'How is Apple doing today?'));
    await channel.receive(from('ann', '/price TSLA'));
    const [first] = await channel.waitForSent(1);
    expect(first?.payload.text).toContain('(TSLA');
    held.resolve();
    await channel.waitForSent(2);
  });

  it('stops the running answer on /reset, and sends none of it', async () => {
    const { channel } = await startTestApp();
    const sending = Promise.withResolvers<void>();
    channel.onSend = ({ payload }, signal) => {
      if (!payload.text.includes('(AAPL')) return undefined;
      sending.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    await channel.receive(from('ann', 'How is Apple doing today?'));
    await sending.promise;
    await channel.receive(from('ann', '/reset'));
    await channel.waitForSent(2);
    expect(channel.texts.toSorted()).toEqual([
      'Stopped.',
      'This conversation starts over; I no longer use what was said before.',
    ]);
  });

  it.each(['/reset', '<@U1> /reset', '/초기화'.normalize('NFD')])(
    'takes %j for a command beside the running answer, and does not stop itself by it',
    async (body) => {
      const { channel } = await startTestApp();
      const sending = Promise.withResolvers<void>();
      channel.onSend = ({ payload }, signal) => {
        if (!payload.text.includes('(AAPL')) return undefined;
        sending.resolve();
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      };
      const question = from('ann', 'How is Apple doing today?');
      await channel.receive(question);
      await sending.promise;
      const command = from('ann', body, { locale: 'en' });
      const receipt = await channel.receive(command);
      if (receipt.outcome === 'accepted') await receipt.settled;
      const answerTo = ({ messageId }: MsgContext) =>
        channel.sent
          .filter(({ target }) => target.replyToMessageId === messageId)
          .map(({ payload }) => payload.text);
      expect(answerTo(question)).toEqual([failureTexts('en').stopped()]);
      expect(answerTo(command)).toEqual([
        resetTexts(body.startsWith('/초'.normalize('NFD')) ? 'ko' : 'en').done(),
      ]);
    },
  );

  it.each([
    '<<NO_REPLY>>',
    '<<no_reply>> 얼마야?',
    'How is <<SILENT_REPLY>> doing today?',
    '/price <<NO_REPLY>>',
  ])('is not silenced by a person who types %j', async (body) => {
    const { channel } = await startTestApp();
    const receipt = await channel.receive(from('ann', body));
    if (receipt.outcome === 'accepted') await receipt.settled;
    expect(channel.texts).toEqual([expect.stringMatching(/\S/)]);
  });

  it('tells the person in one sentence when the platform refuses the answer for good', async () => {
    const { channel, log } = await startTestApp();
    channel.onSend = ({ payload }) => {
      if (payload.text.includes('(AAPL')) throw new Error('the platform does not like this text');
    };
    const receipt = await channel.receive(from('ann', 'How is Apple doing today?'));
    if (receipt.outcome === 'accepted') await receipt.settled;
    const errorId = /\(error ([0-9a-f]{8})\)/.exec(channel.texts[0] ?? '')?.[1] ?? 'none';
    expect(channel.texts).toEqual([failureTexts('en').deliveryFailed({ errorId })]);
    expect(channel.visibleReactions).toEqual(['⚠️']);
    expect(log.some((line) => line.includes('delivery:failed') && line.includes('does not like'))).toBe(true);
  });

  it('tells the person and the log when an answer cannot be made', async () => {
    const dataDir = temporaryDir();
    await copyDatabaseTo(dataDir);
    query(
      dataDir,
      `create trigger refusal before insert on transcript_entries
         begin select raise(abort, 'the disk takes no conversation'); end`,
    );
    const { channel, log } = await startTestApp({ dataDir });
    await channel.receive(from('ann', '삼성전자 얼마야?'));
    const [answer] = await channel.waitForSent(1);
    const errorId = /\(오류 ([0-9a-f]{8})\)/.exec(answer?.payload.text ?? '')?.[1];
    expect(answer?.payload.text).toContain('다시 시도해 주세요');
    expect(
      log.some(
        (line) => line.includes(`"errorId":"${errorId}"`) && line.includes('the disk takes no conversation'),
      ),
    ).toBe(true);
  });

  it('refuses with a sentence when too many messages of one chat wait', async () => {
    const { channel } = await startTestApp({ env: { FINCLAW_RATE_LIMIT: '0', FINCLAW_QUEUE_MODE: 'queue' } });
    const held = Promise.withResolvers<void>();
    channel.onSend = ({ payload }) => (payload.text.includes('(AAPL') ? held.promise : undefined);
    const taken: Promise<void>[] = [];
    for (let i = 0; i < 50; i += 1) {
      const receipt = await channel.receive(from('ann', 'How much is Apple?'));
      if (receipt.outcome === 'accepted') taken.push(receipt.settled);
    }
    const receipt = await channel.receive(from('ann', 'How much is Apple?'));
    expect(receipt).toEqual({ outcome: 'dropped', reason: 'queue-full', isTold: true });
    expect(channel.texts[0]).toContain('send it again in a moment');
    held.resolve();
    // Every one of them writes to the disk several times: on a busy machine that takes its time.
    await Promise.all(taken);
    expect(channel.sent).toHaveLength(51);
  });
});
