import { type ChartTheme, readTheme } from '#src/kernel/market/chart-style.ts';
import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { PortfolioService, TaxedAs } from '#src/kernel/people/portfolio.ts';
import { amountsIn, readAmount } from '#src/reading/amounts.ts';
import { readRange } from '#src/reading/history-range.ts';
import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { type EntryFields, type EntryText, readEntryText } from '#src/reading/entries.ts';
import { readExchangeText } from '#src/reading/share-exchanges.ts';
import type { SplitDirection } from '#src/reading/ratios.ts';
import { readTransferText } from '#src/reading/transfers.ts';
import { ENTRY_VERBS, isEntryVerb, type Verb, verbIn } from './portfolio-verbs.ts';

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

/** These verbs may mean an entry or the report. */
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

type Question = Exclude<keyof PortfolioService, 'plan' | 'planUndo' | 'preview'>;

/** A question to the service, with its request. */
export type PortfolioQuestion<Name extends Question = Question> = {
  readonly [Each in Name]: {
    readonly action: Each;
    readonly request: Parameters<PortfolioService[Each]>[0];
  };
}[Name];

/** A parsed line: a question to the service, an import, or the reason why a sentence has to be said instead. */
export type PortfolioArgs =
  | PortfolioQuestion
  | { readonly action: 'preview'; readonly portfolio: string | undefined }
  | { readonly action: 'help' | 'ranges' }
  /** `tax AAPL 2026`: the number is an amount or a year. */
  | { readonly action: 'tax-unclear'; readonly typed: string }
  | {
      readonly action: Exclude<EntryText['status'], 'ok'>;
      readonly typed: string;
      /** The sentence gives an example of this. */
      readonly of: TransactionKind | 'undo' | 'preview' | 'analyse' | 'tax-report';
    };

/** `2025`, `2025년 연금`, `us`. */
const taxReportOf = (
  tokens: readonly string[],
  flags: CommandFlags,
  portfolio: string | undefined,
): PortfolioArgs => {
  const year = tokens.find((token) => YEAR.test(token));
  const country = tokens.find((token) => BASES.has(token.toLowerCase()));
  const basis = flags.has('us') ? 'us' : flags.has('kr') ? 'kr' : BASES.get(country?.toLowerCase() ?? '');
  const others = tokens.filter((token) => token !== year && token !== country);
  if (others.length > (portfolio === undefined ? 1 : 0))
    return { action: 'left-over', typed: others.join(' '), of: 'tax-report' };
  return { action: 'tax', request: { year, basis, portfolio: portfolio ?? others[0] } };
};

/** `@pension`; `@190` is a price. */
const PORTFOLIO = /^@(\p{L}[\p{L}\p{M}\p{N}_-]*)$/u;

const textOf = (flags: CommandFlags, ...names: readonly string[]): string | undefined =>
  names
    .map((name) => flags.get(name))
    .find((value): value is string => typeof value === 'string' && value !== '');

const WHICH: ReadonlyMap<string, 'all' | 'valid' | 'doubted' | 'none'> = new Map([
  ['all', 'all'],
  ['전체', 'all'],
  ['valid', 'valid'],
  ['doubted', 'doubted'],
  ['none', 'none'],
  ['cancel', 'none'],
  ['취소', 'none'],
]);

/** `배당 확인`, `분할 확인`, and `액면분할` alone ask which ones there were; they record nothing. */
const isCheck = (verb: Verb, rest: readonly string[]): boolean => {
  if (verb !== 'dividend' && verb !== 'divide' && verb !== 'split') return false;
  if (rest.length === 0) return verb === 'divide';
  return rest.length === 1 && /^(?:확인|체크|check)$/iu.test(rest[0] ?? '');
};

const DISMISS = /^(?:dismiss|ignore|hide|숨기기|숨김|무시)$/iu;
const RESTORE = /^(?:restore|undismiss|unhide|복원|복원하기|되돌리기|숨김해제)$/iu;
const RECORD = /^(?:record|기록|기록하기|기록해줘)$/iu;

