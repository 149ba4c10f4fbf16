import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { EarlierCall, SentenceCall } from '#src/kernel/agent/sentence.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { amountsIn } from '#src/reading/amounts.ts';
import { createNameReader, findNames } from '#src/reading/names.ts';
import { readListChoice } from '#src/reading/ordinals.ts';
import { type Call, call, type Intent } from './intent.ts';
import { clausesOf } from './clauses.ts';
import { instrumentNamed, isTakeable, namesIn } from './lookup.ts';
import { ASKS_PRICE } from './read-intent.ts';
import { splitWhen } from './when.ts';
import { readWorthAgain } from './worth.ts';

/** The same question about something else: `그럼 하이닉스는?`, `and Tesla?`, `애플도 알려줘`. */
const LEADS =
  /^(?:(?:아니(?:야|요)?,?\s)?\S{1,20}\s말고|그럼|그러면|그리고|그렇다면|혹시|근데|그런데|and|then|so|for|ok(?:ay)?,?|now|(?:and )?(?:what|how) about|same (?:for|with))\s+/iu;
const ALSO =
  /도(?:요)?(?:\s+(?:좀\s?)?(?:알려|보여|부탁|해|봐)\s?\p{L}{0,9})?\s*[?？!.~]*$|\b(?:too|as well)\s*[?!.]*$/iu;
const TOPIC = /(?:은|는)(?:요)?\s*[?？~]+$|(?:은|는)요?$/u;
const MORE =
  /^(?:좀\s?)?(?:더\s?)?(?:자세히|상세히|자세하게|구체적으로)(?:\s?(?:알려|설명|보여)\s?\p{L}{0,9})?[.!?~]*$|^더\s?(?:알려|보여)\s?\p{L}{0,9}[.!?~]*$|^(?:tell me more|(?:give me )?more (?:details?|info(?:rmation)?)|details?|in (?:more )?detail)(?: please)?[.!?]*$/iu;
/** The words around a new time or amount. */
const BESIDE =
  /^(?:[\s?!.,~]|그럼|그러면|그리고|혹시|and|then|what|how|about|for|the|over|로|으로|은|는|요|이면|면|도|보여\s?줘|알려\s?줘|해\s?줘)*$/iu;

const namesOf = ({ input: { symbols, symbol } }: SentenceCall): readonly string[] =>
  [symbols, symbol].flat().filter((name) => typeof name === 'string');

/** The names of the newest call that has any: `1년 차트` is about them. */
export const lastNames = (calls: readonly SentenceCall[]): readonly string[] =>
  calls.map(namesOf).findLast((names) => names.length > 0) ?? [];

const ONE_NAME: ReadonlySet<string> = new Set([
  'get_history',
  'get_news',
  'get_fundamentals',
  'get_indicators',
]);
const SEVERAL_NAMES: ReadonlySet<string> = new Set([
  'get_quote',
  'make_chart',
  'compare',
  'get_earnings_calendar',
]);
const RANGED: ReadonlySet<string> = new Set(['make_chart', 'compare', 'get_history']);

/** The same call about other names; null if it does not take as many. */
const aboutOthers = ({ tool, input }: SentenceCall, names: readonly string[]): Call | null => {
  const [first] = names;
  if (ONE_NAME.has(tool) && first !== undefined && names.length === 1)
    return call(tool, { ...input, symbol: first });
  if (tool === 'compare') {
    // `and Tesla?` after a comparison adds a name.
    const all = [...new Set([...namesOf({ tool, input }), ...names])];
    return all.length <= 6 ? call(tool, { ...input, symbols: all }) : null;
  }
  return SEVERAL_NAMES.has(tool) ? call(tool, { ...input, symbols: names }) : null;
};

