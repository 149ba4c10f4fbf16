import type { CommandFlags } from '#src/kernel/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import type {
  AnalyseRequest,
  RebalanceRequest,
  RecordRequest,
  TaxRequest,
} from '#src/kernel/account-services.ts';
import { amountsIn, readAmount } from '#src/language/amounts.ts';
import { readRange } from '#src/language/history-range.ts';
import type { TransactionKind } from '#src/kernel/ledger.ts';
import { type EntryFields, type EntryText, readEntryText } from '#src/language/entries.ts';
import type { SplitDirection } from '#src/language/ratios.ts';
import { DIRECTIONS, TOLD, type Verb, verbIn } from './portfolio-verbs.ts';

const YEAR = /^\d{2,4}(?:년(?:도|분)?)?$/u;
const FULL_YEAR = /^(?:19|20)\d\d(?:년(?:도|분)?)?$/u;
const BASES: ReadonlyMap<string, 'kr' | 'us'> = new Map([
  ['kr', 'kr'],
  ['korea', 'kr'],
  ['한국', 'kr'],
  ['국내', 'kr'],
  ['us', 'us'],
  ['usa', 'us'],
  ['미국', 'us'],
]);

/** The words that may be an entry or a question. */
const isTaxVerb = (token: string): boolean => /^(?:tax|세금)$/iu.test(token);

/** `tax 2025` and `tax` alone ask for the report of a year; `tax 2 USD` and `tax AAPL 3 USD` are entries. */
const isTaxReport = (tokens: readonly string[], symbols: Pick<SymbolSearch, 'resolve'>): boolean => {
  const others = tokens.filter((token) => !FULL_YEAR.test(token) && !BASES.has(token.toLowerCase()));
  // `tax 2000 KRW`: with a currency it is no year.
  const isMoney = amountsIn(tokens.join(' ')).some(({ value }) => value.unit === 'money');
  return (
    !isMoney &&
    amountsIn(others.join(' ')).length === 0 &&
    others.every((token) => symbols.resolve(token).status !== 'found')
  );
};

/** A number without a currency: a year beside a name (`tax AAPL 2026`), or any number without one (`tax 50`). */
const isUnclearTax = (tokens: readonly string[], symbols: Pick<SymbolSearch, 'resolve'>): boolean => {
  const isNamed = tokens.some((token) => !/^\d/u.test(token) && symbols.resolve(token).status !== 'unknown');
  const amounts = amountsIn(tokens.join(' ')).map(({ value }) => value);
  return (
    amounts.every(({ currency }) => currency === undefined) &&
    (isNamed
      ? tokens.some((token) => FULL_YEAR.test(token)) && amounts.length < 2
      : tokens.every((token) => /^\d/u.test(token)))
  );
};

/** `2025`, `2025년 연금`, `us`. */
const parseTaxArgs = (
  tokens: readonly string[],
  flags: CommandFlags,
  portfolio: string | undefined,
): TaxRequest | { readonly leftOver: string } => {
  const year = tokens.find((token) => YEAR.test(token));
  const country = tokens.find((token) => BASES.has(token.toLowerCase()));
  const basis = flags.has('us') ? 'us' : flags.has('kr') ? 'kr' : BASES.get(country?.toLowerCase() ?? '');
  const [named, ...more] = tokens.filter((token) => token !== year && token !== country);
  if (more.length > 0 || (named !== undefined && portfolio !== undefined))
    return { leftOver: [named, ...more].join(' ') };
  return { year, basis, portfolio: portfolio ?? named };
};

/** What an example can be given of. */
type ExampleOf = TransactionKind | 'undo' | 'preview' | 'history' | 'analyse' | 'tax-report';

interface In {
  readonly portfolio?: string | undefined;
}

