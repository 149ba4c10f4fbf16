import type { APIGuildMember, APIMessage } from 'discord.js';
import { isSnowflake } from './snowflake.ts';

/** Readers for what Discord sends: a field that is missing or of another type is an empty one. */

export type WireFields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is WireFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsIn = (value: unknown): WireFields => (isObject(value) ? value : {});

export const listIn = (value: unknown): readonly WireFields[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Programs fill fields that must not be empty with characters that nobody sees. */
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A text as it is; empty if there is nothing to see in it. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' && value.replaceAll(UNSEEN, '') !== '' ? value : '';

export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The parts that say something. */
export const joined = (parts: readonly string[], by: string): string =>
  parts.filter((part) => part !== '').join(by);

/** A message of the gateway or of REST; REST leaves out the member. */
export type DiscordMessage = APIMessage & {
  readonly guild_id?: string;
  readonly member?: Partial<APIGuildMember>;
};

/** Whether a message has what nothing can be done without: its id, its place, its author and its type. */
export const isWhole = (message: unknown): message is DiscordMessage => {
  const { id, channel_id: channelId, guild_id: guildId, author, type } = fieldsIn(message);
  return (
    isSnowflake(textIn(id)) &&
    isSnowflake(textIn(channelId)) &&
    (guildId === undefined || isSnowflake(textIn(guildId))) &&
    isSnowflake(textIn(fieldsIn(author)['id'])) &&
    typeof type === 'number'
  );
};
