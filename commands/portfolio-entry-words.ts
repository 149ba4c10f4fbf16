import type { CommandFlags } from '#src/core/command.ts';
import type { SymbolSearch } from '#src/core/finance.ts';
import type { TransactionKind } from '#src/core/ledger.ts';
import { MAX_NAME_WORDS } from '#src/language/name-scan.ts';
import type { RecordRequest } from '#src/core/personal-desk.ts';
import {
  COMPACT_DATE,
  COUNTED,
  IS_PRICED,
  isDateWord,
  isNumberWord,
  joinWords,
  MONEY,
  RATIO,
  WORTH,
} from './portfolio-word-shapes.ts';

type Field = Exclude<keyof RecordRequest, 'kind' | 'portfolio' | 'isSure'>;
type Fields = Partial<Record<Field, string>>;

type EntryWords =
  | { readonly status: 'ok'; readonly request: RecordRequest }
  /** Words that nobody understands: rather nothing is recorded than something else. */
  | { readonly status: 'left-over'; readonly typed: string };

/** What a word says about the number behind it. */
const LABELS: ReadonlyMap<string, Field> = new Map(
  Object.entries({
    fee: ['fee', 'fees', 'commission', '수수료'],
    tax: ['tax', 'taxes', '세금', '제세금', '거래세'],
    rate: ['rate', '환율'],
    price: ['price', '단가', '가격', '체결가', '주당', '개당', '@'],
    total: ['total', 'for', '총', '총액', '총금액', '합계', '합쳐서'],
    quantity: ['quantity', 'qty', '수량'],
    amount: ['amount', '금액', '배당금'],
    date: ['date', 'on', '날짜', '거래일'],
    ratio: ['ratio', '비율'],
  } satisfies Partial<Record<Field, readonly string[]>>).flatMap(([field, words]) =>
    words.map((word) => [word, field as Field] as const),
  ),
);
/** Said between the things that count. */
const FILLERS =
  /^(?:at|for|of|to|into|in|and|from|was|my|에|를|을|로|으로|에서|씩|한|주|개|좌|shares?|coins?|→|->|=|=>|:)$/iu;
/** A total that is followed by one of these is none. */
const EACH = /^(?:each|apiece|per|당|씩)$/iu;
const ALL = /^(?:all|everything|전량|모두|전부|다|몽땅)$/iu;
const HALF = /^(?:half|절반|반)$/iu;
const CODE = /^[0-9][0-9A-Z]{5}$/iu;
/** Behind a name that is the object of a sentence. */
const PARTICLE = /(?:을|를|은|는|이|가|도)$/u;

interface Found {
  readonly name: readonly string[];
  readonly numbers: readonly string[];
  readonly fields: Fields;
  readonly extra: readonly string[];
}

const isClassified = (word: string): boolean =>
  isNumberWord(word) ||
  RATIO.test(word) ||
  isDateWord(word) ||
  LABELS.has(word.toLowerCase()) ||
  EACH.test(word) ||
  ALL.test(word) ||
  HALF.test(word) ||
  FILLERS.test(word);

