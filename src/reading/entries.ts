import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { isOfMoney, isOfShares, type TransactionKind } from '#src/kernel/market/ledger.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { type AmountReading, amountsIn } from './amounts.ts';
import { currencyNamed } from './currencies.ts';
import { MAX_NAME_WORDS } from './name-scan.ts';
import { stemsOf } from './particles.ts';
import { isAll, isSamePortion, portionIn, portionOf, FRACTION_SIGNS } from './portions.ts';
import { ratioText, type SplitDirection, ratioIn, slashedRatioIn } from './ratios.ts';
import { withoutReadings, foldWidth } from './reading.ts';
import { Decimal } from '#src/kernel/money.ts';
import { datesIn, SOME_DAY } from './dates.ts';
import { timesIn } from './times.ts';

/** The fields of a portfolio entry, as written. */
export type EntryFields = Partial<
  Record<Exclude<keyof RecordRequest, 'kind' | 'portfolio' | 'isSure' | 'isRefund' | 'isOpening'>, string>
>;

export type EntryText =
  | { readonly status: 'ok'; readonly fields: EntryFields }
  /** Some words were not understood, so nothing is recorded. */
  | { readonly status: 'left-over'; readonly typed: string }
  /** A portion such as `half` or `all` outside a sale. */
  | { readonly status: 'portion'; readonly typed: string }
  /** `1/3 180`: a third of a share, or a date. */
  | { readonly status: 'fraction-or-day'; readonly typed: string };

type Field = keyof EntryFields;

/** Words before an amount that name its field. */
const LABELS: readonly (readonly [field: Field, pattern: RegExp])[] = (
  [
    ['fee', 'fees?|commission|수수료'],
    ['tax', 'tax(?:es)?|제?세금|거래세'],
    ['rate', '(?:exchange )?rate|환율'],
    ['price', 'price|가격|체결가'],
    ['total', 'total|총금액|for'],
    ['quantity', 'quantity|qty|수량'],
    ['amount', 'amount|금액|배당금'],
  ] as const
).map(([field, words]) => [
  field,
  new RegExp(`(?<![\\p{L}\\d])(?:${words})(?:[은는이가]|:|=| of| was)?\\s{0,2}$`, 'iu'),
]);
/** `$1.5 tax`, `3천원 수수료`. In `10달러 수수료 3달러` the label belongs to the next amount. */
const LABEL_BEHIND =
  /^ ?(?:in |of )?(?:(?<fee>fees?|commission|수수료)|tax(?:es)?|세금|거래세)(?![\p{L}\d]| ?[:=]? ?[\d$₩€])/iu;

const FILLER =
  /^(?:at|for|of|to|into|in|and|from|with|was|my|the|an?|on|each|apiece|per|에|를|을|로|으로|에서|씩|한|주|개|좌|당|shares?|coins?|→|->|=|=>|:|@|date|날짜|거래일|total|총|합계|합쳐서|다해서|x|×|account|계좌)$/iu;
/** `$1905 of AAPL` is a total. */
const OF_AFTER = /^\s{1,4}of\s/iu;
const ALL_BEFORE = /(?<![\p{L}\d])(?:모두|전부|다)\s{1,2}$/u;
const QUANTITY_LABEL = /^(?:quantity|qty|수량)[은는이가:=]?$/iu;
const SLASHED_DAY = /^\d{1,2}\/\d{1,2}$/u;
/** `005930`, `0000A0`: codes that look like numbers. */
const CODE = /^[0-9][0-9A-Z]{5}$/iu;
const UNKNOWN_MONEY = /^\p{L}{2,12}$/u;
const isSaid = ({ text }: Word): boolean => FILLER.test(text) || portionOf(text) !== undefined;
const isLabel = ({ text }: Word): boolean => LABELS.some(([, pattern]) => pattern.test(text));

type Symbols = Pick<SymbolSearch, 'resolve'>;

