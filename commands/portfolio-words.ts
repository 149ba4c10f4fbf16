import type { CommandFlags } from '#src/core/command.ts';
import type { SymbolSearch } from '#src/core/finance.ts';
import { readRange } from '#src/language/history-range.ts';
import type { TransactionKind } from '#src/core/ledger.ts';
import type { AnalyseRequest, RebalanceRequest, RecordRequest, TaxRequest } from '#src/core/personal-desk.ts';
import { type EntryFields, readEntryText, type SplitDirection } from '#src/language/entries.ts';
import { isTaxReport, isTaxWord, readTaxWords } from './tax-words.ts';

/** What an example can be given of. */
export type ExampleOf = TransactionKind | 'undo' | 'preview' | 'history' | 'analyse' | 'tax-report';

interface In {
  readonly portfolio?: string | undefined;
}

/** What somebody wants of their portfolios. */
export type PortfolioWish =
  | ({ readonly action: 'summary' | 'export' | 'preview' } & In)
  | { readonly action: 'list' | 'help' | 'ranges' }
  | { readonly action: 'record'; readonly request: RecordRequest }
  | ({ readonly action: 'history'; readonly page: number; readonly name?: string } & In)
  | ({ readonly action: 'undo'; readonly number?: number } & In)
  | { readonly action: 'confirm'; readonly code: string; readonly which: 'all' | 'valid' | 'none' }
  | ({ readonly action: 'actions'; readonly dismiss?: string } & In)
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
  | { readonly action: 'left-over'; readonly typed: string; readonly of: ExampleOf };

type Verb =
  | Exclude<PortfolioWish['action'], 'record' | 'confirm' | 'open' | 'left-over' | 'configure' | 'ranges'>
  | TransactionKind
  /** Splits whose word says which way they go. */
  | 'divide'
  | 'merge'
  /** Shares at no cost. */
  | 'bonus'
  /** Of a tax. */
  | 'refund'
  | 'default'
  | 'cost'
  | 'short';

const VERBS: ReadonlyMap<string, Verb> = new Map(
  Object.entries({
    summary: ['summary', 'show', 'view', '요약', '보기', '조회', '현황'],
    buy: ['add', 'buy', 'bought', '매수', '추가', '구매', '샀어', '샀어요', '샀다', '샀습니다', '샀음'],
    sell: ['sell', 'sold', '매도', '팔기', '판매', '팔았어', '팔았어요', '팔았다', '팔았습니다', '팔았음'],
    dividend: ['dividend', 'div', '배당', '배당금'],
    split: ['split'],
    divide: ['분할', '액면분할', '주식분할'],
    merge: [
      '병합',
      '액면병합',
      '주식병합',
      'reverse',
      'reverse-split',
      'consolidate',
      'consolidation',
      'merge',
    ],
    deposit: ['deposit', '입금'],
    withdrawal: ['withdraw', 'withdrawal', '출금'],
    fee: ['fee', '수수료'],
    fx: ['fx', 'exchange', '환전'],
    interest: ['interest', '이자', '예탁금이자'],
    tax: ['tax', 'withholding', '세금', '원천세', '원천징수', '배당세'],
    refund: ['refund', 'tax-refund', '환급', '세금환급', '배당세환급'],
    'cash-in-lieu': ['cash-in-lieu', 'lieu', 'cil', '단주대금', '단주'],
    rights: ['rights', 'rights-issue', '유상증자', '유상'],
    bonus: ['bonus', 'bonus-issue', '무상증자', '무상'],
    history: ['history', 'transactions', '내역', '거래내역', '기록'],
    undo: ['undo', '취소', '되돌리기'],
    preview: ['import', '가져오기'],
    export: ['export', '내보내기'],
    analyse: ['analyse', 'analyze', 'analysis', '분석'],
    actions: ['actions', 'corporate-actions', '배당확인', '분할확인', '액면분할확인', '권리'],
    'tax-report': ['taxes', 'tax-report', '양도세', '양도소득세', '해외주식양도세', '세금요약', '세금보고서'],
    rebalance: ['rebalance', 'rebalancing', '리밸런싱', '리밸런스', '비중조정'],
    target: ['target', 'targets', '목표', '목표비중'],
    list: ['list', '목록'],
    create: ['new', 'create', '새로', '만들기', '생성'],
    default: ['use', 'default', '기본으로', '사용'],
    cost: ['cost', '원가'],
    short: ['short', '공매도'],
    remove: ['delete', 'remove', '삭제'],
    help: ['help', '도움말', '사용법', '도움', '?'],
  } satisfies Record<Verb, readonly string[]>).flatMap(([verb, words]) =>
    words.map((word) => [word, verb as Verb] as const),
  ),
);

