import { LRUCache } from 'lru-cache';
import type { ChannelHost } from '#src/kernel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { shortened } from '#src/kernel/text.ts';
import { senderOf, unescapeText } from './inbound.ts';
import { slackMessages } from './messages.ts';
import type { OutboundDeps } from './outbound.ts';
import type { SlackIdentity } from './settings.ts';
import type { SlackMessageEvent } from './wire.ts';

/** The fields we read when somebody opens the assistant. */
export interface AssistantThreadStarted {
  readonly assistant_thread?: {
    readonly user_id?: string;
    readonly channel_id?: string;
    readonly thread_ts?: string;
  };
}

/** Threads of the assistant pane. Their messages are direct messages in a thread. Calls return at once and never throw. */
export interface Assistant {
  /** Suggests questions. */
  readonly started: (event: AssistantThreadStarted) => void;
  /** The first question becomes the title of the thread in the person's history. */
  readonly heard: (event: SlackMessageEvent) => void;
}

const MAX_UNTITLED = 2_000;

type AssistantDeps = Pick<OutboundDeps, 'api' | 'directory' | 'logger' | 'inBackground'> & {
  readonly host: Pick<ChannelHost, 'home'>;
  readonly self: SlackIdentity;
};

const keyOf = (channel: string, thread: string): string => `${channel} ${thread}`;

export const createAssistant = (deps: AssistantDeps): Assistant => {
  const { api, directory, logger, host, self } = deps;
  /** Threads without a question, by channel and thread. */
  const untitled = new LRUCache<string, true>({ max: MAX_UNTITLED });

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
    const locale = await host.home.languageOf(senderOf(userId, { self, person }, undefined));
    const { prompts, tryThese } = slackMessages(locale);
    const [first, ...others] = prompts;
    if (!first) return;
    await api.call('assistant.threads.setSuggestedPrompts', {
      channel_id: channel,
      thread_ts: thread,
      title: tryThese(),
      prompts: [first, ...others],
    });
  };

  return {
    started: ({ assistant_thread: started }) => {
      const { user_id: userId, channel_id: channel, thread_ts: thread } = started ?? {};
      if (!userId || !channel || !thread) return;
      untitled.set(keyOf(channel, thread), true);
      directory.learnDirect(channel, userId);
      inBackground(suggest(userId, channel, thread));
    },
    heard: ({ channel, thread_ts: thread, text = '', user, bot_id: botId, subtype }) => {
      if (!channel || !thread || !user || botId !== undefined || subtype !== undefined) return;
      const title = shortened(unescapeText(text));
      if (title === '' || !untitled.delete(keyOf(channel, thread))) return;
      inBackground(api.call('assistant.threads.setTitle', { channel_id: channel, thread_ts: thread, title }));
    },
  };
};
