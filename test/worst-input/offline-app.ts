import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { TestChannel } from '#test/support/channel.ts';
import { startAppOn } from '#test/support/app.ts';
import { inboundMessage } from '#test/support/messages.ts';

/** `gates.maxMessageChars`. */
export const MAX_MESSAGE_CHARS = 20_000;

export interface OfflineApp {
  readonly channel: TestChannel;
  /** What lies behind the addresses of files. */
  readonly files: Record<string, Uint8Array>;
  /** From somebody who has written nothing before. Throws where nothing was said to it. */
  readonly ask: (body: string, more?: Partial<MsgContext>) => Promise<string>;
}

/** The whole program without a key: rules answer. Everything that is loaded late has been loaded. */
export const startOfflineApp = async (dataDir?: string): Promise<OfflineApp> => {
  const files: Record<string, Uint8Array> = {};
  const { channel } = await startAppOn(new TestChannel({ files }), {
    env: { FINCLAW_RATE_LIMIT: '0' },
    ...(dataDir !== undefined && { dataDir }),
  });
  let people = 0;
  const ask: OfflineApp['ask'] = async (body, more = {}) => {
    people += 1;
    const person = `person-${people}`;
    const before = channel.sent.length;
    const receipt = await channel.receive(
      inboundMessage({
        channelId: asId<ChannelId>('test'),
        chatId: asId<ChatId>(person),
        senderId: asId<UserId>(person),
        body,
        ...more,
      }),
    );
    if (receipt.outcome === 'accepted') await receipt.settled;
    const said = channel.sent.slice(before).map(({ payload }) => payload.text);
    if (said.join('').trim() === '')
      throw new Error(`Nothing was said to ${JSON.stringify(body.slice(0, 80))}: ${JSON.stringify(receipt)}`);
    return said.join('\n');
  };
  for (const words of ['AAPL price', '삼성전자 얼마야?', '/price apple', '/help', '1+1', 'xyzzy plugh'])
    await ask(words);
  return { channel, files, ask };
};