/** Korean puts the verb behind what it is about: `삼성전자 10주 매수`, `삼성전자 10주 매수 어제`. */
const BEHIND: ReadonlySet<Verb> = new Set([
  'buy',
  'sell',
  'dividend',
  'split',
  'divide',
  'merge',
  'deposit',
  'withdrawal',
  'fx',
  'interest',
  'refund',
  'cash-in-lieu',
  'rights',
  'bonus',
  'history',
  'undo',
  'analyse',
  'tax-report',
  'rebalance',
  'remove',
]);

/** `매수했어`, `입금해줘`, `배당받았어요`. */
const ENDING =
  /(?:했(?:어요?|다|음|습니다|지)|해(?:줘|요|주세요)?|함|하기|받았(?:어요?|다|습니다)|받음|을|를)$/u;

const CASH_IN_LIEU = /^cash in lieu$/iu;

const verbOf = (word: string): Verb | undefined => {
  const typed = word.normalize('NFKC').toLowerCase();
  return VERBS.get(typed) ?? VERBS.get(typed.replace(ENDING, ''));
};

const verbIn = (
  args: readonly string[],
): { readonly verb: Verb; readonly rest: readonly string[] } | undefined => {
  const [first = '', ...others] = args;
  const verb = verbOf(first);
  // `cash in lieu AAPL 75 USD`.
  if (first.toLowerCase() === 'cash' && CASH_IN_LIEU.test(args.slice(0, 3).join(' ')))
    return { verb: 'cash-in-lieu', rest: args.slice(3) };
  // `tax refund AAPL 3 USD`, `bonus issue AAPL 3`.
  if (verb === 'tax' && verbOf(others[0] ?? '') === 'refund')
    return { verb: 'refund', rest: others.slice(1) };
  if ((verb === 'bonus' || verb === 'rights') && /^issue$/iu.test(others[0] ?? ''))
    return { verb, rest: others.slice(1) };
  // `reverse split AAPL 1:10`.
  if (verb === 'merge' && verbOf(others[0] ?? '') === 'split') return { verb, rest: others.slice(1) };
  // `매도 삼성전자 전량 매도`.
  const isSaidTwice = verb && BEHIND.has(verb) && verbOf(others.at(-1) ?? '') === verb;
  if (verb) return { verb, rest: isSaidTwice ? others.slice(0, -1) : others };
  const at = args.findLastIndex((word) => {
    const found = verbOf(word);
    return found !== undefined && BEHIND.has(found);
  });
  const behind = verbOf(args[at] ?? '');
  return behind && { verb: behind, rest: args.toSpliced(at, 1) };
};

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

const actionsOf = ([first = '', ...rest]: readonly string[], within: In): PortfolioWish =>
  DISMISS.test(first) || DISMISS.test(rest.at(-1) ?? '')
    ? {
        action: 'actions',
        dismiss: (DISMISS.test(first) ? rest : [first, ...rest.slice(0, -1)]).join(' ') || 'all',
        ...within,
      }
    : { action: 'actions', ...within };

const BENCHMARK = /^(?:kospi|코스피|sp500|s&p500)$/iu;

