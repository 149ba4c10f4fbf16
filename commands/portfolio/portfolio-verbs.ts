import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import type { SplitDirection } from '#src/reading/ratios.ts';

type EntryVerb =
  | Exclude<TransactionKind, 'transfer-in'>
  /** A split into more shares. */
  | 'divide'
  /** What is held already, at its average cost. */
  | 'opening'
  /** A split into fewer shares. */
  | 'merge'
  /** Shares at no cost. */
  | 'bonus'
  /** A refunded tax. */
  | 'refund';

export type Verb =
  | EntryVerb
  | 'account'
  | 'actions'
  | 'analyse'
  | 'cost'
  | 'create'
  | 'default'
  | 'export'
  | 'help'
  | 'history'
  | 'list'
  | 'preview'
  | 'rebalance'
  | 'remove'
  | 'short'
  | 'summary'
  | 'target'
  | 'tax-report'
  | 'undo';

const VERBS: ReadonlyMap<string, Verb> = new Map(
  Object.entries({
    summary: ['summary', 'show', 'view', 'details', '요약', '보기', '조회', '현황', '자세히'],
    buy: ['add', 'buy', 'bought', '매수', '추가', '구매', '샀어', '샀어요', '샀다', '샀습니다', '샀음'],
    opening: [
      'hold',
      'held',
      'holding',
      'opening',
      '보유',
      '보유중',
      '기존보유',
      '평단',
      '평단가',
      '평균단가',
    ],
    sell: ['sell', 'sold', '매도', '팔기', '판매', '팔았어', '팔았어요', '팔았다', '팔았습니다', '팔았음'],
    dividend: ['dividend', 'div', '배당', '배당금'],
    split: ['split'],
    divide: ['분할', '액면분할', '주식분할'],
    merge: [
      '병합',
      '액면병합',
      '주식병합',
      '감자',
      '무상감자',
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
    interest: ['interest', '이자', '예탁금이자', '예탁금이용료', '이용료'],
    tax: ['tax', 'withholding', '세금', '원천세', '원천징수', '배당세'],
    refund: ['refund', 'tax-refund', '환급', '세금환급', '배당세환급'],
    'cash-in-lieu': ['cash-in-lieu', 'lieu', 'cil', '단주대금', '단주'],
    rights: ['rights', 'rights-issue', '유상증자', '유상'],
    'spin-off': ['spin-off', 'spinoff', '인적분할', '분할상장', '스핀오프', '기업분할'],
    merger: ['merger', 'merged', '합병', '흡수합병', '피합병', '주식교환'],
    'capital-return': [
      'capital-return',
      'return-of-capital',
      'roc',
      '자본환급',
      '원금환급',
      '감액배당',
      '유상감자',
    ],
    'transfer-out': [
      'transfer',
      'move',
      'moved',
      '이체',
      '옮기기',
      '옮김',
      '옮겼어',
      '옮겼어요',
      '옮겼습니다',
    ],
    bonus: ['bonus', 'bonus-issue', 'stock-dividend', '무상증자', '무상', '주식배당'],
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
    account: ['account', '계좌', '계좌종류'],
    remove: ['delete', 'remove', '삭제'],
    help: ['help', '도움말', '사용법', '도움', '?'],
  } satisfies Record<Verb, readonly string[]>).flatMap(([verb, tokens]) =>
    tokens.map((token) => [token, verb as Verb] as const),
  ),
);

/** Korean puts these verbs after their object: `삼성전자 10주 매수`, `삼성전자 10주 매수 어제`. */
const BEHIND: ReadonlySet<Verb> = new Set([
  'buy',
  'opening',
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
  'spin-off',
  'merger',
  'capital-return',
  'transfer-out',
  'bonus',
  'history',
  'undo',
  'analyse',
  'tax-report',
  'rebalance',
  'remove',
]);

/** Endings of Korean verbs: `매수했어`, `입금해줘`, `배당받았어요`. */
const ENDING =
  /(?:했(?:어요?|다|음|습니다|지)|해(?:줘|요|주세요)?|함|하기|받았(?:어요?|다|습니다)|받음|을|를)$/u;

const AVERAGE = /^(?:평단가?|평균단가|avg\.?|average)$/iu;

const CASH_IN_LIEU = /^cash in lieu$/iu;

const verbOf = (token: string): Verb | undefined => {
  const typed = token.normalize('NFKC').toLowerCase();
  return VERBS.get(typed) ?? VERBS.get(typed.replace(ENDING, ''));
};

/** Finds the verb of a line; `rest` is the line without it. */
export const verbIn = (
  args: readonly string[],
): { readonly verb: Verb; readonly rest: readonly string[] } | undefined => {
  const [first = '', ...others] = args;
  const verb = verbOf(first);
  // `보유` alone asks for the holdings.
  if (verb === 'opening' && !/\d/u.test(others.join(''))) return undefined;
  // `cash in lieu AAPL 75 USD`.
  if (first.toLowerCase() === 'cash' && CASH_IN_LIEU.test(args.slice(0, 3).join(' ')))
    return { verb: 'cash-in-lieu', rest: args.slice(3) };
  // `add 카카오 50 평단 42000`, `add AAPL 10 avg 180`: `add` alone says nothing of how it came.
  const average = others.findIndex((token) => AVERAGE.test(token));
  if (verb === 'buy' && /^(?:add|추가)$/iu.test(first) && average !== -1)
    return { verb: 'opening', rest: others.toSpliced(average, 1) };
  // `tax refund AAPL 3 USD`, `bonus issue AAPL 3`.
  if (verb === 'tax' && verbOf(others[0] ?? '') === 'refund')
    return { verb: 'refund', rest: others.slice(1) };
  if ((verb === 'bonus' || verb === 'rights') && /^issue$/iu.test(others[0] ?? ''))
    return { verb, rest: others.slice(1) };
  // `stock dividend AAPL 3`, `예탁금 이용료 1,200원`.
  if (first.toLowerCase() === 'stock' && verbOf(others[0] ?? '') === 'dividend')
    return { verb: 'bonus', rest: others.slice(1) };
  if (first === '예탁금' && verbOf(others[0] ?? '') === 'interest')
    return { verb: 'interest', rest: others.slice(1) };
  // `분할 상장 SK텔레콤`, `spin off GE`, `return of capital KMI $30`.
  const [second = '', third = ''] = others.map((token) => token.toLowerCase());
  if ((first === '분할' && second === '상장') || (first.toLowerCase() === 'spin' && second === 'off'))
    return { verb: 'spin-off', rest: others.slice(1) };
  if (first.toLowerCase() === 'return' && second === 'of' && third === 'capital')
    return { verb: 'capital-return', rest: others.slice(2) };
  // `reverse split AAPL 1:10`.
  if (verb === 'merge' && verbOf(others[0] ?? '') === 'split') return { verb, rest: others.slice(1) };
  // `매도 삼성전자 전량 매도`.
  const isSaidTwice = verb && BEHIND.has(verb) && verbOf(others.at(-1) ?? '') === verb;
  if (verb) return { verb, rest: isSaidTwice ? others.slice(0, -1) : others };
  const at = args.findLastIndex((token) => {
    const found = verbOf(token);
    return found !== undefined && BEHIND.has(found);
  });
  const behind = verbOf(args[at] ?? '');
  return behind && { verb: behind, rest: args.toSpliced(at, 1) };
};

interface EntryMeaning {
  readonly kind: TransactionKind;
  readonly isOpening?: boolean;
  readonly direction?: SplitDirection;
  readonly price?: string;
  readonly isRefund?: boolean;
}

/** The kind of entry that a verb records, and what else the verb says about it. */
export const ENTRY_VERBS: Readonly<Record<EntryVerb, EntryMeaning>> = {
  buy: { kind: 'buy' },
  opening: { kind: 'buy', isOpening: true },
  sell: { kind: 'sell' },
  dividend: { kind: 'dividend' },
  split: { kind: 'split' },
  divide: { kind: 'split', direction: 'more' },
  merge: { kind: 'split', direction: 'fewer' },
  deposit: { kind: 'deposit' },
  withdrawal: { kind: 'withdrawal' },
  fee: { kind: 'fee' },
  fx: { kind: 'fx' },
  interest: { kind: 'interest' },
  tax: { kind: 'tax' },
  refund: { kind: 'tax', isRefund: true },
  'cash-in-lieu': { kind: 'cash-in-lieu' },
  rights: { kind: 'rights' },
  'spin-off': { kind: 'spin-off' },
  merger: { kind: 'merger' },
  'capital-return': { kind: 'capital-return' },
  'transfer-out': { kind: 'transfer-out' },
  bonus: { kind: 'rights', price: '0' },
};

export const isEntryVerb = (verb: Verb): verb is EntryVerb => Object.hasOwn(ENTRY_VERBS, verb);