/** How the recorded dividends were taxed. */
const TAXED: ReadonlyMap<string, TaxedAs> = new Map([
  ['after-tax', 'usual'],
  ['세후', 'usual'],
  ['korean-broker', 'korean-broker'],
  ['국내증권사', 'korean-broker'],
  ['before-tax', 'none'],
  ['세전', 'none'],
]);

/** In `AAPL dismiss` and `dismiss AAPL`, the tokens beside the word; `all` if there are none. Undefined without the word. */
const besideWord = (pattern: RegExp, [first = '', ...rest]: readonly string[]): string | undefined => {
  if (pattern.test(first)) return rest.join(' ') || 'all';
  return pattern.test(rest.at(-1) ?? '') ? [first, ...rest.slice(0, -1)].join(' ') : undefined;
};

const actionsOf = (
  tokens: readonly string[],
  portfolio: string | undefined,
  isSure: boolean,
): PortfolioArgs => {
  const restore = besideWord(RESTORE, tokens);
  if (restore !== undefined) return { action: 'actions', request: { portfolio, restore } };
  const record = besideWord(
    RECORD,
    tokens.filter((token) => !TAXED.has(token.toLowerCase())),
  );
  const taxed = tokens.map((token) => TAXED.get(token.toLowerCase())).find((as) => as !== undefined);
  if (record !== undefined) return { action: 'actions', request: { portfolio, record, taxed } };
  const dismiss = besideWord(DISMISS, tokens);
  return { action: 'actions', request: { portfolio, ...(dismiss !== undefined && { dismiss, isSure }) } };
};

const KOSPI = /^(?:kospi|코스피)$/iu;
const SP = /^(?:sp|s&p)$/iu;
const SP500 = /^(?:sp500|s&p500)$/iu;

const benchmarkOf = (token: string) =>
  KOSPI.test(token) ? 'kospi' : SP500.test(token) ? 'sp500' : undefined;

const analysisOf = (
  typed: readonly string[],
  portfolio: string | undefined,
  theme: ChartTheme | undefined,
): PortfolioArgs => {
  // The usual spelling of the index is two words.
  const tokens = typed.flatMap((token, index) => {
    if (SP.test(token) && typed[index + 1] === '500') return [`${token}500`];
    return token === '500' && SP.test(typed[index - 1] ?? '') ? [] : [token];
  });
  const ranges = tokens.map(readRange).filter((each) => each !== undefined);
  const known = (['3mo', '6mo', 'ytd', '1y', '2y'] as const).find((each) => each === ranges[0]);
  const benchmark = tokens.map(benchmarkOf).find((each) => each !== undefined);
  const others = tokens.filter((token) => readRange(token) === undefined && !benchmarkOf(token));
  if ((ranges.length > 0 && !known) || others.some((token) => /^\d/u.test(token)))
    return { action: 'ranges' };
  const [named, ...more] = others;
  if (more.length > 0 || (named !== undefined && portfolio !== undefined))
    return { action: 'left-over', typed: others.join(' '), of: 'analyse' };
  return {
    action: 'analyse',
    request: { range: known ?? '1y', benchmark, portfolio: portfolio ?? named, isDrawn: true, theme },
  };
};

/** `12`, `#12`, `12번`, `5-304`, and `12@pension`, which names the portfolio of the entry as a completed option does. */
const ENTRY = /^#?(\d{1,9})(?:번)?(?:[-~–]#?(\d{1,9})(?:번)?)?(?:@([\p{L}\p{M}\p{N}_-]+))?$/u;

const undoOf = (typed: string | undefined, portfolio: string | undefined): PortfolioArgs => {
  if (typed === undefined || LAST.test(typed))
    return { action: 'undo', request: { portfolio, number: undefined } };
  const [, digits, last, owner = portfolio] = ENTRY.exec(typed.normalize('NFKC')) ?? [];
  const isOfAnother =
    portfolio !== undefined && owner?.toLowerCase() !== portfolio.normalize('NFKC').toLowerCase();
  if (digits === undefined || isOfAnother) return { action: 'left-over', typed, of: 'undo' };
  const through = last === undefined ? undefined : Number(last);
  if (through !== undefined && through < Number(digits)) return { action: 'left-over', typed, of: 'undo' };
  return { action: 'undo', request: { portfolio: owner, number: Number(digits), through } };
};

