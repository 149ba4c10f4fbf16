import type { ActiveChat } from '#src/kernel/channel/host.ts';
import { ChannelError, errorMessage } from '#src/kernel/errors.ts';
import { type AccountId, asId } from '#src/kernel/ids.ts';
import type { PostedMessage } from './inbound.ts';
import { chronological, MAX_AGE, saidSince } from './missed-messages.ts';
import type { SlackReceiver, ReceiverDeps } from './receiver.ts';
import type { PostTarget } from '../send/posting.ts';
import { SLACK } from '../settings.ts';

const ACTIVE = { hours: 24 };
const MAX_CHATS = 50;
const MAX_MESSAGES = 100;
const AT_ONCE = 5;

interface Chat {
  readonly channel: string;
  readonly chatType: ActiveChat['chatType'];
  readonly threads: readonly (string | undefined)[];
}

/**
 * Reads the messages that people wrote in active chats while the bot was not connected, and stores them in order; the
 * inbox recognizes those it has. Resolves when every chat has its place in the queue, so that live messages wait
 * behind the missed ones. Never throws. `holds` keeps the place of readings that were not complete, for the next one.
 */
export const catchUp = (
  deps: ReceiverDeps,
  receiver: SlackReceiver,
  { holds, closing }: { readonly holds: (() => void)[]; readonly closing: AbortSignal },
): Promise<void> => {
  const { api, directory, host, self, clock, logger } = deps;
  const account = asId<AccountId>(self.teamId);
  const { promise: lanes, resolve: lanesTaken } = Promise.withResolvers<void>();
  let isComplete = true;

  /** A chat that Slack refuses, such as one that the bot has left, is not read next time either. */
  const missed = (error: unknown): undefined => {
    if (!(error instanceof ChannelError && error.failure === 'refused')) isComplete = false;
  };

  const sinceWhen = async (): Promise<Temporal.Instant | undefined> => {
    const seenUntil = await host.progress.seenUntil(SLACK, account);
    if (!seenUntil) {
      // At the first start nothing was missed; later starts catch up from now.
      host.progress.saw(SLACK, account, clock.now());
      return undefined;
    }
    const oldest = clock.now().subtract(MAX_AGE);
    return Temporal.Instant.compare(seenUntil, oldest) < 0 ? oldest : seenUntil;
  };

  /** Groups active threads by channel. The channel itself is read too, because new threads may have begun. */
  const chatsOf = async (active: readonly ActiveChat[]): Promise<readonly Chat[]> => {
    const found = await Promise.all(
      active.slice(0, MAX_CHATS).map(async (chat) => ({
        ...chat,
        channel:
          chat.chatType === 'direct' ? await directory.directChannel(chat.chatId).catch(missed) : chat.chatId,
      })),
    );
    const chats = new Map<string, { chatType: ActiveChat['chatType']; threads: Set<string | undefined> }>();
    for (const { channel, chatType, threadId } of found) {
      if (channel === undefined) continue;
      const chat = chats.get(channel) ?? { chatType, threads: new Set([undefined]) };
      chat.threads.add(threadId);
      chats.set(channel, chat);
    }
    return [...chats].map(([channel, { chatType, threads }]) => ({
      channel,
      chatType,
      threads: [...threads],
    }));
  };

  const read = async (
    spot: PostTarget,
    chat: Chat,
    since: Temporal.Instant,
  ): Promise<readonly PostedMessage[]> => {
    const found: PostedMessage[] = [];
    try {
      for await (const said of saidSince(api, spot, chat.chatType, since)) {
        found.push(said);
        if (found.length >= MAX_MESSAGES) break;
      }
    } catch (error) {
      missed(error);
      logger.warn('Slack: could not read missed messages of a channel', { reason: errorMessage(error) });
    }
    return found;
  };

  const catchUpChat = async (chat: Chat, since: Temporal.Instant): Promise<void> => {
    const found: PostedMessage[] = [];
    for (const threadTs of chat.threads)
      found.push(...(await read({ channel: chat.channel, threadTs }, chat, since)));
    for (const said of chronological(found)) {
      if (closing.aborted) {
        isComplete = false;
        return;
      }
      await receiver.receive(said).catch((error: unknown) => {
        isComplete = false;
        if (!closing.aborted) logger.error('Slack: could not store a missed message', { error });
      });
    }
  };

  const run = async (): Promise<void> => {
    const since = await sinceWhen();
    if (!since) return;
    const active = await host.progress.activeChats(SLACK, account, clock.now().subtract(ACTIVE));
    const chats = await chatsOf(active);
    let next = 0;
    const turns = chats.map(() => Promise.withResolvers<void>());
    const work = chats.map((chat, index) =>
      receiver.inOrder(chat.channel, async () => {
        await turns[index]?.promise;
        await catchUpChat(chat, since);
        turns[next++]?.resolve();
      }),
    );
    lanesTaken();
    while (next < Math.min(AT_ONCE, chats.length)) turns[next++]?.resolve();
    await Promise.all(work);
    if (chats.length > 0) logger.info('Slack: read missed messages', { chats: chats.length });
  };

  // Until all is stored, the next connection or start begins at the same point again.
  holds.push(host.progress.hold(SLACK, account));
  void run()
    .catch((error: unknown) => {
      isComplete = false;
      logger.warn('Slack: could not read missed messages', { error });
    })
    .finally(lanesTaken)
    .finally(() => {
      if (isComplete) for (const letGo of holds.splice(0)) letGo();
    });
  return lanes;
};
