import { z } from 'zod';
import { nonEmpty } from '#src/kernel/setting-schemas.ts';

export { nonEmpty };

export const seconds = (fallback: number) => z.number().positive().max(3_600).default(fallback);

/** A list that is there but empty would match nothing; whoever writes one means something else. */
export const names = (what: string) =>
  z.array(nonEmpty).min(1, `must name at least one ${what}; leave it out for every ${what}`).exactOptional();

const GROUP_PATTERN = /^group:(?:finance|system|web|data|communication|custom|\*)$/;

/** Which tools are meant. */
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
