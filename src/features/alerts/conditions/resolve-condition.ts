import type { Instrument, QuoteResult, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type ResolvedNames, resolveNames } from '#src/markets/answers/resolve-names.ts';
import type { ConditionDraft, ReadAlert } from './read-condition.ts';
import type { AlertCondition } from '#src/kernel/people/alerts.ts';
import { Decimal } from '#src/kernel/money.ts';
import { coinIn } from '#src/markets/symbols/coin-pairs.ts';
import { alertTexts } from '../texts.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { Amount } from '#src/reading/amounts.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { levelOfOne } from '#src/markets/answers/rate-line.ts';

type Read = Extract<ReadAlert, { readonly status: 'read' }>;

export type ResolvedAlert =
  | { readonly status: 'found'; readonly instrument: Instrument; readonly draft: ConditionDraft }
  | { readonly status: 'missed'; readonly names: ResolvedNames };

/** `삼성전자가`, `Apple's`. */
const PARTICLE = /(?:이|가|은|는|을|를|의|도|'s)$/u;

/** Splits `삼성전자 유상증자 뉴스` into the name and the keyword behind it. */
const splitNews = (
  { name, draft }: Read,
  symbols: Pick<SymbolSearch, 'resolve'>,
): { readonly name: string; readonly draft: ConditionDraft } | undefined => {
  if (draft.kind !== 'news' || draft.keyword !== '') return undefined;
  const words = name.split(' ');
  for (let count = words.length - 1; count > 0; count -= 1) {
    const head = words.slice(0, count).join(' ');
    if (symbols.resolve(head).status === 'found')
      return { name: head, draft: { kind: 'news', keyword: words.slice(count).join(' ') } };
  }
  return undefined;
};

/** Resolves the name of an alert. For an ambiguous name, each choice repeats the alert with a code. */
export const resolveAlertName = async (
  read: Read,
  symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>,
  locale: Locale,
  commandFor: (code: string) => string,
  signal: AbortSignal,
): Promise<ResolvedAlert> => {
  const bare = read.name.replace(PARTICLE, '');
  const isUnknown = (name: string): boolean => symbols.resolve(name).status === 'unknown';
  const withoutParticle = isUnknown(read.name) && bare !== '' && !isUnknown(bare) ? bare : read.name;
  const split = isUnknown(withoutParticle) ? splitNews(read, symbols) : undefined;
  const names = await resolveNames([split?.name ?? withoutParticle], symbols, locale, commandFor, signal);
  const [instrument] = names.instruments;
  return instrument
    ? { status: 'found', instrument, draft: split?.draft ?? read.draft }
    : { status: 'missed', names };
};

/** A price this many times another one is far from it: a typing error or another currency. */
const FAR_TIMES = 5;
const FAR_RISE_PERCENT = (FAR_TIMES - 1) * 100;
const FAR_FALL_PERCENT = 100 - 100 / FAR_TIMES;

const isNear = (level: Decimal, price: Decimal): boolean =>
  level.lessThanOrEqualTo(price.times(FAR_TIMES)) && level.times(FAR_TIMES).greaterThanOrEqualTo(price);

/** Whether the target is so far from the price that it was hardly meant. Interest rates are near zero, so never far. */
export const isFarOff = (
  condition: AlertCondition,
  { assetClass }: Pick<Instrument, 'assetClass'>,
  price: Decimal,
): boolean => {
  if ('price' in condition) return assetClass !== 'rate' && !isNear(condition.price, price);
  if (condition.kind !== 'change') return false;
  return condition.percent.greaterThan(condition.direction === 'down' ? FAR_FALL_PERCENT : FAR_RISE_PERCENT);
};

/** The currencies that coins are priced in. */
const COIN_CURRENCIES = ['USD', 'KRW'] as const;

/**
 * The pairs that a price may refer to, because a coin is priced in several currencies. A named currency or a named pair
 * (`BTC-USD`) decides; otherwise the pair that was found comes first, then the same coin in other currencies.
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
  const others = COIN_CURRENCIES.map((money) => coinIn(found, money, symbols));
  // An amount in 만 or 억 is more likely won than dollars.
  const pairs = isKorean ? [coinIn(found, 'KRW', symbols), found, ...others] : [found, ...others];
  return pairs.filter(({ symbol }, index) => pairs.findIndex((pair) => pair.symbol === symbol) === index);
};

/** The first pair whose price is near the target; otherwise the first pair. */
export const nearestPair = (
  results: readonly QuoteResult[],
  draft: ConditionDraft,
): QuoteResult | undefined => {
  if (draft.kind !== 'price') return results[0];
  const { value } = draft.amount;
  return results.find((each) => each.status === 'ok' && isNear(value, each.quote.price)) ?? results[0];
};

export type SettledCondition =
  | { readonly status: 'ok'; readonly condition: AlertCondition }
  /** `text` says what to do. */
  | { readonly status: 'problem'; readonly text: string };

const MAX_PRICE = new Decimal('1e12');
const MAX_RATE = 100;
const MAX_DECIMALS = 12;
const MAX_PERCENT = 1_000;
const MAX_FALL_PERCENT = 100;
const RSI = { maxLevel: 100, minDays: 2, maxDays: 100 } as const;
const MAX_AVERAGE_DAYS = 200;
const MAX_MULTIPLE = 1_000;
const MAX_KEYWORD = 50;

type Problems = ReturnType<typeof alertTexts>['problems'];

const ok = (condition: AlertCondition): SettledCondition => ({ status: 'ok', condition });
const problem = (text: string): SettledCondition => ({ status: 'problem', text });

const isBetween = (value: Decimal, low: number, high: Decimal | number): boolean =>
  value.isFinite() && value.greaterThan(low) && value.lessThan(high);

const settlePrice = (
  side: Extract<ConditionDraft, { readonly kind: 'price' }>['side'],
  { value: typed, currency }: Amount,
  instrument: Instrument,
  price: Decimal | undefined,
  locale: Locale,
): SettledCondition => {
  const { problems } = alertTexts(locale);
  const { assetClass } = instrument;
  if (currency !== undefined && currency !== instrument.currency) {
    const wanted = assetClass === 'index' ? quoteTexts(locale).points : instrument.currency;
    const name = shortLabel(instrument, locale);
    return problem(problems.currency({ given: currency, wanted, name }));
  }
  const value = levelOfOne(typed, instrument, price);
  const isRate = assetClass === 'rate';
  const isSensible = isRate ? value.abs().lessThanOrEqualTo(MAX_RATE) : isBetween(value, 0, MAX_PRICE);
  if (!isSensible || value.decimalPlaces() > MAX_DECIMALS)
    return problem(isRate ? problems.rate() : problems.price());
  if (side !== 'reach') return ok({ kind: side, price: value });
  if (!price) return problem(problems.direction());
  return ok({ kind: value.greaterThanOrEqualTo(price) ? 'above' : 'below', price: value });
};

/** `> 5%` and `+5%` rise, `-5%` falls. Undefined if the comparison contradicts the sign. */
const directionOf = ({
  amount,
  side,
  direction,
}: Extract<ConditionDraft, { readonly kind: 'percent' }>): 'up' | 'down' | 'either' | undefined => {
  const bySign = amount.isSigned ? (amount.value.isNegative() ? 'down' : 'up') : undefined;
  if (side?.endsWith('above')) return bySign === 'down' ? undefined : (direction ?? bySign ?? 'up');
  if (side?.endsWith('below')) return bySign === 'down' ? 'down' : undefined;
  return direction ?? bySign ?? 'either';
};

const settlePercent = (
  draft: Extract<ConditionDraft, { readonly kind: 'percent' }>,
  instrument: Instrument,
  price: Decimal | undefined,
  locale: Locale,
): SettledCondition => {
  const { problems } = alertTexts(locale);
  // For a rate, the percentage is the level itself.
  if (instrument.assetClass === 'rate')
    return draft.side
      ? settlePrice(draft.side, { ...draft.amount, unit: 'none' }, instrument, price, locale)
      : problem(problems.rate());
  const direction = directionOf(draft);
  const percent = draft.amount.value.abs();
  const limit = direction === 'down' ? MAX_FALL_PERCENT : MAX_PERCENT + 1;
  if (
    !isBetween(percent, 0, limit) ||
    percent.greaterThan(MAX_PERCENT) ||
    percent.decimalPlaces() > MAX_DECIMALS
  )
    return problem(problems.percent());
  if (!direction) return problem(problems.percentSide());
  if (draft.since === 'day') return ok({ kind: 'change', percent, direction, since: 'day' });
  if (!price) return problem(problems.basePrice());
  return ok({ kind: 'change', percent, direction, since: 'set', basePrice: price });
};

const checked = (
  condition: Exclude<ConditionDraft, { readonly kind: 'price' | 'percent' }>,
  problems: Problems,
): SettledCondition => {
  switch (condition.kind) {
    case 'rsi': {
      const { level, period } = condition;
      const isSensible = isBetween(level, 0, RSI.maxLevel) && period >= RSI.minDays && period <= RSI.maxDays;
      return isSensible && level.decimalPlaces() <= MAX_DECIMALS ? ok(condition) : problem(problems.rsi());
    }
    case 'ma-cross':
    case 'ma-either': {
      const { fast, slow } = condition;
      if (fast < 1 || fast >= slow || slow > MAX_AVERAGE_DAYS) return problem(problems.averages());
      // The direction is corrected once the averages are known.
      return ok(
        condition.kind === 'ma-either' ? { kind: 'ma-cross', fast, slow, direction: 'up' } : condition,
      );
    }
    case 'volume':
      return isBetween(condition.multiple, 1, MAX_MULTIPLE + 1) &&
        condition.multiple.decimalPlaces() <= MAX_DECIMALS
        ? ok(condition)
        : problem(problems.volume());
    case 'news':
      return condition.keyword.length <= MAX_KEYWORD ? ok(condition) : problem(problems.keyword());
    case 'year-high':
    case 'year-low':
      break;
  }
  return ok(condition);
};

/** Completes a condition for its instrument, with the current price if there is one. Rejects senseless numbers. */
export const settleCondition = (
  draft: ConditionDraft,
  instrument: Instrument,
  price: Decimal | undefined,
  locale: Locale,
): SettledCondition => {
  if (draft.kind === 'price') return settlePrice(draft.side, draft.amount, instrument, price, locale);
  if (draft.kind === 'percent') return settlePercent(draft, instrument, price, locale);
  return checked(draft, alertTexts(locale).problems);
};
