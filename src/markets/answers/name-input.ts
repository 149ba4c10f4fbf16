import { z } from 'zod';
import { shortened } from '#src/kernel/text.ts';

/** Longer than any name. */
export const MAX_NAME_LENGTH = 100;

/** A name, ticker or code as a tool input. */
export const nameInput = () => z.string().min(1).max(MAX_NAME_LENGTH);

const MAX_SHOWN_NAMES = 2;

/** The first names for a status line, and the number of the others. Undefined if there is no name. */
export const statusNames = (
  symbols: readonly string[],
): { readonly names: string; readonly more: number } | undefined => {
  const names = symbols.map(shortened).filter((name) => name !== '');
  if (names.length === 0) return undefined;
  return {
    names: names.slice(0, MAX_SHOWN_NAMES).join(', '),
    more: Math.max(0, names.length - MAX_SHOWN_NAMES),
  };
};