const PAGE = /^(\d{1,4})(?:쪽|페이지)?$/u;

/** `삼성전자 2`: an instrument and a page. */
const historyOf = (tokens: readonly string[], portfolio: string | undefined): PortfolioArgs => {
  const page = tokens.find((token) => PAGE.test(token));
  const name = tokens.filter((token) => token !== page).join(' ') || undefined;
  return { action: 'history', request: { portfolio, page: Number(PAGE.exec(page ?? '')?.[1] ?? 1), name } };
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
  'toName',
  'toQuantity',
  'percent',
  'toAmount',
  'toCurrency',
  'note',
] as const satisfies readonly (keyof EntryFields)[];

const flagOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The fields that were given as options: `--price=190`. */
const fieldsOf = (flags: CommandFlags): EntryFields =>
  Object.fromEntries(
    FIELDS.map((field) => [field, textOf(flags, flagOf(field))]).filter(([, value]) => value !== undefined),
  );

const ENTRY_FLAGS: ReadonlySet<string> = new Set([...FIELDS.map(flagOf), 'in', 'to', 'portfolio', 'yes']);

/** Options that an entry cannot use: `--fees=5`, and `--fee 5`, whose number would be read as something else. */
const lostFlags = (flags: CommandFlags): readonly string[] =>
  [...flags].flatMap(([name, value]) => {
    if (ENTRY_FLAGS.has(name) && (name === 'yes' || typeof value === 'string')) return [];
    return [value === true ? `--${name}` : `--${name}=${value}`];
  });

/** Discord's form puts the rest of a line into these options. */
const WITH_MORE = ['quantity', 'price', 'amount'] as const satisfies readonly (keyof EntryFields)[];

/** An option that holds more than its own number, as in `amount: 12 USD tax 1.8`, is read like typed text. */
const fieldsWithMore = (given: EntryFields): readonly (keyof EntryFields)[] =>
  WITH_MORE.filter((field) => {
    const value = given[field]?.trim() ?? '';
    return /\s/u.test(value) && readAmount(value) === null;
  });

/** Reads the typed text and the options as one entry; options win. */
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

/** The words without that for the background of the picture. */
const withoutTheme = (
  tokens: readonly string[],
): { readonly words: readonly string[]; readonly theme?: ChartTheme | undefined } => ({
  words: tokens.filter((token) => readTheme(token) === undefined),
  theme: tokens.map(readTheme).find((theme) => theme !== undefined),
});

const DETAILS = /^(?:details|자세히)$/iu;

