import { z } from 'zod';
import { nonEmpty } from '#src/kernel/operations/setting-schemas.ts';

export const integer = (min: number, max: number) => z.number().int().min(min).max(max);

export const seconds = (fallback: number) => z.number().positive().max(3_600).default(fallback);

/** An id, alone or behind its platform. Names, mentions and wildcards would match nobody, and are refused. */
const ID = /^(?:[^\s:*@#<>,]+(?::[^\s:*@#<>,]+)*)?$/;

export const userId = nonEmpty.regex(
  ID,
  'is not a user id; write discord:123, or 123 on any platform, and one entry for each person: there are no wildcards',
);

export const accountId = nonEmpty.regex(
  ID,
  'is not an account; write slack:T123, or T123 on any platform: there are no wildcards',
);

export const guildId = nonEmpty.regex(
  ID,
  'is not the id of a server or team; write the id alone, such as 123, and one entry for each: there are no wildcards',
);

export const chatId = nonEmpty.regex(
  ID,
  'is neither a platform nor a chat; write discord for all of a platform, or discord:123 for one chat: there are no wildcards',
);

/** A role may have any name, but one of asterisks alone is meant as a wildcard. */
export const roleId = nonEmpty.regex(
  /^(?![<@]|(?:[^:]*:)?[\s*]*$).+$|^$/,
  'is not a role; write its id, or 123:Name with the id of the server on Discord: there are no wildcards',
);

/** A list of ids. An empty list is refused: it would match nothing, and nobody who writes one means that. */
export const names = (what: string, each: z.ZodString) =>
  z.array(each).min(1, `must name at least one ${what}; leave it out for every ${what}`).exactOptional();

/** A platform (`discord`) or one of its chats (`discord:123`). */
export const platformOrChat = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]*(?::[^\s:*@#<>,]+)*$/,
    'is neither a platform nor a chat; write a name such as discord, or discord:123 for one chat: there are no wildcards',
  );

const GROUP_PATTERN = /^group:(?:finance|system|web|data|communication|custom|\*)$/;

/** A pattern of tool names, or `group:` and the name of a group. */
export const toolPattern = z
  .string()
  .min(1, 'must not be empty; use * for every tool')
  .max(100)
  .regex(
    /^[A-Za-z0-9_*:-]*$/,
    'may have letters, digits, "_", "-", ":" and "*" only, such as get_*, set_reminder or group:finance',
  )
  .refine(
    (pattern) => !pattern.includes(':') || GROUP_PATTERN.test(pattern),
    'names no group: after "group:" stands finance, system, web, data, communication, custom or *',
  );
