import { datesIn } from '#src/reading/dates.ts';
import { readEntryText } from '#src/reading/entries.ts';
import { portionOf, portionText } from '#src/reading/portions.ts';
import { withoutReadings } from '#src/reading/reading.ts';
import { readExchangeText } from '#src/reading/share-exchanges.ts';
import { readTransferText } from '#src/reading/transfers.ts';
import { readAmount } from '#src/reading/amounts.ts';
import { call, type Intent } from './intent.ts';
import { instrumentNamed, type Lookup } from './lookup.ts';
import { dayOf, PAST_DAY } from './trade-day.ts';

type Kind = 'spin-off' | 'merger' | 'capital-return' | 'transfer-out';

/** Endings of what has happened. */
const DONE =
  /받았|들어왔|나왔|됐|되었|돼서|되어|되면서|바뀌었|받음|배정|입고|옮겼|이체했|이관했|보냈|\b(?:got|received|paid|became|turned into|gave|spun|merged|exchanged|converted|moved|transferred)\b/iu;
const KINDS: readonly (readonly [kind: Kind, pattern: RegExp])[] = [
  [
    'capital-return',
    /(?:자본|원금)\s?환급|감액\s?배당|유상\s?감자|\b(?:return of capital|capital return)\b/iu,
  ],
  ['spin-off', /인적\s?분할|분할\s?상장|스핀\s?오프|\bsp[iu]n(?:-|\s)?off\b/iu],
  ['merger', /합병|주식\s?교환|\bmerge[rd]\b|\b(?:taken over|acquired) by\b/iu],
  [
    'transfer-out',
    /에서\s(?:\S{1,20}\s){0,3}\S{1,20}(?:으로|로|에)\s(?:\S{1,20}\s){0,3}(?:옮겼|이체했|이관했|보냈)|\b(?:moved|transferred) (?:\S{1,20} ){1,8}from (?:\S{1,20} ){1,4}to\b/iu,
  ],
];

/** Words of such a sentence that are neither a name nor a number. */
const WORDS_KO =
  /(?<!\p{L})(?:(?:자본|원금)\s?환급금?|감액\s?배당금?|유상\s?감자|인적\s?분할|분할\s?상장|스핀\s?오프|(?:흡수\s?)?합병|주식\s?교환)(?:\p{L}{0,4})|(?<!\p{L})(?:신주|대신|주식|현금)(?:[를을이가로은는]|으로)?(?=\s|$)|(?<!\p{L})(?:받았|들어왔|나왔|됐|되었|돼서|되어|되면서|바뀌었|바꼈|받음|배정|입고|옮겼|이체했|이관했|보냈|했)\p{L}{0,4}/gu;
const WORDS_EN =
  /\b(?:(?:a |the )?(?:return of capital|capital return|sp[iu]n(?:-|\s)?off|merger|merged)|(?:was |were )?(?:taken over|acquired) by|(?:was |were )?(?:exchanged|converted)|received|got|was paid|were paid|paid|became|turned into|gave me|moved|transferred|plus|i|we|my|me|it|in|as|each|worth|which|out|so|shares of)\b/giu;
/** `3 AVGO for 10 VMW` of a merger. */
const NEW_FOR_OLD =
  /(?<new>\d[\d.,]{0,20} [\p{L}.]{1,20}) for (?:my |the )?(?<old>\d[\d.,]{0,20} [\p{L}.]{1,20})/iu;