/** Parses the arguments of `/portfolio`. Never throws. */
export const parsePortfolioArgs = (
  args: readonly string[],
  flags: CommandFlags,
  symbols: Pick<SymbolSearch, 'resolve'>,
): PortfolioArgs => {
  const named = args.flatMap((token) => PORTFOLIO.exec(token.normalize('NFKC'))?.[1] ?? []);
  const portfolio = textOf(flags, 'in', 'portfolio') ?? named[0];
  const tokens = args.filter((token) => !PORTFOLIO.test(token.normalize('NFKC')));
  const chosen = readTheme(textOf(flags, 'theme') ?? '');
  if (tokens.length === 0) return { action: 'summary', request: { portfolio, isDrawn: true, theme: chosen } };
  const found = verbIn(tokens);
  if (!found) {
    // A single word may be a portfolio's name.
    const { words, theme } = tokens.length > 1 ? withoutTheme(tokens) : { words: tokens };
    return { action: 'open', request: { portfolio, typed: words.join(' '), theme: theme ?? chosen } };
  }
  const { rest } = found;
  if (isCheck(found.verb, rest)) return { action: 'actions', request: { portfolio } };
  const isSure = flags.has('yes');
  const given = fieldsOf(flags);
  const asksReport = found.verb === 'tax' && tokens.some(isTaxVerb) && given.amount === undefined;
  const verb = asksReport && isTaxReport(rest, symbols) ? 'tax-report' : found.verb;
  if (asksReport && verb === 'tax' && isUnclearTax(rest, symbols))
    return { action: 'tax-unclear', typed: rest.join(' ') };
  if (isEntryVerb(verb)) {
    const { kind, direction, price, isRefund, isOpening } = ENTRY_VERBS[verb];
    const others =
      kind === 'transfer-out' ? [] : named.filter((name) => name !== portfolio).map((name) => `@${name}`);
    const lost = [...lostFlags(flags), ...rest.filter((token) => token.startsWith('--')), ...others];
    if (lost.length > 0) return { action: 'left-over', typed: lost.join(' '), of: kind };
    const fields = { ...(price !== undefined && { price }), ...given };
    if (kind === 'transfer-out') {
      const sides = { from: portfolio, to: textOf(flags, 'to') ?? named[1] };
      const read = readTransferText(rest, sides, symbols, given);
      return 'typed' in read
        ? { action: read.status, typed: read.typed, of: kind }
        : {
            action: 'record',
            request: { kind, ...read.fields, ...given, portfolio: read.from, toPortfolio: read.to },
          };
    }
    const isExchange = kind === 'spin-off' || kind === 'merger';
    const exchange = isExchange ? readExchangeText(rest.join(' '), symbols, fields) : undefined;
    const entry =
      exchange?.status === 'ok'
        ? { ...exchange, fields: { ...exchange.fields, ...fields } }
        : (exchange ?? entryOf(kind, rest.join(' '), fields, symbols, direction));
    if (entry.status !== 'ok') return { action: entry.status, typed: entry.typed, of: kind };
    const request = { kind, isRefund, isOpening, ...entry.fields, portfolio, isSure: isSure || undefined };
    return { action: 'record', request };
  }
  const [first, second, third] = rest;
  switch (verb) {
    case 'summary':
      return {
        action: 'summary',
        request: tokens.some((word) => DETAILS.test(word))
          ? { portfolio, isDrawn: false, isDetailed: true }
          : { portfolio, isDrawn: true, theme: withoutTheme(rest).theme ?? chosen },
      };
    case 'export':
      return { action: 'export', request: { portfolio } };
    case 'list':
      return { action: 'list', request: {} };
    case 'help':
      return { action: 'help' };
    case 'history':
      return historyOf(rest, portfolio);
    case 'undo':
      return undoOf(first, portfolio);
    case 'preview': {
      const isConfirmed = first !== undefined && /^(?:confirm|확인)$/iu.test(first);
      if (!isConfirmed) return { action: 'preview', portfolio };
      const which = WHICH.get(third?.toLowerCase() ?? 'all');
      if (second === undefined || !which)
        return { action: 'left-over', typed: rest.join(' '), of: 'preview' };
      return { action: 'confirmImport', request: { code: second, which } };
    }
    case 'actions':
      return actionsOf(rest, portfolio, isSure);
    case 'analyse': {
      const { words, theme = chosen } = withoutTheme(rest);
      return analysisOf(words, portfolio, theme);
    }
    case 'tax-report':
      return taxReportOf(rest, flags, portfolio);
    case 'rebalance': {
      const canSell = flags.has('sell') || undefined;
      return { action: 'rebalance', request: { text: rest.join(' '), canSell, portfolio } };
    }
    case 'target':
      return { action: 'target', request: { portfolio, text: rest.join(' ') } };
    case 'create': {
      const currency = second ?? textOf(flags, 'currency');
      return { action: 'create', request: { name: first ?? portfolio ?? '', currency } };
    }
    case 'remove':
      return { action: 'remove', request: { portfolio: first ?? portfolio ?? '', isSure } };
    case 'default':
      return { action: 'configure', request: { setting: verb, portfolio: first ?? portfolio } };
    case 'cost':
    case 'short':
    case 'account':
      return { action: 'configure', request: { setting: verb, value: first, portfolio } };
  }
  return verb satisfies never;
};