const analysisOf = (words: readonly string[], portfolio: string | undefined): PortfolioWish => {
  const ranges = words.map(readRange).filter((each) => each !== undefined);
  const known = (['3mo', '6mo', 'ytd', '1y', '2y'] as const).find((each) => each === ranges[0]);
  const benchmark = words.find((word) => BENCHMARK.test(word));
  const others = words.filter((word) => readRange(word) === undefined && !BENCHMARK.test(word));
  if ((ranges.length > 0 && !known) || others.some((word) => /^\d/u.test(word))) return { action: 'ranges' };
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

const numberIn = (word: string | undefined): number | undefined => {
  const digits = /^#?(\d{1,9})(?:번)?$/u.exec(word ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const PAGE = /^(\d{1,4})(?:쪽|페이지)?$/u;

/** `삼성전자 2`: of what, and which page of it. */
const historyOf = (words: readonly string[], within: In): PortfolioWish => {
  const page = words.find((word) => PAGE.test(word));
  const name = words.filter((word) => word !== page).join(' ');
  return {
    action: 'history',
    page: Number(PAGE.exec(page ?? '')?.[1] ?? 1),
    ...(name !== '' && { name }),
    ...within,
  };
};

const LAST = /^(?:last|latest|마지막|방금|최근)$/iu;

const DIRECTIONS: ReadonlyMap<Verb, SplitDirection> = new Map([
  ['divide', 'more'],
  ['merge', 'fewer'],
]);

/** The kind of entry that a verb tells of, and what it says about it. */
const TOLD: Readonly<Partial<Record<Verb, { kind: TransactionKind; price?: string; isRefund?: boolean }>>> = {
  divide: { kind: 'split' },
  merge: { kind: 'split' },
  bonus: { kind: 'rights', price: '0' },
  refund: { kind: 'tax', isRefund: true },
};

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

/** What was given as options: `--price 190`. */
const fieldsOf = (flags: CommandFlags): EntryFields =>
  Object.fromEntries(
    FIELDS.map((field) => [
      field,
      textOf(
        flags,
        field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      ),
    ]).filter(([, value]) => value !== undefined),
  );

/** From the words behind the command to what is to be done. Never throws. */
export const readPortfolioWords = (
  args: readonly string[],
  flags: CommandFlags,
  symbols: Pick<SymbolSearch, 'resolve'>,
): PortfolioWish => {
  const named = args
    .map((word) => PORTFOLIO.exec(word.normalize('NFKC'))?.[1])
    .find((name) => name !== undefined);
  const portfolio = textOf(flags, 'in', 'portfolio') ?? named;
  const words = args.filter((word) => !PORTFOLIO.test(word.normalize('NFKC')));
  const within = portfolio === undefined ? {} : { portfolio };
  if (words.length === 0) return { action: 'summary', ...within };
  const said = verbIn(words);
  if (!said) return { action: 'open', typed: words.join(' '), ...within };
  const { rest } = said;
  if (isCheck(said.verb, rest)) return { action: 'actions', ...within };
  const asksReport = said.verb === 'tax' && words.some(isTaxWord);
  const verb =
    asksReport && fieldsOf(flags).amount === undefined && isTaxReport(rest, symbols)
      ? 'tax-report'
      : said.verb;
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
      return actionsOf(rest, within);
    case 'analyse':
      return analysisOf(rest, portfolio);
    case 'tax-report': {
      const read = readTaxWords(rest, flags, portfolio);
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
      const isKind = verb !== 'divide' && verb !== 'merge' && verb !== 'bonus' && verb !== 'refund';
      const { isRefund, price, kind } = isKind ? { kind: verb } : { kind: 'split' as const, ...TOLD[verb] };
      const given = { ...(price !== undefined && { price }), ...fieldsOf(flags) };
      const entry = readEntryText(kind, rest.join(' '), symbols, given, DIRECTIONS.get(verb));
      if (entry.status === 'left-over') return { action: 'left-over', typed: entry.typed, of: kind };
      const request = { kind, ...(isRefund && { isRefund }), ...entry.fields, ...given, ...within };
      return { action: 'record', request: flags.has('yes') ? { ...request, isSure: true } : request };
    }
  }
  return verb satisfies never;
};
