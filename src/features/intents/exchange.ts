import type { Decimal } from '#src/kernel/money.ts';
import { type AmountReading, readAmount } from '#src/reading/amounts.ts';
import { currencyNamed, HUNDRED, wordOfHundred } from '#src/reading/currencies.ts';
import type { EntryFields } from '#src/reading/entries.ts';
import { type Call, call, type Intent } from './intent.ts';
import { timeOf } from './trade-day.ts';

/** The received amount comes last: `145만원 환전해서 1000달러 받았어`. */
const EXCHANGED_FOR =
  /\s?환전(?:해서|하여|하고|한 뒤)\s(?<got>[^\n]{1,40}?)[을를]?\s(?:받았|샀|찾았)(?=[어습음다네지는])/u;

/** Rewrites it to `145만원 1000달러로 환전했어`. */
export const withExchangeVerb = (text: string): string =>
  text.replace(EXCHANGED_FOR, (_all, got: string) => ` ${got}로 환전했`);

const moneyIn = (typed = ''): AmountReading | undefined => {
  const read = readAmount(typed);
  const isMoney = read?.value.unit === 'money' && read.value.currency !== undefined && !read.value.isCoin;
  return isMoney && read.value.value.greaterThan(0) ? read : undefined;
};

/** Whether money was bought or sold for other money: `1000달러를 1450원에 샀어`. */
export const isExchange = ({ amount, toAmount, rate }: EntryFields): boolean => {
  const [one, other] = [moneyIn(amount), moneyIn(toAmount ?? rate)];
  return one !== undefined && other !== undefined && one.value.currency !== other.value.currency;
};

/** Whether the amount is the price of a trade: `145만원에`, `145만원으로`, `for 1,450,000 won`. */
const isPrice = (text: string, typed: string): boolean => {
  const at = text.indexOf(typed);
  return (
    /^(?:에(?!서)|으?로)(?!\p{L})/u.test(text.slice(at + typed.length)) ||
    /\b(?:at|for|with) {1,2}$/iu.test(text.slice(0, at))
  );
};

/** Marks the received currency: `1000달러로 환전`, `원화로 바꿨`. */
const INTO = /으?로 {0,2}(?:전부 |모두 |다 )?(?:환전|바꿨)/u;
const HANGUL = /\p{Script=Hangul}/u;

type Way = 'given' | 'received' | 'unknown';

/** Whether the first amount was given or received. */
const wayOf = (
  told: 'fx' | 'buy' | 'sell',
  text: string,
  { amount = '', toAmount, toCurrency }: EntryFields,
): Way => {
  if (told !== 'fx') {
    const isBought = told === 'buy';
    if (toAmount === undefined) return isBought ? 'received' : 'given';
    const [isFirst, isSecond] = [isPrice(text, amount), isPrice(text, toAmount)];
    if (isFirst === isSecond) return 'unknown';
    return isFirst === isBought ? 'given' : 'received';
  }
  // English names the given amount first, and in Korean won is given.
  if (!HANGUL.test(text)) return 'given';
  const into = INTO.exec(text);
  const isInto = (typed: string): boolean => into !== null && text.slice(0, into.index).endsWith(typed);
  if (isInto(amount)) return 'received';
  const isWon = readAmount(amount)?.value.currency === 'KRW';
  const isSaid = (toAmount !== undefined && isInto(toAmount)) || (toCurrency !== undefined && into !== null);
  return isWon || isSaid ? 'given' : 'unknown';
};

/** The price of an amount at this rate. Koreans quote the price of a hundred yen. */
const paidFor = (bought: AmountReading, rate: AmountReading): Decimal | undefined => {
  const { currency = '' } = bought.value;
  const isByHundred = wordOfHundred(currency) !== undefined;
  if (isByHundred && rate.value.value.lessThan(HUNDRED)) return undefined;
  const each = isByHundred ? rate.value.value.dividedBy(HUNDRED) : rate.value.value;
  const decimals = currencyNamed(rate.value.currency ?? '')?.decimals ?? 2;
  return bought.value.value.times(each).toDecimalPlaces(decimals);
};

const recorded = (
  given: Decimal,
  currency: string | undefined,
  to: Readonly<Record<'toAmount' | 'toCurrency' | 'rate', string | undefined>>,
  { time, fee, tax }: EntryFields,
  date: string,
): Call =>
  call('record_transaction', {
    kind: 'fx',
    amount: given.toFixed(),
    currency,
    ...to,
    // An exchange has no fee or tax; the portfolio explains that.
    fee,
    tax,
    date,
    time: timeOf(time),
  });

/** The entry of a currency exchange. `which-way`: the text does not say which amount was given. */
export const exchangeCall = (
  told: 'fx' | 'buy' | 'sell',
  text: string,
  fields: EntryFields,
  date: string,
): Intent => {
  const first = readAmount(fields.amount ?? '');
  const second = readAmount(fields.toAmount ?? '');
  const rate = second ? null : readAmount(fields.rate ?? '');
  const firstCurrency = first?.value.currency;
  const secondCurrency = second?.value.currency ?? currencyNamed(fields.toCurrency ?? '')?.code;
  const isWhole =
    firstCurrency !== undefined && (rate !== null || (second !== null && secondCurrency !== undefined));
  if (!first || !isWhole || secondCurrency === firstCurrency) return { kind: 'trade' };
  const way = wayOf(told, text, fields);
  if (way === 'unknown') return { kind: 'which-way' };
  if (way === 'given')
    return recorded(
      first.value.value,
      firstCurrency,
      {
        toAmount: second?.value.value.toFixed(),
        toCurrency: secondCurrency,
        rate: fields.rate,
      },
      fields,
      date,
    );
  const received = {
    toAmount: first.value.value.toFixed(),
    toCurrency: firstCurrency,
    rate: undefined,
  };
  if (second)
    return recorded(second.value.value, secondCurrency, { ...received, rate: fields.rate }, fields, date);
  const paid = rate?.value.currency === undefined ? undefined : paidFor(first, rate);
  return paid && rate?.value.currency !== firstCurrency
    ? recorded(paid, rate?.value.currency, received, fields, date)
    : { kind: 'trade' };
};