/** Numbers and fillers may be part of a name: `KODEX 200`, `Bank of America`, `T. Rowe Price`. */
const longestName = (words: readonly Word[], plain: number, symbols: Symbols): number => {
  for (let length = Math.min(MAX_NAME_WORDS, words.length); length > plain; length -= 1) {
    const run = words.slice(0, length).map(({ text }) => text);
    const match = symbols.resolve(run.join(' '));
    if (match.status === 'unknown') continue;
    const meant = match.status === 'found' ? [match.instrument] : match.choices;
    const isInName = meant.some(({ name }) => {
      const parts = `${name.ko} ${name.en}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return run.slice(plain).every((word) => parts.includes(word.toLowerCase()));
    });
    if (isInName) return length;
  }
  return plain;
};

interface Name extends PartSpan {
  readonly text: string;
}

/** Removes particles: `삼성전자를` → 삼성전자. */
const listedAs = (typed: string, symbols: Symbols): string =>
  stemsOf(typed).find((stem) => symbols.resolve(stem).status !== 'unknown') ?? typed;

/** `isNeeded`: if no other word can be the name, the first one is. */
const nameIn = (
  text: string,
  { words, amounts }: EntryParts,
  symbols: Symbols,
  isNeeded: boolean,
): Name | undefined => {
  const all = wordsIn(text);
  const first = words.find((word) => !isSaid(word) && !isLabel(word));
  const [only] = all;
  // In `005930 10 71000`, `ON 10 60` and `3M 5 100`, no other word can be the name.
  const isName =
    isNeeded &&
    only !== undefined &&
    (CODE.test(only.text) ||
      !/^[\d+.-]/u.test(only.text) ||
      (amounts.length > 2 && symbols.resolve(only.text).status === 'found'));
  const start = first?.start ?? (isName ? only.start : undefined);
  if (start === undefined) return undefined;
  const behind = all.flatMap((word) =>
    word.end <= start ? [] : [{ ...word, start: Math.max(start, word.start) }],
  );
  const rest = behind.map((word, index) =>
    index === 0 && first ? { ...word, end: first.end, text: first.text } : word,
  );
  const isFree = (word: Word): boolean =>
    words.some(
      (each) => each.start === word.start && each.end === word.end && !isSaid(each) && !isLabel(each),
    );
  const next = rest.findIndex((word, index) => index > 0 && !isFree(word));
  const plain = next === -1 ? rest.length : next;
  const length = longestName(rest, Math.max(1, plain), symbols);
  const run = rest.slice(0, length);
  const end = run.at(-1)?.end ?? start;
  return { start, end, text: listedAs(run.map((word) => word.text).join(' '), symbols) };
};

interface Label extends PartSpan {
  readonly field: Field;
}

/** The label before or after an amount. */
const labelOf = (text: string, { start, end }: PartSpan): Label | undefined => {
  const lead = text.slice(Math.max(0, start - MAX_LABEL), start);
  for (const [field, pattern] of LABELS) {
    const before = pattern.exec(lead);
    if (before) return { field, start: start - lead.length + before.index, end: start };
  }
  const behind = LABEL_BEHIND.exec(text.slice(end, end + MAX_LABEL));
  const field = behind?.groups?.['fee'] === undefined ? 'tax' : 'fee';
  return behind ? { field, start: end, end: end + behind[0].length } : undefined;
};

const isWithin = (part: PartSpan, whole: PartSpan): boolean =>
  part.start >= whole.start && part.end <= whole.end;

/** No currency is worth more won: `147만원에` is the amount received, `1,470원에` a rate. */
const MAX_RATE = 10_000;
const AT_BEFORE = /(?<!\p{L})at\s{1,2}$/iu;
const AT_BEHIND = /^에(?!서)/u;

/** `at 290`, `290에`. */
const isAtPrice = (text: string, { start, end }: PartSpan): boolean =>
  AT_BEFORE.test(text.slice(Math.max(0, start - MAX_LABEL), start)) || AT_BEHIND.test(text.slice(end));

/** `1000달러 1470원에`, `1000 dollars at 1470 won`: a rate, not the amount received. */
const isRate = (text: string, amount: AmountReading): boolean =>
  amount.value.value.lessThan(MAX_RATE) && (amount.value.basis === 'each' || isAtPrice(text, amount));

/** The field of an unlabelled amount, from its context: in `$580 of AAPL at 290`, 290 is not a quantity. */
const placeOf = (kind: TransactionKind, text: string, amount: AmountReading): Field | undefined => {
  if (kind === 'fx') return isRate(text, amount) ? 'rate' : undefined;
  const isBare = amount.value.unit === 'none' && amount.value.basis === undefined;
  const isTrade = kind === 'buy' || kind === 'sell' || kind === 'rights';
  return isTrade && isBare && isAtPrice(text, amount) ? 'price' : undefined;
};

const isCounted = ({ value: { unit } }: AmountReading): boolean => unit === 'pieces';
const isPriced = ({ value: { unit, basis } }: AmountReading): boolean => unit === 'money' || basis === 'each';
const isUsable = ({ value: { unit }, isConflicting }: AmountReading): boolean =>
  !isConflicting && (unit === 'money' || unit === 'none' || unit === 'pieces');

const MAX_RATIO = 1_000_000;
const isRatio = ({ value: { unit, value, isSigned } }: AmountReading): boolean =>
  (unit === 'none' || unit === 'times' || unit === 'pieces') && !isSigned && value.greaterThan(0);

/** Assigns unlabelled amounts to fields. The rest stay in the list. */
const assign = (
  kind: TransactionKind,
  amounts: AmountReading[],
  given: EntryFields,
  slice: (span: PartSpan) => string,
): EntryFields => {
  const fields: EntryFields = {};
  const take = (is: (amount: AmountReading) => boolean): string | undefined => {
    const at = amounts.findIndex((amount) => isUsable(amount) && is(amount));
    const [taken] = at === -1 ? [] : amounts.splice(at, 1);
    return taken && slice(taken);
  };
  const set = (field: Field, value: string | undefined): void => {
    if (value !== undefined) fields[field] = value;
  };
  if (kind === 'buy' || kind === 'sell' || kind === 'rights') {
    if (given.total === undefined)
      set(
        'total',
        take(({ value }) => value.basis === 'total'),
      );
    // A counted amount is the quantity and a currency amount the price; otherwise they come in this order.
    if (given.quantity === undefined) set('quantity', take(isCounted));
    if (given.price === undefined) set('price', take(isPriced));
    if (given.quantity === undefined && fields.quantity === undefined)
      set(
        'quantity',
        take((amount) => !isPriced(amount)),
      );
    if (given.price === undefined && fields.price === undefined)
      set(
        'price',
        take((amount) => !isCounted(amount)),
      );
  } else if (kind !== 'split') {
    if ((kind === 'cash-in-lieu' || kind === 'capital-return') && given.quantity === undefined)
      set('quantity', take(isCounted));
    if (given.amount === undefined)
      set(
        'amount',
        take(() => true),
      );
    if (kind === 'fx' && given.toAmount === undefined)
      set(
        'toAmount',
        take(() => true),
      );
  }
  return fields;
};

/** `0.1 BTC` is both quantity and instrument. */
const coinIn = (amounts: readonly AmountReading[]): AmountReading | undefined =>
  amounts.find(({ value }) => value.isCoin && value.basis === undefined);

/**
 * Parses the description of a trade, dividend, split or transfer in any order. `given` holds fields known from
 * command options. Never throws; names are looked up only to find their end.
 */
export const readEntryText = (
  kind: TransactionKind,
  typed: string,
  symbols: Symbols,
  given: EntryFields = {},
  direction: SplitDirection = 'as-written',
): EntryText => {
  // `½ of AAPL` is a share of the holding in a sale, and half a share in a purchase.
  const part = kind === 'sell' ? portionIn(typed) : undefined;
  const whole = normalizeForms(part ? withoutReadings(typed, [part]) : typed);
  const isTrade = kind === 'buy' || kind === 'sell' || kind === 'rights';
  const first = splitEntryText(whole, kind);
  const isNamed = (isOfShares(kind) || kind === 'tax') && given.name === undefined;
  const name = isNamed ? nameIn(whole, first, symbols, kind !== 'tax') : undefined;
  const text = name ? withoutReadings(whole, [name]) : whole;
  const { ratio, dates, times, amounts: found, words } = name ? splitEntryText(text, kind) : first;
  const slice = ({ start, end }: PartSpan): string => text.slice(start, end).trim();
  const fields: EntryFields = { ...(name && { name: name.text }) };
  const amounts = [...found];
  /** Labels that are already assigned. */
  const used: PartSpan[] = [];
  const surplus: string[] = [];
  /** An amount with its label after it, such as `$1.5 fee`. */
  let charge: string | undefined;

  const canBeCoin = isTrade && !name && given.name === undefined && given.quantity === undefined;
  const coin = canBeCoin ? coinIn(amounts) : undefined;
  if (coin) {
    amounts.splice(amounts.indexOf(coin), 1);
    fields.name = coin.value.currency ?? '';
    fields.quantity = coin.value.value.toFixed();
  }
  const hasCount = amounts.some(isCounted) || kind !== 'sell';
  for (const amount of found) {
    const label = labelOf(text, amount);
    const named = label?.field ?? placeOf(kind, text, amount);
    // `10주 전부 80만원` is a total, `전부 80,000원` a quantity and a price.
    const isOfAll = amount.value.unit === 'money' && OF_AFTER.test(text.slice(amount.end, amount.end + 7));
    const all = hasCount ? ALL_BEFORE.exec(text.slice(0, amount.start)) : null;
    if (all) used.push({ start: all.index, end: amount.start });
    const isTotal = isTrade && (isOfAll || all !== null);
    // For a fee or tax entry, the same label means the amount.
    const said = (kind === 'fee' || kind === 'tax') && named === kind ? 'amount' : named;
    if (label) used.push(label);
    if (label?.start === amount.end) charge = text.slice(amount.start, label.end).trim();
    const field = isTotal
      ? 'total'
      : said === 'total' && (!isTrade || amount.value.basis === 'each')
        ? undefined
        : said;
    if (field === undefined || !amounts.includes(amount)) continue;
    amounts.splice(amounts.indexOf(amount), 1);
    // A second fee is not a price.
    if (fields[field] === undefined && given[field] === undefined) fields[field] = slice(amount);
    else surplus.push(text.slice(label?.start ?? amount.start, amount.end).trim());
  }
  const [date] = given.date === undefined ? dates : [];
  if (date) fields.date = slice(date);
  const [time] = given.time === undefined ? times : [];
  if (time) fields.time = slice(time).replace(TIME_WORD, '');
  if (ratio && given.ratio !== undefined) surplus.push(slice(ratio));
  else if (ratio) fields.ratio = ratioText(slice(ratio), direction);
  else if (kind === 'split' && given.ratio === undefined) {
    const [single] = amounts.splice(0, 1);
    if (single) fields.ratio = singleRatio(single, direction) ?? slice(single);
  }

  const isPortion = kind === 'sell' && given.quantity === undefined && !amounts.some(isCounted);
  const portions = [
    ...(part ? [part] : []),
    ...words.filter((word) => portionOf(word.text) && !used.some((each) => isWithin(word, each))),
  ];
  const [portion] = isPortion && fields.quantity === undefined ? portions : [];
  if (portion) fields.quantity = portion.text;
  const extra: string[] = [];
  for (const word of words) {
    if (
      kind === 'fx' &&
      fields.toCurrency === undefined &&
      given.toCurrency === undefined &&
      currencyNamed(stemsOf(word.text).at(-1) ?? '')
    )
      fields.toCurrency = stemsOf(word.text).find((stem) => currencyNamed(stem)) ?? word.text;
    else if (!isSaid(word) && !used.some((each) => isWithin(word, each))) {
      const isOfPortion = portion !== undefined && QUANTITY_LABEL.test(word.text);
      if (!isOfPortion) extra.push(word.text);
    }
  }
  const [unknown = ''] = extra;
  const isMoney =
    isOfMoney(kind) &&
    kind !== 'fx' &&
    extra.length === 1 &&
    given.currency === undefined &&
    found.every(({ value }) => value.currency === undefined) &&
    UNKNOWN_MONEY.test(unknown);
  if (isMoney) fields.currency = unknown;
  const known = { ...fields, ...given };
  const [only, ...more] = amounts;
  const isUnclear =
    isTrade &&
    date &&
    only?.value.unit === 'none' &&
    more.length === 0 &&
    date.end <= only.start &&
    SLASHED_DAY.test(slice(date)) &&
    (known.quantity ?? known.price ?? known.total) === undefined;
  if (isUnclear) return { status: 'fraction-or-day', typed: slice(date) };
  const all = { ...assign(kind, amounts, known, slice), ...fields };
  const taken = portionOf(portion?.text);
  const stray = portions.find(({ text: said }) => isStray(portionOf(said), taken, all));
  if (stray && kind !== 'sell') return { status: 'portion', typed: stray.text };
  if (stray) surplus.push(stray.text);
  // In `AAPL 10 270 fee`, 270 may be the price of an entry with a missing fee.
  const isPriced = (all.price ?? given.price ?? all.total ?? given.total) !== undefined;
  if (isTrade && charge !== undefined && !isPriced) surplus.push(charge);
  surplus.push(
    ...(isMoney ? [] : extra),
    ...amounts.map(slice),
    ...[...dates.filter((each) => each !== date), ...times.filter((each) => each !== time)].map(slice),
  );
  // In `some of TSLA`, the word taken for the name is the one not understood.
  const isKnown = ({ text: said }: { readonly text: string }): boolean =>
    symbols.resolve(said).status !== 'unknown';
  const isMisnamed = name && !isKnown(name) && extra.some((text) => isKnown({ text }));
  if (isMisnamed) return { status: 'left-over', typed: name.text };
  return surplus.length > 0
    ? { status: 'left-over', typed: surplus.join(' ') }
    : { status: 'ok', fields: all };
};

/** Undefined for an invalid ratio, which stays as written, for the error message. */
const singleRatio = (single: AmountReading, direction: SplitDirection): string | undefined => {
  const { value } = single.value;
  return isRatio(single) && value.lessThan(MAX_RATIO) ? ratioText(value.toFixed(), direction) : undefined;
};

/** `10주 다 합쳐서 80만원` counts all shares once; `전량 다` says it twice. */
const isStray = (
  told: ReturnType<typeof portionOf>,
  taken: ReturnType<typeof portionOf>,
  { total, quantity }: EntryFields,
): boolean => {
  if (!told) return false;
  const isCountedAll = isAll(told) && total !== undefined && quantity !== undefined;
  return !isCountedAll && !(taken && isSamePortion(told, taken));
};

interface PartSpan {
  readonly start: number;
  readonly end: number;
}

interface Word extends PartSpan {
  readonly text: string;
}

/** Longer than any label of an amount. */
const MAX_LABEL = 20;
const COMPACT = /^\d{8}$/u;

/** `half a share`, `반 주`. */
const HALF_PIECE = /(?<![\p{L}\d])(?:half (?:an? |of (?:an? )?)?(?:share|coin)|반 ?주|반 ?개)(?!\p{L})/giu;
/** `½`, `1½`. */
const SIGNED_FRACTION = new RegExp(
  `(?<whole>\\d{1,6} ?)?(?<sign>[${Object.keys(FRACTION_SIGNS).join('')}])`,
  'gu',
);
/** `1/3 주`, `3/4 of a share`: with a unit after it, it is not a date. */
const COUNTED_FRACTION =
  /(?<![\p{L}\d./])(?<over>\d{1,4})\/(?<under>\d{1,4})(?= ?(?:주(?![가-힣])|개(?![가-힣])|좌|코인|of an? |shares?|coins?|units?|pieces?))(?: of an?(?= ))?/giu;
/** The precision of coins; brokers use six for shares. */
const FRACTION_DECIMALS = 8;

const fraction = (over: string, under: string, whole = '0'): string =>
  new Decimal(over).dividedBy(under).plus(whole.trim()).toDecimalPlaces(FRACTION_DECIMALS).toFixed();

/** `72p`, `72.5 pence`, `72펜스`: prices in London. */
const PENCE = /(?<![\p{L}\d.,])(?<number>\d{1,9}(?:\.\d{1,6})?)(?:p| ?pence| ?펜스)(?![\p{L}\d])/giu;

/** Converts pence to pounds, the ledger's unit. */
const withPounds = (text: string): string =>
  text.replaceAll(PENCE, (_all, number: string) => `£${new Decimal(number).dividedBy(100).toFixed()}`);

/** Remarks in brackets: `(수수료 150원)`, `(fee 1)`. */
const BRACKETED_REMARK =
  /\((?<inside>(?:an? )?(?:[$₩€]?[\d.,]{1,15}원? ?)?(?:fees?|commission|tax(?:es)?|수수료|세금|거래세|환율|(?:exchange )?rate)(?![\p{L}\d])[^()\n]{0,30})\)/giu;
/** `수수료 없음`, `no fees`. */
const NO_COST =
  /(?:with )?\b(?:no|zero|without(?: an?y?)?) (?:(?<feeEn>fees?|commission)|tax(?:es)?)(?!\p{L})|(?<!\p{L})(?:(?<feeKo>수수료)|세금)[는은]? ?없(?:음|이|었음|었어요?|었습니다|어요?|습니다)(?!\p{L})/giu;

/** `어젯밤 11시`, `last night at 11:40`. An hour after midnight may belong to either day, so the person is asked. */
const LAST_NIGHT_KO = /어젯밤(?=\s{0,2}(?:[6-9]|1[01]|여섯|일곱|여덟|아홉|열|열한)\s?시)/gu;
const LAST_NIGHT_EN = /\blast night,? (?:at )?(?<time>(?:[6-9]|1[01]):[0-5]\d)(?! ?[ap]\.?m)/giu;

/**
 * Rewrites colloquial forms for the other readers: pence as pounds, fractions of a share as decimals (`½`, `반주`,
 * `1/3 shares`), bracketed remarks, and `no fees` as a zero fee. A bare `1/3` stays, because it may be a date.
 */
const normalizeForms = (typed: string): string =>
  withPounds(foldWidth(typed))
    .replaceAll(BRACKETED_REMARK, ' $<inside> ')
    .replaceAll(NO_COST, (...match: readonly unknown[]) => {
      const { feeEn, feeKo } = match.at(-1) as Readonly<Record<string, string | undefined>>;
      return (feeEn ?? feeKo) === undefined ? ' tax 0 ' : ' fee 0 ';
    })
    .replaceAll(LAST_NIGHT_KO, '어제 밤')
    .replaceAll(LAST_NIGHT_EN, 'yesterday $<time>pm')
    .replaceAll(HALF_PIECE, '0.5 shares')
    .replaceAll(SIGNED_FRACTION, (_all, whole: string | undefined, sign: string) => {
      const [over = '1', under = '1'] = (FRACTION_SIGNS[sign] ?? '').split('/');
      return fraction(over, under, whole);
    })
    .replaceAll(COUNTED_FRACTION, (all, over: string, under: string) =>
      Number(under) === 0 ? all : fraction(over, under),
    );

const wordsIn = (text: string): readonly Word[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => {
    const bare = word.replace(/(?<![,;])[,;]+$/u, '');
    return { text: bare, start: index, end: index + bare.length };
  }).filter(({ text: word }) => word !== '');

const overlaps = (a: PartSpan, b: PartSpan): boolean => a.start < b.end && b.start < a.end;

/**
 * Dates. `20261113` is a number if there is no other. `지난달` counts, so that the caller can ask for one day; a year
 * alone is a number.
 */
const daysOf = (text: string): readonly PartSpan[] => {
  const dates = datesIn(text, SOME_DAY, { allowsShort: true, allowsCompact: true }).filter(
    ({ value, start, end }) =>
      value.status === 'impossible' || value.precision === 'day' || /[^\d\s]/u.test(text.slice(start, end)),
  );
  const others = amountsIn(withoutReadings(text, dates));
  return dates.filter(({ start, end }) => others.length > 0 || !COMPACT.test(text.slice(start, end)));
};

interface EntryParts {
  readonly ratio: PartSpan | undefined;
  readonly dates: readonly PartSpan[];
  readonly times: readonly PartSpan[];
  readonly amounts: readonly AmountReading[];
  /** The remaining words. */
  readonly words: readonly Word[];
}

const TIME_WORD = /^(?:time|시각|시간)\s{0,2}[:=]?\s{0,2}/iu;
const TIME_LABEL = /(?<![\p{L}\d])(?:time|시각|시간)\s{0,2}[:=]?\s{0,2}$/iu;
/** `14:30`, `3pm`, `오후 2시 30분`. `PM 10` and `3 PM` are a company and a number. */
const CLOCK = /\d:\d|시|\d[ap]\.?m/iu;

/** Times of day with their label. */
const timesOf = (text: string): readonly PartSpan[] =>
  timesIn(text)
    .map(({ start, end }) => {
      const label = TIME_LABEL.exec(text.slice(Math.max(0, start - MAX_LABEL), start))?.[0] ?? '';
      return { start: start - label.length, end, isTime: label !== '' || CLOCK.test(text.slice(start, end)) };
    })
    .filter(({ isTime }) => isTime);

/** Splits a text into disjoint pieces. */
const splitEntryText = (text: string, kind: TransactionKind): EntryParts => {
  const ratio = kind === 'split' ? ratioIn(text) : undefined;
  const dated = ratio ? withoutReadings(text, [ratio]) : text;
  const dates = daysOf(dated);
  const dayless = withoutReadings(dated, dates);
  const times = timesOf(dayless);
  const counted = withoutReadings(dayless, times);
  const amounts = amountsIn(counted);
  const words = wordsIn(withoutReadings(counted, amounts));
  if (kind !== 'split' || ratio || amounts.length > 0) return { ratio, dates, times, amounts, words };
  const slashed = slashedRatioIn(text);
  return slashed
    ? { ratio: slashed, dates: dates.filter((date) => !overlaps(date, slashed)), times, amounts, words }
    : { ratio, dates, times, amounts, words };
};
