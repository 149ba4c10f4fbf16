import type { TransactionKind } from '#src/kernel/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import type { RowProblem } from '../problems.ts';
import type { Draft } from '../records/read-record.ts';
import type { FoundInstrument, NamedInFile } from './instruments.ts';

export interface MoneyContext {
  readonly find: (named: NamedInFile) => FoundInstrument;
  readonly baseCurrency: Currency;
  /** The money that lines of the file name or are traded in. */
  readonly moneys: ReadonlySet<Currency>;
}

const ISIN = /(?<![A-Z0-9])(?<country>[A-Z]{2})[A-Z0-9]{9}\d(?![A-Z0-9])/u;
const MONEY_OF: Readonly<Record<string, Currency>> = {
  US: 'USD',
  KR: 'KRW',
  JP: 'JPY',
  HK: 'HKD',
  GB: 'GBP',
};
const FOREIGN_WORDS = /외화|해외/u;

/** What the words of the line say about its money, before anything is looked up. */
export const toldCurrency = ({
  currency,
  amount,
  net,
  code,
  name,
  table,
  kind,
  priceCurrency,
}: Draft): Currency | undefined => {
  if (currency !== undefined) return currencyNamed(currency)?.code ?? currency;
  const signed = amount?.currency ?? net?.currency ?? priceCurrency;
  if (signed !== undefined) return signed;
  if (table.header.isAmerican) return 'USD';
  const country = ISIN.exec(`${code} ${name}`.toUpperCase())?.groups?.['country'] ?? '';
  return kind === 'fx-in' || kind === 'fx-out' ? undefined : MONEY_OF[country];
};

/** The only one besides won, if there is one. */
export const foreignOf = ({ moneys }: MoneyContext): Currency | undefined => {
  const [first, ...others] = [...moneys].filter((money) => money !== 'KRW');
  return others.length === 0 ? first : undefined;
};

/** Of a line about money alone; undefined where nothing tells it. */
export const cashCurrency = (draft: Draft, context: MoneyContext): Currency | undefined => {
  const { moneys, baseCurrency } = context;
  const told = toldCurrency(draft);
  if (told !== undefined) return told;
  if (draft.table.header.isOwn) return baseCurrency;
  const { words } = draft;
  if (FOREIGN_WORDS.test(words) && !words.includes('원화')) return foreignOf(context);
  if (draft.table.header.isKorean) return 'KRW';
  // A deposit beside shares in dollars, into a portfolio in won: both are possible.
  const isPlain = moneys.size === 0 || (moneys.size === 1 && moneys.has(baseCurrency));
  return isPlain ? baseCurrency : undefined;
};

/** Signs of dollars are alike in many countries. */
const DOLLARS: ReadonlySet<Currency> = new Set(['CAD', 'AUD', 'HKD', 'SGD', 'NZD', 'TWD', 'MXN']);
const isSameMoney = (sign: string, currency: Currency): boolean =>
  sign.toUpperCase() === currency || (sign === 'USD' && DOLLARS.has(currency));

/** Coins that came from or went to a wallet, which are no money. */
export const isCoinMove = ({ code, name }: Draft, kind: TransactionKind, { find }: MoneyContext): boolean => {
  if ((kind !== 'deposit' && kind !== 'withdrawal') || code === '') return false;
  if (currencyNamed(code)?.isCoin === false) return false;
  const found = find({ code, name, currency: undefined });
  return found.status === 'found' && found.instrument.assetClass === 'crypto';
};

/** Of a line whose numbers are in several kinds of money, or in one that nothing tells. */
export const moneyProblem = (draft: Draft, currency: Currency): RowProblem | undefined => {
  const { feeCurrency, fee, tax, charges, table } = draft;
  const sign = [draft.priceCurrency, draft.amount?.currency, draft.net?.currency].find(
    (each) => each !== undefined && !isSameMoney(each, currency),
  );
  if (sign !== undefined)
    return { kind: 'entry', problem: { kind: 'two-currencies', currencies: [sign, currency] } };
  const hasCharges = [fee, tax, charges].some((charge) => !charge.isZero());
  const ofCharges = draft.settled?.currency ?? currency;
  if (feeCurrency !== undefined && hasCharges && !isSameMoney(feeCurrency, ofCharges))
    return { kind: 'fee-currency', typed: feeCurrency };
  // Beside an exchange rate the numbers may be in won, whatever is traded.
  const isUntold = draft.currency === undefined && (draft.amount ?? draft.net)?.currency === undefined;
  const mayBeWon = isUntold && table.header.isKorean && !table.header.columns.has('foreignAmount');
  return mayBeWon && currency !== 'KRW' && draft.rate?.greaterThan(1) ? { kind: 'no-currency' } : undefined;
};
