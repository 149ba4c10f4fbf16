import { Decimal } from '#src/kernel/money.ts';
import { type Money, moneyNamed } from '../columns/money-names.ts';
import { withPoint, type Decimals } from '../columns/cells.ts';

/** A trade that a single cell tells. */
export interface TradeWords {
  readonly kind: 'buy' | 'sell';
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly money: Money | undefined;
}

const SIDES: ReadonlyMap<string, TradeWords['kind']> = new Map([
  ...'buy,bought,open buy,kauf,koop,achat,compra,acquisto,köp'
    .split(',')
    .map((word) => [word, 'buy'] as const),
  ...'sell,sold,close buy,verkauf,verkoop,vente,venta,vendita,sälj'
    .split(',')
    .map((word) => [word, 'sell'] as const),
]);

/**
 * `Buy 3 @ 134.85 USD` (Saxo), `OPEN BUY 2/3.5 @ 11.7480` (XTB), `Kauf 5 zu je 180,5 USD` (DEGIRO). Between quantity and
 * price there may be the name: `Koop 5 Apple Inc@180 USD`.
 */
const TOLD =
  /^(?<side>\p{L}{3,8}(?: buy)?) (?<quantity>-?[\d.,]{1,20})(?:\/[\d.,]{1,20})?(?<name>[^@\d][^@]{0,60})?(?:@|\bzu je|\bà) ?(?<price>[\d.,]{1,20})(?: ?(?<money>[A-Za-z]{3}))?(?![\p{L}\d])/iu;

/** Numbers in such cells have no groups, and often other decimals than the columns. */
const numberIn = (text: string, decimals: Decimals): Decimal | undefined => {
  const isComma = text.includes(',') && !text.includes('.') && decimals !== 'point';
  const plain = isComma ? text.replace(',', '.') : withPoint(text, 'point');
  return plain !== undefined && /^-?\d+(?:\.\d+)?$/u.test(plain) ? new Decimal(plain) : undefined;
};

/** Reads a trade that the words of a line tell, where it has no columns for it. */
export const toldTrade = (words: readonly string[], decimals: Decimals): TradeWords | undefined => {
  for (const text of words) {
    const { side, quantity, price, money } = TOLD.exec(text)?.groups ?? {};
    const kind = SIDES.get((side ?? '').toLowerCase());
    const [count, each] = [numberIn(quantity ?? '', decimals), numberIn(price ?? '', decimals)];
    if (kind && count && each)
      return { kind, quantity: count.abs(), price: each, money: moneyNamed(money ?? '') };
  }
  return undefined;
};
