import type { Instrument, QuoteResult, SymbolSearch } from '#src/kernel/finance.ts';
import { coinIn } from '#src/markets/symbols/coin-pairs.ts';
import { isNear } from './implausible-target.ts';
import type { ConditionDraft } from './read-condition.ts';

/** In which coins are priced here. */
const COIN_MONEY = ['USD', 'KRW'] as const;

/**
 * A coin is priced in several kinds of money. What a price may be meant of: where the money was named, or the pair
 * itself (`BTC-USD`), that one; else what was found, and then the same coin in other money.
 */
export const pairsOf = (
  found: Instrument,
  draft: ConditionDraft,
  typedName: string,
  symbols: Pick<SymbolSearch, 'resolve'>,
): readonly Instrument[] => {
  if (found.assetClass !== 'crypto' || draft.kind !== 'price') return [found];
  const { currency, isKorean } = draft.amount;
  if (currency !== undefined) return [coinIn(found, currency, symbols)];
  if (typedName.toUpperCase() === found.symbol) return [found];
  const others = COIN_MONEY.map((money) => coinIn(found, money, symbols));
  // Counted in 만 or 억 it is sooner won than dollars, where the price tells nothing.
  const pairs = isKorean ? [coinIn(found, 'KRW', symbols), found, ...others] : [found, ...others];
  return pairs.filter(({ symbol }, index) => pairs.findIndex((pair) => pair.symbol === symbol) === index);
};

/** The first pair whose price is near what is waited for; else the first. */
export const nearestPair = (
  results: readonly QuoteResult[],
  draft: ConditionDraft,
): QuoteResult | undefined => {
  if (draft.kind !== 'price') return results[0];
  const { value } = draft.amount;
  return results.find((each) => each.status === 'ok' && isNear(value, each.quote.price)) ?? results[0];
};
