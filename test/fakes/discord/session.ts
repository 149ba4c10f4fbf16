import { wireMessageEvent } from './message-wire.ts';
import { MessageEvent } from './messages.ts';
import type { ChannelState, GuildState, State } from './state.ts';
import { isThread } from './views.ts';
import { asText, asWire, INTENT } from './wire.ts';

/** Which of so many shards it is. */
export interface Shard {
  readonly id: number;
  readonly count: number;
}

/** Direct chats are on the first shard. */
export const shardOf = (guildId: string | undefined, count: number): number =>
  /^\d+$/u.test(guildId ?? '') ? Number((BigInt(guildId ?? '') >> 22n) % BigInt(count)) : 0;

/** What a bot that identified itself gets, also what it missed. */
export interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: Shard;
  sequence: number;
  readonly events: { readonly op: 0; readonly t: string; readonly s: number; readonly d: unknown }[];
}

/** Threads have the rights of their channel, unless they have their own. */
export const rightsIn = (state: State, channel: ChannelState): ChannelState['rights'] => {
  const parent = isThread(channel) ? state.channels.get(channel.parentId ?? '') : undefined;
  return { ...parent?.rights, ...channel.rights };
};

/** Whether the bot is in a server. It is in every direct chat that it knows. */
export const hasBot = (state: State, guild: GuildState | undefined): boolean =>
  guild === undefined || guild.members.has(state.bot.id);

export const canRead = (state: State, channel: ChannelState): boolean =>
  hasBot(state, state.guilds.get(channel.guildId ?? '')) &&
  rightsIn(state, channel).canRead !== false &&
  (channel.kind !== 'private-thread' || channel.isJoined);

const neededIntent = (event: string, isDirect: boolean): number => {
  if (event.startsWith('MESSAGE_REACTION')) return isDirect ? INTENT.directReactions : INTENT.guildReactions;
  if (event.startsWith('MESSAGE_')) return isDirect ? INTENT.directMessages : INTENT.guildTexts;
  if (event === 'TYPING_START') return isDirect ? INTENT.directTyping : INTENT.guildTyping;
  if (event.startsWith('GUILD_MEMBER')) return INTENT.guildMembers;
  if (/^(?:GUILD|CHANNEL|THREAD)_/u.test(event)) return isDirect ? 0 : INTENT.guilds;
  return 0;
};

/** Whether it is for this session at all; if so, the data as that session may see them. */
export const dataFor = (
  state: State,
  session: Session,
  event: string,
  data: unknown,
  channelId: string | undefined,
): { readonly data: unknown } | undefined => {
  const channel = channelId === undefined ? undefined : state.channels.get(channelId);
  const { guild_id, id } = asWire(data);
  const guildId =
    channel?.guildId ?? asText(guild_id ?? (/^GUILD_(?:CREATE|DELETE)$/u.test(event) ? id : ''));
  if (shardOf(guildId, session.shard.count) !== session.shard.id) return undefined;
  const needed = neededIntent(event, channel?.kind === 'direct');
  if ((session.intents & needed) !== needed) return undefined;
  const isHeard = !channel || canRead(state, channel) || !/^(?:MESSAGE|TYPING|THREAD)_/u.test(event);
  if (!isHeard) return undefined;
  if (!(data instanceof MessageEvent)) return { data };
  const isReader = (session.intents & INTENT.messageContent) !== 0;
  return { data: wireMessageEvent(state, data.channel, data.message, isReader) };
};

/** For the history, which reads everything. */
export const plainData = (state: State, data: unknown): unknown =>
  data instanceof MessageEvent ? wireMessageEvent(state, data.channel, data.message, true) : data;