/** What somebody wants of their portfolios. */
export type PortfolioArgs =
  | ({ readonly action: 'summary' | 'export' | 'preview' } & In)
  | { readonly action: 'list' | 'help' | 'ranges' }
  | { readonly action: 'record'; readonly request: RecordRequest }
  | ({ readonly action: 'history'; readonly page: number; readonly name?: string } & In)
  | ({ readonly action: 'undo'; readonly number?: number } & In)
  | { readonly action: 'confirm'; readonly code: string; readonly which: 'all' | 'valid' | 'none' }
  | ({
      readonly action: 'actions';
      readonly dismiss?: string;
      readonly restore?: string;
      readonly record?: string;
      readonly isSure?: boolean;
    } & In)
  | { readonly action: 'analyse'; readonly request: Omit<AnalyseRequest, 'isDrawn'> }
  | { readonly action: 'tax-report'; readonly request: TaxRequest }
  | { readonly action: 'rebalance'; readonly request: RebalanceRequest }
  | ({ readonly action: 'target'; readonly text: string } & In)
  | { readonly action: 'create'; readonly name: string; readonly currency?: string | undefined }
  | ({
      readonly action: 'configure';
      readonly setting: 'default' | 'cost' | 'short';
      readonly value?: string;
    } & In)
  | { readonly action: 'remove'; readonly portfolio: string; readonly isSure: boolean }
  /** No word of ours: the name of a portfolio, or of what is in one. */
  | ({ readonly action: 'open'; readonly typed: string } & In)
  /** `tax AAPL 2026`: an amount or a year. */
  | { readonly action: 'tax-unclear'; readonly typed: string }
  /** An entry with `half` or `all` of nothing that is sold, or with `1/3`, a fraction or a day. */
  | {
      readonly action: 'portion' | 'fraction-or-day';
      readonly typed: string;
      readonly of: ExampleOf;
    }
  | { readonly action: 'left-over'; readonly typed: string; readonly of: ExampleOf };

/** `@pension`; `@190` is a price. */
const PORTFOLIO = /^@(\p{L}[\p{L}\p{M}\p{N}_-]*)$/u;

const textOf = (flags: CommandFlags, ...names: readonly string[]): string | undefined =>
  names
    .map((name) => flags.get(name))
    .find((value): value is string => typeof value === 'string' && value !== '');

const WHICH: ReadonlyMap<string, 'all' | 'valid' | 'none'> = new Map([
  ['all', 'all'],
  ['전체', 'all'],
  ['valid', 'valid'],
  ['none', 'none'],
  ['cancel', 'none'],
  ['취소', 'none'],
]);

/** `배당 확인`, `분할 확인`, and `액면분할` with nothing behind it: which there were, not one to record. */
const isCheck = (verb: Verb, rest: readonly string[]): boolean => {
  if (verb !== 'dividend' && verb !== 'divide' && verb !== 'split') return false;
  if (rest.length === 0) return verb === 'divide';
  return rest.length === 1 && /^(?:확인|체크|check)$/iu.test(rest[0] ?? '');
};

const DISMISS = /^(?:dismiss|ignore|hide|숨기기|숨김|무시)$/iu;

const RESTORE = /^(?:restore|undismiss|unhide|복원|복원하기|되돌리기|숨김해제)$/iu;

const RECORD = /^(?:record|기록|기록하기|기록해줘)$/iu;

/** `AAPL dismiss` and `dismiss AAPL`: what stands beside the word, or all. Undefined without the word. */
const besideWord = (pattern: RegExp, [first = '', ...rest]: readonly string[]): string | undefined => {
  if (pattern.test(first)) return rest.join(' ') || 'all';
  return pattern.test(rest.at(-1) ?? '') ? [first, ...rest.slice(0, -1)].join(' ') : undefined;
};

const actionsOf = (tokens: readonly string[], within: In, isSure: boolean): PortfolioArgs => {
  const [restore, dismiss] = [besideWord(RESTORE, tokens), besideWord(DISMISS, tokens)];
  if (restore !== undefined) return { action: 'actions', restore, ...within };
  const record = besideWord(RECORD, tokens);
  if (record !== undefined) return { action: 'actions', record, ...within };
  return { action: 'actions', ...(dismiss !== undefined && { dismiss, isSure }), ...within };
};

const BENCHMARK = /^(?:kospi|코스피|sp500|s&p500)$/iu;

const analysisOf = (tokens: readonly string[], portfolio: string | undefined): PortfolioArgs => {
  const ranges = tokens.map(readRange).filter((each) => each !== undefined);
  const known = (['3mo', '6mo', 'ytd', '1y', '2y'] as const).find((each) => each === ranges[0]);
  const benchmark = tokens.find((token) => BENCHMARK.test(token));
  const others = tokens.filter((token) => readRange(token) === undefined && !BENCHMARK.test(token));
  if ((ranges.length > 0 && !known) || others.some((token) => /^\d/u.test(token)))
    return { action: 'ranges' };
  const [named, ...more] = others;
  if (more.length > 0 || (named !== undefined && portfolio !== undefined))
    return { action: 'left-over', typed: others.join(' '), of: 'analyse' };
  const meant = portfolio ?? named;
  return {
    action: 'analyse',
    request: {
      range: known ?? '1y',
      ...(benchmark !== undefined && {
        benchmark: /^(?:kospi|코스피)$/iu.test(benchmark) ? 'kospi' : 'sp500',
      }),
      ...(meant !== undefined && { portfolio: meant }),
    },
  };
};

