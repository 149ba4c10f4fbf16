import type stringWidthOf from 'string-width';
import { createRequire } from 'node:module';

type StringWidth = typeof stringWidthOf;

const require = createRequire(import.meta.url);
let stringWidth: StringWidth | undefined;

/** Letters, common signs, Korean and Chinese: one or two columns each, and none joins with its neighbours. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u024f–—‘’“”…•₩€가-힣\u4e00-\u9fff]*$/;
const WIDE = /[가-힣\u4e00-\u9fff]/g;

/** Screen columns of a text: two for a Korean syllable or an emoji, none for a joiner. */
export const displayWidth = (text: string): number => {
  if (PLAIN.test(text)) return text.length + (text.match(WIDE)?.length ?? 0);
  // Loaded with the first text that needs it, because its emoji tables take 9 MB and a tenth of a second.
  stringWidth ??= (require('string-width') as { readonly default: StringWidth }).default;
  return stringWidth(text);
};
