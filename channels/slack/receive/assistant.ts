import { inOwnChat } from '#src/kernel/chat/actor.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { errorMessage } from '#src/kernel/errors.ts';
import { shortened } from '#src/kernel/text.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { Uses } from '#src/platform/services.ts';
import { type PostedMessage, senderOf } from './inbound.ts';
import { slackTexts } from '../send/texts.ts';
import type { SlackOutboundDeps } from '../send/outbound.ts';
import type { SlackIdentity } from '../settings.ts';
import { fields, messagesOf } from '../wire.ts';

/** The fields we read when somebody opens the assistant. */
export const ASSISTANT_THREAD_STARTED = fields({
  assistant_thread: fields({ user_id: z.string(), channel_id: z.string(), thread_ts: z.string() }),
});

/** Threads of the assistant pane. Their messages are direct messages in a thread. Calls return at once and never throw. */
export type Assistant = ReturnType<typeof createAssistant>;

/** The subtype of the message that Slack begins such a thread with. */
const ROOT = 'assistant_app_thread';
const MAX_OPENED = 2_000;

const keyOf = (channel: string, thread: string): string => `${channel} ${thread}`;

type AssistantDeps = Pick<SlackOutboundDeps, 'api' | 'directory' | 'logger' | 'inBackground'> &
  Uses<'host.home' | 'host.beginsConversation' | 'host.refusalFor'> & { readonly self: SlackIdentity };

export const createAssistant = (deps: AssistantDeps) => {
  const { api, directory, logger, host, self } = deps;
  /** Threads that were opened since the start. They need no question to Slack, which it may allow once a minute. */
  const opened = new LRUCache<string, true>({ max: MAX_OPENED });

  const inBackground = (work: Promise<unknown>): void =>
    deps.inBackground(
      work.then(
        () => undefined,
        (error: unknown) =>
          logger.debug('Slack: could not update an assistant thread', { reason: errorMessage(error) }),
      ),
    );

  const suggest = async (userId: string, channel: string, thread: string): Promise<void> => {
    const person = await directory.person(userId);
    const reader = senderOf(userId, { self, person }, undefined);
    const locale = await host.home.languageOf(reader);
    if ((await host.refusalFor({ ...inOwnChat(reader), locale })) !== undefined) return;
    const { prompts, tryThese } = slackTexts(locale);
    const [first, ...others] = prompts;
    if (!first) return;
    await api.call('assistant.threads.setSuggestedPrompts', {
      channel_id: channel,
      thread_ts: thread,
      title: tryThese(),
      prompts: [first, ...others],
    });
  };

  /** The root of such a thread is a message of the bot that Slack wrote. Slack refuses titles for any other thread. */
  const isOurs = async (channel: string, thread: string): Promise<boolean> => {
    if (opened.has(keyOf(channel, thread))) return true;
    const page = { channel, ts: thread, limit: 1 };
    return messagesOf(await api.call('conversations.replies', page)).some(
      ({ ts, subtype }) => ts === thread && subtype === ROOT,
    );
  };

  /** The first message of a conversation gives the title, and no other, so nobody needs to know which threads have one. */
  const entitle = async (channel: string, thread: string, message: MsgContext): Promise<void> => {
    const title = shortened(message.body);
    if (title === '' || !(await host.beginsConversation(message)) || !(await isOurs(channel, thread))) return;
    await api.call('assistant.threads.setTitle', { channel_id: channel, thread_ts: thread, title });
  };

  return {
    /** Suggests questions. */
    started: ({ assistant_thread: started }: z.infer<typeof ASSISTANT_THREAD_STARTED>) => {
      const { user_id: userId, channel_id: channel, thread_ts: thread } = started ?? {};
      if (!userId || !channel || !thread) return;
      opened.set(keyOf(channel, thread), true);
      directory.learnDirect(channel, userId);
      inBackground(suggest(userId, channel, thread));
    },
    /** The first question becomes the title of the thread in the person's history. */
    asked: ({ channel, message: { parent_user_id: parent } }: PostedMessage, message: MsgContext) => {
      const { chatType, threadId } = message;
      if (chatType !== 'direct' || !threadId || (parent ?? self.userId) !== self.userId) return;
      inBackground(entitle(channel, threadId, message));
    },
  };
};
