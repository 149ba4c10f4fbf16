import { ComponentType, MessageFlags, MessageType } from 'discord.js';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { RecentMessages, KEPT_MS, threadIn } from '#src/platform/recent-messages.ts';
import { idAt, isNewer, isSnowflake } from '../snowflake.ts';
import { type DiscordMessage, isWhole, listIn } from '../wire.ts';

/** The recent messages of the channels and threads of servers. Calls return at once. */
export type DiscordRecentMessages = ReturnType<typeof createRecentMessages>;

interface Place {
  readonly channelId: string;
  readonly guildId: string | undefined;
}

/** A message as it came with a reply to it. */
interface RepliedTo {
  message: DiscordMessage;
  readonly guildId: string;
  readonly atMs: number;
}

const MAX_REPLIED_TO = 500;

/** Without what a quotation does not need. */
const kept = <M extends Partial<DiscordMessage>>(message: M): M => {
  const { components, member: _member, referenced_message: replied, ...rest } = message;
  const isStarter = message.type === MessageType.ThreadStarterMessage;
  const worded = listIn(components).filter(({ type }) => type !== ComponentType.ActionRow);
  // The rest has all fields that are read; those left out are optional.
  return {
    ...rest,
    ...(components === undefined ? {} : { components: worded }),
    ...(isStarter ? { referenced_message: replied } : {}),
  } as unknown as M;
};

/** A private reply to an interaction is for one person and must never be quoted. */
const isEphemeral = ({ flags }: Partial<DiscordMessage>): boolean =>
  ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

export const createRecentMessages = (clock: Clock) => {
  const messages = new RecentMessages<DiscordMessage>({
    clock,
    isNewer,
    idAt,
    kept,
    merge: (known) => known,
  });
  /** The reply that came last is last. */
  const repliedTo = new Map<string, RepliedTo>();

  const letOldGo = (): void => {
    const sinceMs = clock.monotonicMs() - KEPT_MS;
    for (const [id, { atMs }] of repliedTo) {
      if (atMs > sinceMs && repliedTo.size <= MAX_REPLIED_TO) return;
      repliedTo.delete(id);
    }
  };

  const noteReplied = (message: DiscordMessage, guildId: string): void => {
    const { referenced_message: replied, message_reference: reference } = message;
    const id = replied?.id ?? reference?.message_id;
    // Discord says `null` of a message that was deleted, and nothing of one that it did not look up.
    if (replied === undefined || id === undefined) return;
    repliedTo.delete(id);
    if (replied) repliedTo.set(id, { message: kept(replied), guildId, atMs: clock.monotonicMs() });
  };

  return {
    messages,
    /** Events are missed from here on. The cache is cleared. */
    eventsLost: () => {
      messages.eventsLost();
      repliedTo.clear();
    },
    created: (message: DiscordMessage) => {
      letOldGo();
      const { id, channel_id: channelId, guild_id: guildId } = message;
      // In direct chats nobody else writes.
      if (guildId === undefined || !isSnowflake(id ?? '') || isEphemeral(message)) return;
      messages.add(guildId, id, message, channelId);
      noteReplied(message, guildId);
    },
    updated: (message: Partial<DiscordMessage>) => {
      const { id, channel_id: channelId, guild_id: guildId } = message;
      if (id === undefined || channelId === undefined || guildId === undefined || isEphemeral(message))
        return;
      // A preview of a link comes as an update with a few fields.
      const change = (known: DiscordMessage): DiscordMessage => {
        const changed = { ...known, ...kept(message) };
        return isWhole(changed) ? changed : known;
      };
      messages.changed(threadIn(guildId, channelId), id, change);
      const replied = repliedTo.get(id);
      if (replied) replied.message = change(replied.message);
    },
    deleted: ({ ids, channelId, guildId }: Place & { readonly ids: readonly string[] }) => {
      for (const id of ids) {
        repliedTo.delete(id);
        if (guildId !== undefined) messages.removed(threadIn(guildId, channelId), id);
      }
    },
    /** The bot may have been unable to read a channel, or any channel of a server. */
    missed: (guildId: string, channelId: string | undefined) => {
      messages.forget(channelId === undefined ? guildId : threadIn(guildId, channelId));
      for (const [id, { message, guildId: server }] of repliedTo)
        if (server === guildId && (channelId === undefined || message.channel_id === channelId))
          repliedTo.delete(id);
    },
    /** A message that somebody replied to within the last hour, as it came with the reply. */
    repliedTo: (messageId: string): DiscordMessage | undefined => {
      letOldGo();
      return repliedTo.get(messageId)?.message;
    },
  };
};
