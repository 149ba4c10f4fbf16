import { Decimal } from '#src/core/money.ts';
import { foldWidth } from './reading.ts';

const ALL = /^(?:all|everything|전량|모두|전부|다|몽땅)$/iu;
const HALF = /^(?:half|절반|반)$/iu;

/** What part of what is held `전량` or `half` stands for; undefined for everything else. */
export const portionOf = (typed: string | undefined): Decimal | undefined => {
  const text = foldWidth(typed ?? '').trim();
  if (ALL.test(text)) return new Decimal(1);
  return HALF.test(text) ? new Decimal('0.5') : undefined;
};