const readTimeAgain = (
  text: string,
  last: SentenceCall,
  today: Temporal.PlainDate | undefined,
): Call | null => {
  const { text: rest, range, period, since } = splitWhen(text.replace(TOPIC, ''), today);
  if ((range === undefined && !period) || !BESIDE.test(rest)) return null;
  const names = namesOf(last).filter(isTakeable);
  const [symbol] = names;
  if (symbol === undefined) return null;
  if (period) {
    const [from, to] = [period.first.toString(), period.last.toString()];
    return names.length === 1 ? call('get_history', { symbol, from, to }) : null;
  }
  const isHistory = last.tool === 'get_history' || !RANGED.has(last.tool);
  if (since && today && isHistory && names.length === 1)
    return call('get_history', { symbol, from: since.toString(), to: today.toString() });
  if (RANGED.has(last.tool)) {
    const { from: _from, to: _to, ...input } = last.input;
    return { ...call(last.tool, { ...input, range }), ...(since && { beside: 'covers' as const }) };
  }
  return names.length === 1
    ? call('get_history', { symbol, range })
    : call('compare', { symbols: names.slice(0, 6), range });
};

const readAmountAgain = (text: string, { tool, input }: SentenceCall): Call | null => {
  const [amount, ...more] = amountsIn(text);
  if (tool !== 'convert_currency' || !amount || more.length > 0) return null;
  if (!BESIDE.test(text.slice(0, amount.start)) || !BESIDE.test(text.slice(amount.end))) return null;
  const { unit, currency, value } = amount.value;
  if ((unit !== 'none' && unit !== 'money') || !value.greaterThan(0)) return null;
  const from = currency ?? input['from'];
  const to = from === input['to'] ? input['from'] : input['to'];
  return call(tool, { ...input, amount: value.toFixed(), from, to });
};

const CORRECTS =
  /^(?:(?:아+|앗|어|엇|아니(?:다|야|요|고)?|미안|잘못\s?(?:썼|적었|쳤|말했)\p{L}{0,3}|no|nope|oops|sorry|wait|i mean(?:t)?|actually|make (?:it|that)|change (?:it|that) to|should be)[,.!\s]+)+/iu;

/** Without the words that correct the message before: `아니 3년은?` asks as 3년은? does. */
export const withoutCorrection = (text: string): string => {
  const rest = text.replace(CORRECTS, '').trim();
  return rest === '' ? text : rest;
};

const AROUND_CORRECTION =
  /^(?:[\s?!.,~]|이?야|이?에요|예요|으로|로|이?었어|였어|주|개|을|를|해\s?줘|to|at|for|it|please|shares?)*$/iu;
/** A corrected number is near to the one that it replaces. */
const NEAR_NUMBER = 5;

const isNearTo = (value: Decimal, earlier: unknown): boolean => {
  if (typeof earlier !== 'string' || !/^\d+(?:\.\d+)?$/u.test(earlier)) return false;
  const ratio = value.dividedBy(earlier).toNumber();
  return ratio < NEAR_NUMBER && ratio > 1 / NEAR_NUMBER;
};

/**
 * Another number in the last trade or alert: `아 35주야`, `make it 95,000`. A trade that is recorded already stays as it is.
 * Null where the number could be another value.
 */
