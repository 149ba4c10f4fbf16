import type { z } from 'zod';
import { marketError } from '../errors.ts';

/** Where in an answer the slip is, without the answer itself. */
export const problemOf = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');

export const readAs = <T>(schema: z.ZodType<T>, json: unknown, what: string): T => {
  const { data, error } = schema.safeParse(json);
  if (error) throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent an odd ${what}: ${problemOf(error)}`);
  return data;
};
