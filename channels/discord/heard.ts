import { MessageFlags, MessageType } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#src/platform/clock.ts';
import { HeardMessages, threadIn } from '#src/platform/heard-messages.ts';
import type { DiscordMessage } from './inbound.ts';
import { idAt, isNewer, isSnowflake } from './snowflake.ts';

/** What the bot hears in the channels and threads of servers. Calls return at once. */
export interface DiscordHeard {
  readonly messages: HeardMessages<DiscordMessage>;
  readonly created: (message: DiscordMessage) => void;
  readonly updated: (message: Partial<DiscordMessage>) => void;
  readonly deleted: (gone: Place & { readonly ids: readonly string[] }) => void;
  /** The bot may have been unable to read a channel, or any channel of a server. */
  readonly missed: (guildId: string, channelId: string | undefined) => void;
  /** A message that somebody replied to, as it came with the reply. */
  readonly repliedTo: (messageId: string) => DiscordMessage | undefined;
}

interface Place {
  readonly channelId: string;
  readonly guildId: string | undefined;
}

const MAX_REPLIED_TO = 500;

/** Without what a quotation does not need. */
const kept = <M extends Partial<DiscordMessage>>(message: M): M => {
  const { components: _buttons, member: _member, referenced_message: replied, ...rest } = message;
  const isStarter = message.type === MessageType.ThreadStarterMessage;
  // The rest has all fields that are read; those left out are optional.
  return { ...rest, ...(isStarter ? { referenced_message: replied } : {}) } as unknown as M;
};

/** A private reply to an interaction is for one person and must never be quoted. */
const isEphemeral = ({ flags }: Partial<DiscordMessage>): boolean =>
  ((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

export const createHeard = (clock: Clock): DiscordHeard => {
  const messages = new HeardMessages<DiscordMessage>({ clock, isNewer, idAt, kept, merge: (known) => known });
  const repliedTo = new LRUCache<string, DiscordMessage>({ max: MAX_REPLIED_TO });

  return {
    messages,
    created: (message) => {
      const { id, channel_id: channelId, guild_id: guildId, referenced_message: replied } = message;
      // In direct chats nobody else writes.
      if (guildId === undefined || !isSnowflake(id ?? '') || isEphemeral(message)) return;
      messages.said(guildId, id, message, channelId);
      if (replied) repliedTo.set(replied.id, kept(replied));
    },
    updated: (message) => {
      const { id, channel_id: channelId, guild_id: guildId } = message;
      if (id === undefined || channelId === undefined || guildId === undefined || isEphemeral(message))
        return;
      // A preview of a link comes as an update with a few fields.
      const change = (known: DiscordMessage): DiscordMessage => ({ ...known, ...kept(message) });
      messages.changed(threadIn(guildId, channelId), id, change);
      const replied = repliedTo.get(id);
      if (replied) repliedTo.set(id, change(replied));
    },
    deleted: ({ ids, channelId, guildId }) => {
      for (const id of ids) {
        repliedTo.delete(id);
        if (guildId !== undefined) messages.removed(threadIn(guildId, channelId), id);
      }
    },
    missed: (guildId, channelId) => {
      messages.forget(channelId === undefined ? guildId : threadIn(guildId, channelId));
    },
    repliedTo: (messageId) => repliedTo.get(messageId),
  };
};
