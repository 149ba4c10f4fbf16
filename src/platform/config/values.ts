import { z } from 'zod';
import { nonEmpty } from '#src/kernel/setting-schemas.ts';

export const integer = (min: number, max: number) => z.number().int().min(min).max(max);

export const seconds = (fallback: number) => z.number().positive().max(3_600).default(fallback);

/** A list of names. An empty list is refused: it would match nothing, and nobody who writes one means that. */
export const names = (what: string) =>
  z.array(nonEmpty).min(1, `must name at least one ${what}; leave it out for every ${what}`).exactOptional();

/** A platform (`discord`) or one of its chats (`discord:123`). */
export const platformOrChat = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]*(?::\S+)?$/,
    'is neither a platform nor a chat; write a name such as discord, or discord:123 for one chat',
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