const numberIn = (token: string | undefined): number | undefined => {
  const digits = /^#?(\d{1,9})(?:번)?$/u.exec(token ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const PAGE = /^(\d{1,4})(?:쪽|페이지)?$/u;

/** `삼성전자 2`: of what, and which page of it. */
const historyOf = (tokens: readonly string[], within: In): PortfolioArgs => {
  const page = tokens.find((token) => PAGE.test(token));
  const name = tokens.filter((token) => token !== page).join(' ');
  return {
    action: 'history',
    page: Number(PAGE.exec(page ?? '')?.[1] ?? 1),
    ...(name !== '' && { name }),
    ...within,
  };
};

const LAST = /^(?:last|latest|마지막|방금|최근)$/iu;

const FIELDS = [
  'name',
  'quantity',
  'price',
  'total',
  'amount',
  'currency',
  'fee',
  'tax',
  'date',
  'time',
  'ratio',
  'rate',
  'toAmount',
  'toCurrency',
  'note',
] as const satisfies readonly (keyof EntryFields)[];

const flagOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What was given as options: `--price=190`. */
const fieldsOf = (flags: CommandFlags): EntryFields =>
  Object.fromEntries(
    FIELDS.map((field) => [field, textOf(flags, flagOf(field))]).filter(([, value]) => value !== undefined),
  );

const ENTRY_FLAGS: ReadonlySet<string> = new Set([...FIELDS.map(flagOf), 'in', 'portfolio', 'yes']);

/** Options of an entry that would be lost: `--fees=5`, and `--fee 5`, whose number would be taken for something else. */
const lostFlags = (flags: CommandFlags): readonly string[] =>
  [...flags].flatMap(([name, value]) => {
    if (ENTRY_FLAGS.has(name) && (name === 'yes' || typeof value === 'string')) return [];
    return [value === true ? `--${name}` : `--${name}=${value}`];
  });

/** The options into which Discord's form takes the rest of a line. */
const WITH_MORE = ['quantity', 'price', 'amount'] as const satisfies readonly (keyof EntryFields)[];

/** `amount: 12 USD tax 1.8`: an option that holds more than its own number is read as if it had been typed. */
const fieldsWithMore = (given: EntryFields): readonly (keyof EntryFields)[] =>
  WITH_MORE.filter((field) => {
    const value = given[field]?.trim() ?? '';
    return /\s/u.test(value) && readAmount(value) === null;
  });

/** The entry that was typed, with what was given as options. */
const entryOf = (
  kind: TransactionKind,
  typed: string,
  given: EntryFields,
  symbols: Pick<SymbolSearch, 'resolve'>,
  direction: SplitDirection | undefined,
): EntryText => {
  const more = fieldsWithMore(given);
  const kept = Object.fromEntries(
    Object.entries(given).filter(([field]) => !more.some((each) => each === field)),
  );
  const text = [typed, ...more.map((field) => given[field])].join(' ').trim();
  const whole = more.length === 0 ? undefined : readEntryText(kind, text, symbols, kept, direction);
  if (whole?.status === 'ok' && more.every((field) => whole.fields[field] !== undefined))
    return { ...whole, fields: { ...whole.fields, ...kept } };
  const plain = readEntryText(kind, typed, symbols, given, direction);
  return plain.status === 'ok' ? { ...plain, fields: { ...plain.fields, ...given } } : plain;
};

/** From the words behind the command to what is to be done. Never throws. */
export const parsePortfolioArgs = (
  args: readonly string[],
  flags: CommandFlags,
  symbols: Pick<SymbolSearch, 'resolve'>,
): PortfolioArgs => {
  const named = args.flatMap((token) => PORTFOLIO.exec(token.normalize('NFKC'))?.[1] ?? []);
  const portfolio = textOf(flags, 'in', 'portfolio') ?? named[0];
  const tokens = args.filter((token) => !PORTFOLIO.test(token.normalize('NFKC')));
  const within = portfolio === undefined ? {} : { portfolio };
  if (tokens.length === 0) return { action: 'summary', ...within };
  const found = verbIn(tokens);
  if (!found) return { action: 'open', typed: tokens.join(' '), ...within };
  const { rest } = found;
  if (isCheck(found.verb, rest)) return { action: 'actions', ...within };
  const asksReport = found.verb === 'tax' && tokens.some(isTaxVerb);
  const verb =
    asksReport && fieldsOf(flags).amount === undefined && isTaxReport(rest, symbols)
      ? 'tax-report'
      : found.verb;
  if (asksReport && verb === 'tax' && fieldsOf(flags).amount === undefined && isUnclearTax(rest, symbols))
    return { action: 'tax-unclear', typed: rest.join(' ') };
  const [first, second, third] = rest;
  switch (verb) {
    case 'summary':
    case 'export':
      return { action: verb, ...within };
    case 'list':
    case 'help':
      return { action: verb };
    case 'history':
      return historyOf(rest, within);
    case 'undo': {
      const number = numberIn(first);
      const isLast = first === undefined || LAST.test(first);
      if (!isLast && number === undefined) return { action: 'left-over', typed: first, of: 'undo' };
      return { action: 'undo', ...(number !== undefined && { number }), ...within };
    }
    case 'preview': {
      const isConfirmed = first !== undefined && /^(?:confirm|확인)$/iu.test(first);
      if (!isConfirmed) return { action: 'preview', ...within };
      const which = WHICH.get(third?.toLowerCase() ?? 'all');
      if (second === undefined || !which)
        return { action: 'left-over', typed: rest.join(' '), of: 'preview' };
      return { action: 'confirm', code: second, which };
    }
    case 'actions':
      return actionsOf(rest, within, flags.has('yes'));
    case 'analyse':
      return analysisOf(rest, portfolio);
    case 'tax-report': {
      const read = parseTaxArgs(rest, flags, portfolio);
      return 'leftOver' in read
        ? { action: 'left-over', typed: read.leftOver, of: 'tax-report' }
        : { action: 'tax-report', request: read };
    }
    case 'rebalance':
      return {
        action: 'rebalance',
        request: { text: rest.join(' '), ...(flags.has('sell') && { canSell: true }), ...within },
      };
    case 'target':
      return { action: 'target', text: rest.join(' '), ...within };
    case 'create':
      return {
        action: 'create',
        name: first ?? portfolio ?? '',
        currency: second ?? textOf(flags, 'currency'),
      };
    case 'remove':
      return { action: 'remove', portfolio: first ?? portfolio ?? '', isSure: flags.has('yes') };
    case 'default':
      return { action: 'configure', setting: 'default', portfolio: first ?? portfolio };
    case 'cost':
    case 'short':
      return { action: 'configure', setting: verb, ...(first !== undefined && { value: first }), ...within };
    case 'buy':
    case 'sell':
    case 'dividend':
    case 'split':
    case 'divide':
    case 'merge':
    case 'deposit':
    case 'withdrawal':
    case 'fee':
    case 'fx':
    case 'interest':
    case 'tax':
    case 'refund':
    case 'cash-in-lieu':
    case 'rights':
    case 'bonus': {
      const others = named.filter((name) => name !== portfolio).map((name) => `@${name}`);
      const lost = [...lostFlags(flags), ...rest.filter((token) => token.startsWith('--')), ...others];
      const isKind = verb !== 'divide' && verb !== 'merge' && verb !== 'bonus' && verb !== 'refund';
      const { isRefund, price, kind } = isKind ? { kind: verb } : { kind: 'split' as const, ...TOLD[verb] };
      const given = { ...(price !== undefined && { price }), ...fieldsOf(flags) };
      if (lost.length > 0) return { action: 'left-over', typed: lost.join(' '), of: kind };
      const entry = entryOf(kind, rest.join(' '), given, symbols, DIRECTIONS.get(verb));
      if (entry.status !== 'ok') return { action: entry.status, typed: entry.typed, of: kind };
      const request = { kind, ...(isRefund && { isRefund }), ...entry.fields, ...within };
      return { action: 'record', request: flags.has('yes') ? { ...request, isSure: true } : request };
    }
  }
  return verb satisfies never;
};