/** How many words the name has: `KODEX 200`, `Bank of America` and `T. Rowe Price`, but not `AAPL 10`. */
const nameLength = (words: readonly string[], symbols: Pick<SymbolSearch, 'resolve'>): number => {
  const next = words.findIndex((word, index) => index > 0 && isClassified(word));
  const plain = next === -1 ? words.length : next;
  for (let length = Math.min(MAX_NAME_WORDS, words.length); length > plain; length -= 1) {
    const match = symbols.resolve(words.slice(0, length).join(' '));
    if (match.status === 'unknown') continue;
    const meant = match.status === 'found' ? [match.instrument] : match.choices;
    const isInName = meant.some(({ name }) => {
      const parts = `${name.ko} ${name.en}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return words.slice(plain, length).every((word) => parts.includes(word.toLowerCase()));
    });
    if (isInName) return length;
  }
  return plain;
};

/** As it is listed: `삼성전자를` is 삼성전자. */
const nameOf = (words: readonly string[], symbols: Pick<SymbolSearch, 'resolve'>): readonly string[] => {
  const typed = words.join(' ');
  const stem = typed.replace(PARTICLE, '');
  const isStem =
    stem !== typed &&
    symbols.resolve(typed).status === 'unknown' &&
    symbols.resolve(stem).status !== 'unknown';
  return isStem ? [stem] : words;
};

/** Of a split: the place of its ratio. `11/13` is one only where nothing else could be. */
const ratioPlace = (words: readonly string[]): number => {
  const places = [
    words.findIndex((word) => RATIO.test(word)),
    words.findIndex((word, index) => index > 0 && /\d/u.test(word) && !isDateWord(word)),
    words.findIndex((word) => /^\d+\/\d+$/u.test(word)),
  ];
  return places.find((place) => place !== -1) ?? -1;
};

const find = (
  words: readonly string[],
  kind: TransactionKind,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Found => {
  const fields: Fields = {};
  const numbers: string[] = [];
  const extra: string[] = [];
  let name: readonly string[] = [];
  const isTrade = kind === 'buy' || kind === 'sell';
  const hasName = isTrade || kind === 'dividend' || kind === 'split';
  const ratioAt = kind === 'split' ? ratioPlace(words) : -1;
  // `10주 전부 80만원` is a total, `전부 80,000원` a quantity and a price.
  const isPortion = kind === 'sell' && !words.some((word) => isNumberWord(word) && COUNTED.test(word));
  // `005930` and `ON` are names, where no other word is one.
  const isNameFirst =
    (CODE.test(words[0] ?? '') || !isNumberWord(words[0] ?? '')) && words.slice(1).every(isClassified);
  const isNextNumber = (index: number): boolean => isNumberWord(words[index + 1] ?? '');
  for (let index = 0; index < words.length;) {
    const word = words[index] ?? '';
    const isTotal = isTrade && ALL.test(word) && !isPortion;
    const label = isTotal ? 'total' : LABELS.get(word.toLowerCase());
    const next = words[index + 1];
    if (hasName && name.length === 0 && ((index === 0 && isNameFirst) || !isClassified(word))) {
      const rest = words.slice(index);
      const length = nameLength(rest, symbols);
      name = nameOf(rest.slice(0, length), symbols);
      index += length;
    } else if (index === ratioAt) {
      fields.ratio = word;
      index += 1;
    } else if (label === 'total' && !isNextNumber(index)) {
      // `$1905 total`; `for` alone says nothing.
      const last = /^for$/iu.test(word) ? undefined : numbers.pop();
      if (last !== undefined) fields.total = last;
      index += 1;
    } else if (label !== undefined && next !== undefined && fields[label] === undefined) {
      fields[label] = next;
      index += 2;
    } else {
      if (isPortion && fields.quantity === undefined && (ALL.test(word) || HALF.test(word)))
        fields.quantity = word;
      else if (
        fields.date === undefined &&
        (isDateWord(word) || (COMPACT_DATE.test(word) && numbers.length > 0))
      )
        fields.date = word;
      else if (isTrade && WORTH.test(word) && isNumberWord(word)) fields.total = word;
      else if (isNumberWord(word)) numbers.push(word);
      else if (EACH.test(word) && fields.total !== undefined) {
        fields.price = fields.total;
        delete fields.total;
      } else if (kind === 'fx' && MONEY.test(word) && fields.toCurrency === undefined)
        fields.toCurrency = word;
      else if (!FILLERS.test(word) && !EACH.test(word)) extra.push(word);
      index += 1;
    }
  }
  if (fields.total !== undefined) fields.total = fields.total.replace(WORTH, '');
  return { name, numbers, fields, extra };
};

/** What the numbers without a label are; `left` are those too many. */
const assign = (
  kind: TransactionKind,
  numbers: readonly string[],
  given: Fields,
): { readonly fields: Fields; readonly left: readonly string[] } => {
  const left = [...numbers];
  const take = (is: (word: string) => boolean): string | undefined => {
    const at = left.findIndex(is);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const next = (): string | undefined => left.shift();
  const fields: Record<string, string | undefined> = {};
  if (kind === 'buy' || kind === 'sell') {
    // The one that is counted is the quantity, the one with money the price; else they come in this order.
    const quantity = given.quantity ?? take((word) => COUNTED.test(word));
    const isAsked = given.total === undefined;
    const price = given.price ?? (isAsked ? take((word) => IS_PRICED.test(word)) : undefined);
    fields['quantity'] = quantity ?? next();
    fields['price'] = price ?? (isAsked ? next() : undefined);
  } else if (kind !== 'split') {
    fields['amount'] = given.amount ?? next();
    if (kind === 'fx') fields['toAmount'] = next();
  }
  return { fields: onlyGiven(fields), left };
};

const onlyGiven = (fields: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

const OF_MONEY: ReadonlySet<TransactionKind> = new Set(['deposit', 'withdrawal', 'fee']);
const UNKNOWN_MONEY = /^\p{L}{2,12}$/u;

const FLAGS: readonly Field[] = [
  'name',
  'quantity',
  'price',
  'total',
  'amount',
  'currency',
  'fee',
  'tax',
  'date',
  'ratio',
  'rate',
  'note',
];

/** Which way a split goes: the word says it, or (`as-written`) the order of its two numbers. */
export type SplitDirection = 'more' | 'fewer' | 'as-written';

/** As the desk reads it: what there is afterwards for what was before. */
const ratioFor = (typed: string, direction: SplitDirection): string => {
  const [, first, second = '1'] =
    /^(\d+(?:\.\d+)?)\s*(?:(?::|\/|대|-for-)\s*(\d+(?:\.\d+)?))?배?$/iu.exec(typed) ?? [];
  if (direction === 'as-written' || first === undefined) return typed;
  const isMore = Number(first) >= Number(second);
  return isMore === (direction === 'more') ? `${first}:${second}` : `${second}:${first}`;
};

/** What was typed behind `add`, `sell`, `dividend` and the like, in whatever order, as a request to the desk. */
export const readEntryWords = (
  kind: TransactionKind,
  args: readonly string[],
  flags: CommandFlags,
  portfolio: string | undefined,
  symbols: Pick<SymbolSearch, 'resolve'>,
  direction: SplitDirection = 'as-written',
): EntryWords => {
  const { name, numbers, fields, extra } = find(joinWords(args, kind), kind, symbols);
  const flagged = FLAGS.map((field) => {
    const value = flags.get(field);
    return [field, typeof value === 'string' ? value : undefined] as const;
  });
  const given = { ...fields, ...onlyGiven(Object.fromEntries(flagged)) };
  // `100 XYZ`: that there is no such money is for the desk to say.
  const [word = ''] = extra;
  const isMoney = OF_MONEY.has(kind) && given.currency === undefined && UNKNOWN_MONEY.test(word);
  const isNamed = isMoney && extra.length === 1;
  const assigned = assign(kind, numbers, given);
  const surplus = [...(isNamed ? [] : extra), ...assigned.left];
  if (surplus.length > 0) return { status: 'left-over', typed: surplus.join(' ') };
  return {
    status: 'ok',
    request: {
      kind,
      ...(name.length > 0 && { name: name.join(' ') }),
      ...assigned.fields,
      ...given,
      ...(given.ratio !== undefined && { ratio: ratioFor(given.ratio, direction) }),
      ...(isNamed && { currency: word }),
      ...(portfolio !== undefined && { portfolio }),
      ...(flags.has('yes') && { isSure: true }),
    },
  };
};