export const readCorrection = (text: string, calls: readonly EarlierCall[]): Intent | null => {
  const rest = text.replace(CORRECTS, '').trim();
  const last = calls.at(-1);
  if (!last || rest === text.trim()) return null;
  const [amount, ...more] = amountsIn(rest);
  if (!amount || more.length > 0 || !amount.value.value.gt(0)) return null;
  const isOnlyNumber =
    AROUND_CORRECTION.test(rest.slice(0, amount.start)) && AROUND_CORRECTION.test(rest.slice(amount.end));
  if (!isOnlyNumber) return null;
  const { value, unit, currency } = amount.value;
  const { tool, input } = last;
  if (tool === 'set_alert') {
    const isPercent = String(input['condition']).endsWith('_percent');
    if (input['value'] === undefined || (unit === 'percent') !== isPercent || unit === 'pieces') return null;
    const told = `${value.toFixed()}${currency === undefined ? '' : ` ${currency}`}`;
    return { ...call(tool, { ...input, value: told }), beside: 'also-set' };
  }
  if (tool !== 'record_transaction') return null;
  const isCount = unit === 'pieces' || (unit === 'none' && isNearTo(value, input['quantity']));
  const isPrice = unit === 'money' || (unit === 'none' && isNearTo(value, input['price']));
  if (isCount === isPrice) return null;
  if (last.isDone) return { kind: 'recorded' };
  const { quantity, price } = input;
  if (isCount) return quantity === undefined ? null : call(tool, { ...input, quantity: value.toFixed() });
  if (price === undefined || (currency !== undefined && currency !== (input['currency'] ?? currency)))
    return null;
  return call(tool, { ...input, price: value.toFixed() });
};

/** A choice from the list that the answer gave for an ambiguous or unknown name: `1`, 두번째. */
const readPick = (text: string, last: SentenceCall, symbols: SymbolSearch): readonly Call[] => {
  for (const name of namesOf(last)) {
    const match = symbols.resolve(name);
    const listed =
      match.status === 'ambiguous' ? match.choices : match.status === 'unknown' ? match.suggestions : [];
    const choice = listed.length > 0 ? readListChoice(text, listed.length) : null;
    const picked = choice?.kind === 'one' ? listed[choice.index] : undefined;
    if (!picked) continue;
    const names = namesOf(last).map((each) => (each === name ? picked.symbol : each));
    const { symbol, ...input } = last.input;
    return [
      call(
        last.tool,
        symbol === undefined ? { ...input, symbols: names } : { ...input, symbol: picked.symbol },
      ),
    ];
  }
  return [];
};

const readMore = (names: readonly string[], symbols: SymbolSearch): readonly Call[] => {
  const symbol = names.find(isTakeable);
  if (symbol === undefined) return [];
  const isCompany = instrumentNamed(symbol, symbols)?.assetClass === 'equity';
  return [
    call(isCompany ? 'get_fundamentals' : 'get_history', { symbol }),
    call('get_indicators', { symbol }),
  ];
};

/** A follow-up of the newest call: other names, another time or amount, or more details. Empty for any other message. */
export const readFollowUp = (
  text: string,
  symbols: SymbolSearch,
  calls: readonly SentenceCall[],
  today: Temporal.PlainDate | undefined,
): readonly Call[] => {
  const last = calls.findLast(
    ({ tool }) => ONE_NAME.has(tool) || SEVERAL_NAMES.has(tool) || tool === 'convert_currency',
  );
  if (!last) return [];
  if (MORE.test(text)) return readMore(lastNames(calls), symbols);
  const pick = readPick(text, last, symbols);
  if (pick.length > 0) return pick;
  const again =
    readTimeAgain(text, last, today) ??
    readAmountAgain(text, last) ??
    readWorthAgain(text, last, namesOf(last).filter(isTakeable));
  if (again) return [again];
  if (!LEADS.test(text) && !ALSO.test(text) && !TOPIC.test(text)) return [];
  // A question of its own is no follow-up: 그럼 테슬라 주가는?
  if (ASKS_PRICE.test(text.replace(LEADS, '')) || clausesOf(text).length > 1) return [];
  const lookup = { symbols, nameIn: createNameReader(symbols) };
  const rest = text.replace(LEADS, '').replace(/\b(?:too|as well)\s*[?!.]*$/iu, '');
  const isOnlyNames = findNames(rest, lookup.nameIn).every(
    ({ kind }) => kind === 'known' || kind === 'unsure',
  );
  const names = isOnlyNames ? namesIn(rest, lookup) : null;
  if (!names || names.length === 0) return [];
  const about = aboutOthers(last, names);
  return about ? [about] : [];
};