/** `39주를`, `10주가`: the particle is no part of the number. */
const PARTICLE = /(?<=\d\s?[주개])(?:[를을이가은는씩로]|으로)(?=\s|$)/gu;
/** `25 GEV from the GE spin-off`, `GEV 25주를 GE에서`: the old company stands first in the ledger's own words. */
const OLD_BEHIND =
  /\b(?:from|in|through)(?: the| my)? (?<en>(?:(?!(?:from|in) )[\p{L}\p{N}.&'-]{1,20} ?){1,4}?)(?:['’]s)? (?=spin|spun)|\s(?<ko>[\p{L}\p{N}.&]{1,20})(?:에서|의)\s/iu;

const isKnown = (name: string | undefined, { symbols }: Lookup): boolean =>
  name !== undefined && instrumentNamed(name, symbols) !== undefined;
/** A company that is gone, or too new, is named by its code or by one word. */
const isOneWord = (name: string | undefined): boolean =>
  /^(?:[A-Z][A-Za-z.]{0,11}|[가-힣A-Z]{2,12})$/u.test(name ?? '');

const exchangeOf = (
  kind: 'spin-off' | 'merger',
  text: string,
  date: string,
  lookup: Lookup,
): Intent | null => {
  const behind = OLD_BEHIND.exec(text);
  const old = behind?.groups?.['en'] ?? behind?.groups?.['ko'];
  const ordered = behind ? `${old ?? ''} ${text.replace(behind[0], ' ')}` : text;
  const words = ordered
    .replace(NEW_FOR_OLD, '$<old> $<new>')
    .replaceAll(WORDS_KO, ' ')
    .replaceAll(WORDS_EN, ' ')
    .replaceAll(/,(?!\d{3})|[.:;]\s|(?<=\s)(?:에서|의)(?=\s)/gu, ' ');
  const read = readExchangeText(words, lookup.symbols);
  if (read.status !== 'ok') return null;
  const { name, toName, amount, price, ...others } = read.fields;
  const isNamed = [name, toName].every((each) => isKnown(each, lookup) || isOneWord(each));
  if (!isNamed || !(isKnown(name, lookup) || isKnown(toName, lookup)) || !others.toQuantity) return null;
  const [paid, each] = [amount, price].map((typed) => readAmount(typed ?? '')?.value);
  return call('record_transaction', {
    ...others,
    kind,
    symbol: name,
    toName,
    amount: paid?.value.toFixed(),
    price: each?.value.toFixed(),
    currency: paid?.currency ?? each?.currency,
    date,
  });
};

const returnOf = (text: string, date: string, lookup: Lookup): Intent | null => {
  const words = text.replaceAll(WORDS_KO, ' ').replaceAll(WORDS_EN, ' ');
  const read = readEntryText('capital-return', words, lookup.symbols);
  if (read.status !== 'ok' || !isKnown(read.fields.name, lookup)) return null;
  const paid = readAmount(read.fields.amount ?? '')?.value;
  if (paid?.unit !== 'money') return null;
  const { name: symbol, quantity } = read.fields;
  const { currency } = paid;
  return call('record_transaction', {
    kind: 'capital-return',
    symbol,
    quantity: readAmount(quantity ?? '')?.value.value.toFixed(),
    amount: paid.value.toFixed(),
    currency,
    date,
  });
};

const transferOf = (text: string, date: string, lookup: Lookup): Intent | null => {
  const words = text.replaceAll(WORDS_KO, ' ').replaceAll(WORDS_EN, ' ').split(/\s+/u).filter(Boolean);
  const { from: portfolio, to: toPortfolio, ...read } = readTransferText(words, {}, lookup.symbols);
  if (read.status !== 'ok' || portfolio === undefined || toPortfolio === undefined) return null;
  const { name: symbol, quantity, amount } = read.fields;
  const money = readAmount(amount ?? '')?.value;
  const portion = portionOf(quantity);
  const pieces = portion ? portionText(portion) : readAmount(quantity ?? '')?.value.value.toFixed();
  if (symbol === undefined ? money?.currency === undefined : !isKnown(symbol, lookup) || !pieces) return null;
  return call('record_transaction', {
    kind: 'transfer-out',
    symbol,
    quantity: symbol === undefined ? undefined : pieces,
    amount: money?.value.toFixed(),
    currency: money?.currency,
    portfolio,
    toPortfolio,
    date,
  });
};

/**
 * Reads `GE에서 GEV 25주 인적분할로 받았어, 원가 19.8%`, `10 VMW became 3 AVGO in the merger` or `moved 5 AAPL from main to
 * pension`. Null for other text; the portfolio asks for what is missing.
 */
export const readShareMove = (
  written: string,
  lookup: Lookup,
  today: Temporal.PlainDate | undefined,
): Intent | null => {
  const kind = DONE.test(written) ? KINDS.find(([, pattern]) => pattern.test(written))?.[0] : undefined;
  if (kind === undefined || !today) return null;
  const days = datesIn(written, today, PAST_DAY);
  const [first] = days;
  const day = dayOf(first && written.slice(first.start, first.end), today);
  if ('kind' in day || days.length > 1) return { kind: 'kind' in day ? day.kind : 'which-day' };
  const text = withoutReadings(written, days).replaceAll(PARTICLE, '').replaceAll(/\s+/gu, ' ');
  switch (kind) {
    case 'spin-off':
    case 'merger':
      return exchangeOf(kind, text, day.date, lookup);
    case 'capital-return':
      return returnOf(text, day.date, lookup);
    case 'transfer-out':
      return transferOf(text, day.date, lookup);
  }
  return kind satisfies never;
};
