import { createRequire } from 'node:module';
import type stringWidthOf from 'string-width';

type StringWidth = typeof stringWidthOf;

const require = createRequire(import.meta.url);
let stringWidth: StringWidth | undefined;

/** Columns that a text takes on a screen: two for a Korean syllable or an emoji, none for what only joins. */
export const displayWidth = (text: string): number => {
  if (/^[ -~]*$/.test(text)) return text.length;
  // Its tables of emoji take 9 MB: most bots never need them before the first Korean table.
  stringWidth ??= (require('string-width') as { readonly default: StringWidth }).default;
  return stringWidth(text);
};

/** Filled up with spaces to a width; a text that is wider stays as it is. */
export const padToWidth = (text: string, width: number, side: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'left' ? text + space : space + text;
};
