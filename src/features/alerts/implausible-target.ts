import type { AlertCondition } from '#src/kernel/alert.ts';
import type { Instrument } from '#src/kernel/finance.ts';
import type { Decimal } from '#src/kernel/money.ts';

/** A price that is so many times another one is no longer near it: a slip of the hand, or other money. */
const FAR_TIMES = 5;
const FAR_RISE_PERCENT = (FAR_TIMES - 1) * 100;
const FAR_FALL_PERCENT = 100 - 100 / FAR_TIMES;

export const isNear = (level: Decimal, price: Decimal): boolean =>
  level.lessThanOrEqualTo(price.times(FAR_TIMES)) && level.times(FAR_TIMES).greaterThanOrEqualTo(price);

/** What is waited for is so far from the price that it was hardly meant. Rates stand near zero: nothing is far. */
export const isFarOff = (
  condition: AlertCondition,
  { assetClass }: Pick<Instrument, 'assetClass'>,
  price: Decimal,
): boolean => {
  switch (condition.kind) {
    case 'above':
    case 'below':
    case 'crosses-above':
    case 'crosses-below':
      return assetClass !== 'rate' && !isNear(condition.price, price);
    case 'change':
      return condition.percent.greaterThan(
        condition.direction === 'down' ? FAR_FALL_PERCENT : FAR_RISE_PERCENT,
      );
    case 'rsi':
    case 'ma-cross':
    case 'year-high':
    case 'year-low':
    case 'volume':
    case 'news':
      break;
  }
  return false;
};
