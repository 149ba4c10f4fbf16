import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { type AccountId, asId, type ChannelId, type MessageId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { type FromPlatform, readLines, type WireCall, type WireEvent, writeLine } from './wire.ts';

const CHANNEL = asId<ChannelId>('test');
const ACCOUNT = asId<AccountId>('bot');

const inbound = (event: Extract<WireEvent, { readonly op: 'message' }>): MsgContext => ({
  id: asId(event.event),
  messageId: asId(event.message),
  channelId: CHANNEL,
  accountId: ACCOUNT,
  chatId: asId(event.chat),
  chatType: event.isGroup ? 'group' : 'direct',
  senderId: asId(event.sender),
  senderName: event.sender,
  senderRoles: [],
  isFromSelf: false,
  mentionsBot: event.isGroup,
  body: event.body,
  locale: 'en',
  timestamp: Temporal.Instant.from(event.at),
});

/** The bot's end of the fake platform: acknowledges what the app took, and nothing else. */
export const connectTo = (port: number, maxMessageLength: number): ChannelPlugin => {
  const waiting = new Map<number, (id: string) => void>();
  let socket: Socket | undefined;
  let calls = 0;
  let isListening = false;

  const call = async (what: WireCall): Promise<string> => {
    if (!socket?.writable) throw new Error('not connected');
    const { promise, resolve } = Promise.withResolvers<string>();
    calls += 1;
    waiting.set(calls, resolve);
    writeLine(socket, { op: 'call', call: calls, what });
    return promise;
  };

  const take = async (host: ChannelHost, event: WireEvent) => {
    if (event.op === 'message') {
      const receipt = await host.receive(inbound(event));
      const { outcome } = receipt;
      return receipt.outcome === 'dropped' ? { outcome, reason: receipt.reason } : { outcome };
    }
    const place = {
      channelId: CHANNEL,
      accountId: ACCOUNT,
      chatId: asId<MsgContext['chatId']>(event.chat),
    };
    const messageId = asId<MessageId>(event.message);
    const outcome = await host.revise(
      event.body === undefined
        ? { ...place, messageId, kind: 'deleted' }
        : { ...place, messageId, kind: 'edited', body: event.body },
    );
    return { outcome };
  };

  const hear = async (host: ChannelHost, said: FromPlatform): Promise<void> => {
    if (said.op === 'result') {
      waiting.get(said.call)?.(said.id);
      waiting.delete(said.call);
      return;
    }
    if (!isListening || !socket) return;
    if (said.op === 'ping') {
      writeLine(socket, { op: 'pong' });
      return;
    }
    try {
      writeLine(socket, { op: 'ack', event: said.event, ...(await take(host, said)) });
    } catch (error) {
      writeLine(socket, { op: 'not-taken', event: said.event, error: String(error) });
    }
  };

  return {
    id: CHANNEL,
    capabilities: { maxMessageLength, supportsMarkdown: true, supportsTables: false },
    start: async (host) => {
      socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => undefined);
      readLines<FromPlatform>(socket, (said) => void hear(host, said));
      isListening = true;
      writeLine(socket, { op: 'hello' });
    },
    stop: async () => {
      isListening = false;
    },
    close: async () => void socket?.end(),
    isConnected: () => socket?.writable ?? false,
    send: async ({ deliveryId, target, payload }) => {
      const { chatId: chat, replyToMessageId: replyTo = '' } = target;
      return {
        messageId: asId(await call({ op: 'post', nonce: deliveryId, chat, replyTo, text: payload.text })),
      };
    },
    addReaction: async ({ replyToMessageId: message = '' }, emoji) =>
      void (await call({ op: 'react', message, emoji })),
    removeReaction: async ({ replyToMessageId: message = '' }, emoji) =>
      void (await call({ op: 'unreact', message, emoji })),
    sendTyping: async ({ chatId: chat }) => void (await call({ op: 'typing', chat })),
  };
};
