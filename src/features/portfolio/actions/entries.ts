import { z } from 'zod';
import { action, option } from '#src/features/ability.ts';
import type { Subcommand } from '#src/kernel/chat/command-definition.ts';
import { codeFor } from '#src/kernel/market/finance.ts';
import { isOfMoney, TRANSACTION_KINDS, type TransactionKind } from '#src/kernel/market/ledger.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { shortened } from '#src/kernel/text.ts';
import { toolInput } from '#src/kernel/agent/tool.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { coinIn } from '#src/markets/symbols/coin-pairs.ts';
import { namedCurrency } from '../entries/instrument.ts';
import type { EntriesRequest, UndoRequest } from '../requests.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import {
  choices,
  chosen,
  type Deps,
  inPortfolio,
  leftOver,
  type PortfolioLine,
  lineOf,
  optional,
  PORTFOLIO,
  portfolioInput,
  reads,
  SYMBOL,
  told,
  YES,
} from './line.ts';
import type { EntryMeaning } from './typed-entry.ts';

const QUANTITY = option('quantity', '수량', {
  ko: '수량, 예: 10, 10주, 0.5',
  en: 'how many, e.g. 10 or 0.5',
  isNamed: true,
  isRequired: true,
});

const PRICE = option('price', '단가', {
  ko: '한 주의 가격, 예: 71,000원 (비우면 최근 시세)',
  en: 'price of one, e.g. 190.5 (the last price if left out)',
  isNamed: true,
});

const AMOUNT = option('amount', '금액', {
  ko: '금액, 예: 12.5 USD, 100만원',
  en: 'amount of money, e.g. 12.5 USD',
  isNamed: true,
  isRequired: true,
});

const DATE = option('date', '날짜', {
  ko: '거래일, 예: 2026-11-13, 어제 (비우면 오늘)',
  en: 'day of the entry, e.g. 2026-11-13, yesterday (today if left out)',
  isNamed: true,
  suggest: 'date',
});

const FEE = option('fee', '수수료', {
  ko: '거래 수수료, 예: 500원',
  en: 'fee of the trade, e.g. 5 USD',
  isNamed: true,
});

const NOTE = option('note', '메모', {
  ko: '기록에 남길 메모',
  en: 'a note to keep with the entry',
  isNamed: true,
});

const DETAILS = option('details', '추가', {
  ko: '그 밖의 내용, 예: 14:30, 세금 100',
  en: 'anything else: 14:30, tax 3',
});

const RATIO = option('ratio', '비율', {
  ko: '비율, 예: 5:1 (병합은 1:10)',
  en: 'ratio, e.g. 5:1 (a reverse split: 1:10)',
  isRequired: true,
});

const AMOUNTS = option('amounts', '금액', {
  ko: '낸 돈과 받은 돈, 예: 1,450,000 KRW 1,000 USD',
  en: 'given and received, e.g. 1450000 KRW 1000 USD',
  isRequired: true,
});

const ENTRY = option('entry', '기록', {
  ko: '예: 이체 AAPL 10주 기본에서 연금으로 · 합병 VMW 10주 AVGO 3주',
  en: 'e.g. transfer AAPL 10 to pension · spin-off GE GEV 25 19.8%',
  isRequired: true,
});

const ABOUT = [DATE, PORTFOLIO, NOTE, YES];

const TRADE = {
  options: [SYMBOL, QUANTITY, PRICE, DATE, FEE, DETAILS, PORTFOLIO, NOTE, YES],
  fills: ['symbol', 'quantity', 'price', 'details'],
};

const KIND = option('kind', '종류', {
  ko: '무엇을 기록할지',
  en: 'what to record',
  isRequired: true,
  choices: choices(
    ['deposit', '입금', 'deposit', '입금'],
    ['withdraw', '출금', 'withdrawal', '출금'],
    ['fee', '계좌 수수료', 'account fee', '수수료'],
    ['interest', '이자', 'interest', '이자'],
  ),
});

export const isCash = (word: string): boolean => chosen(KIND, word) !== undefined;

interface EntrySpec extends Omit<EntryMeaning, 'kind'>, Partial<Omit<Subcommand, 'words'>> {
  readonly words: string;
  readonly wordsBehind?: false;
}

/** A verb of entries. With a description it is a subcommand, too. */
const entry = (kind: TransactionKind, spec: EntrySpec) =>
  action<Deps, RecordRequest>({
    wordsBehind: true,
    ...spec,
    effect: 'record',
    // Loaded on first use: the reader of entries is large.
    read: async (typed) =>
      (await import('./typed-entry.ts')).readTypedEntry({ kind, ...spec }, lineOf(typed)),
    run: (request, { portfolio }, who, signal) => portfolio.record(request, who, signal),
  });

/** The limit of a number or a day. */
const MAX_CHARACTERS = 40;
const MAX_CURRENCY = 10;
/** Longer than any time with a zone name. */
const MAX_TIME = 80;
const MAX_NOTE = 200;
const MAX_NUMBER = 1_000_000_000;

const text = (description: string, maxCharacters = MAX_CHARACTERS) =>
  told(z.string().min(1).max(maxCharacters), description);

/** A transfer is told by the portfolio that gives. */
const TOLD_KINDS = TRANSACTION_KINDS.filter((kind) => kind !== 'transfer-in');

const recordTransactionInput = toolInput(() =>
  z
    .object({
      kind: z.enum(TOLD_KINDS).describe('What happened'),
      symbol: told(
        nameInput(),
        'Of buy, sell, dividend, split, cash-in-lieu, rights, spin-off, merger (the old company), capital-return and a transfer-out of shares, and of tax where it was withheld from a dividend: name, ticker or code',
      ),
      quantity: text(
        'Of buy, sell and rights: how many, as a decimal string, e.g. "10"; of sell also a part of what is held: "all", "half", "1/3", "25%"; of cash-in-lieu the fraction given up, if known; of spin-off, merger and capital-return the old shares given up, if any; of transfer-out how many move',
      ),
      price: text(
        'Of buy, sell and rights ("0" for a bonus issue): the price of one piece, in the currency in which it is traded, e.g. "190.5"',
      ),
      total: text(
        'Of buy and sell, instead of price: what all pieces cost together, where the user says only that; with a price and instead of quantity: the money that was spent at that price',
      ),
      amount: text(
        'Of dividend and interest (before tax, in all; of a dividend also "0.25 per share"), tax, cash-in-lieu, capital-return, fee, deposit, withdrawal, a transfer-out of money; of fx what was given',
      ),
      currency: text(
        'ISO code of the price or amount; required for fee, deposit, withdrawal, interest and fx',
        MAX_CURRENCY,
      ),
      fee: text('Of buy, sell and rights'),
      tax: text(
        'Of buy, sell, dividend and interest; leave it out in sales on Korean exchanges to have it computed',
      ),
      date: text(
        'The day on which it happened, e.g. "2026-11-13"; never in the future. Leave it out where the user names no day: a trade then has the day of its exchange',
      ),
      time: told(
        z.string().max(MAX_TIME),
        'Only if the user gives it: the time of day, e.g. "14:30", with a zone only if they name one',
      ),
      isRefund: told(z.boolean(), 'Of tax: true if it was paid back'),
      isOpening: told(
        z.boolean(),
        'Of buy: true if the user tells what they hold already, with its average price',
      ),
      ratio: text('Of split: "50:1" for one into fifty, "1:10" for ten into one'),
      toName: told(nameInput(), 'Of spin-off and merger: the company whose shares were received'),
      toQuantity: text('Of spin-off and merger: how many of its shares were received'),
      percent: text('Of spin-off: the part of the cost that moves to the new shares, e.g. "19.8"'),
      toPortfolio: text(
        "Of transfer-out: the user's own portfolio that receives; `portfolio` is the one that gives",
      ),
      toAmount: text('Of fx: what was received'),
      toCurrency: text('Of fx: ISO code of what was received', MAX_CURRENCY),
      rate: text(
        "Only if the user gives it: the portfolio's currency for one unit of `currency`; of fx, in the place of toAmount, the rate at which it was exchanged",
      ),
      note: told(z.string().max(MAX_NOTE), 'Only if the user asks for one'),
      portfolio: portfolioInput(),
    })
    // The portfolio refuses a person's mistakes in their language; this check concerns the model alone.
    .superRefine(({ kind, currency }, check) => {
      if (isOfMoney(kind) && currency === undefined)
        check.addIssue({ code: 'custom', message: `currency is required for a ${kind}` });
    }),
);

type ToolInput = z.output<typeof recordTransactionInput>;

/** The request as described, checked and sent, with the resolved code. */
const requestOf = ({ symbol: name, ...input }: ToolInput, symbols: Deps['symbols']): RecordRequest => {
  if (name === undefined || isOfMoney(input.kind)) return { ...input };
  const match = symbols.resolve(name);
  if (match.status !== 'found') return { ...input, name };
  const instrument = coinIn(match.instrument, namedCurrency(input), symbols);
  return { ...input, name: codeFor(instrument, symbols) };
};

const PAGE = /^(\d{1,4})(?:쪽|페이지)?$/u;

/** `삼성전자 2`: an instrument and a page. */
const historyOf = ({ words, portfolio }: PortfolioLine): EntriesRequest => {
  const page = words.find((word) => PAGE.test(word));
  const name = words.filter((word) => word !== page).join(' ') || undefined;
  return { portfolio, page: Number(PAGE.exec(page ?? '')?.[1] ?? 1), name };
};

/** `12`, `#12`, `12번`, `5-304`, and `12@pension`, which names the portfolio of the entry as a completed option does. */
const NUMBER = /^#?(\d{1,9})(?:번)?(?:[-~–]#?(\d{1,9})(?:번)?)?(?:@([\p{L}\p{M}\p{N}_-]+))?$/u;
const LAST = /^(?:last|latest|마지막|방금|최근)$/iu;

const undoOf = (line: PortfolioLine): UndoRequest | string => {
  const {
    words: [typed],
    portfolio,
  } = line;
  if (typed === undefined || LAST.test(typed)) return { portfolio };
  const [, digits, last, owner = portfolio] = NUMBER.exec(typed.normalize('NFKC')) ?? [];
  const number = Number(digits);
  const through = last === undefined ? undefined : Number(last);
  const isOfAnother =
    portfolio !== undefined && owner?.toLowerCase() !== portfolio.normalize('NFKC').toLowerCase();
  if (digits === undefined || isOfAnother || (through !== undefined && through < number))
    return leftOver(typed, 'undo', line);
  return { portfolio: owner, number, through };
};

/** What is recorded, and taken back. */
export const entryActions = {
  buy: entry('buy', {
    nameKo: '매수',
    description: { ko: '매수를 기록합니다', en: 'records a purchase' },
    words: 'buy add bought 매수 추가 구매 샀어 샀어요 샀다 샀습니다 샀음',
    ...TRADE,
  }),
  /** What is held already, at its average cost. */
  opening: entry('buy', {
    isOpening: true,
    words: 'hold held holding opening 보유 보유중 기존보유 평단 평단가 평균단가',
  }),
  sell: entry('sell', {
    nameKo: '매도',
    description: { ko: '매도를 기록합니다', en: 'records a sale' },
    words: 'sell sold 매도 팔기 판매 팔았어 팔았어요 팔았다 팔았습니다 팔았음',
    ...TRADE,
  }),
  dividend: entry('dividend', {
    nameKo: '배당',
    description: { ko: '받은 배당을 기록합니다', en: 'records a dividend' },
    words: 'dividend div 배당 배당금',
    options: [SYMBOL, AMOUNT, ...ABOUT],
    fills: ['symbol', 'amount'],
  }),
  split: entry('split', {
    nameKo: '분할',
    description: { ko: '액면분할이나 병합을 기록합니다', en: 'records a split' },
    words: 'split',
    options: [SYMBOL, RATIO, ...ABOUT],
    fills: ['symbol', 'ratio'],
  }),
  divide: entry('split', { direction: 'more', words: '분할 액면분할 주식분할' }),
  merge: entry('split', {
    direction: 'fewer',
    words: '병합 액면병합 주식병합 감자 무상감자 reverse reverse-split consolidate consolidation merge',
  }),
  rights: entry('rights', {
    nameKo: '유상증자',
    description: { ko: '유상증자를 기록합니다', en: 'records a rights issue' },
    words: 'rights rights-issue 유상증자 유상',
    ...TRADE,
  }),
  /** Shares at no cost. */
  bonus: entry('rights', { price: '0', words: 'bonus bonus-issue stock-dividend 무상증자 무상 주식배당' }),
  deposit: entry('deposit', {
    name: 'cash',
    nameKo: '입출금',
    description: {
      ko: '입금, 출금, 계좌 수수료, 이자를 기록합니다',
      en: 'records a deposit, a withdrawal, a fee or interest',
    },
    typed: '',
    words: 'deposit 입금',
    options: [KIND, AMOUNT, ...ABOUT],
    fills: ['kind', 'amount'],
  }),
  withdrawal: entry('withdrawal', { words: 'withdraw withdrawal 출금' }),
  fee: entry('fee', { words: 'fee 수수료', wordsBehind: false }),
  interest: entry('interest', { words: 'interest 이자 예탁금이자 예탁금이용료 이용료' }),
  fx: entry('fx', {
    nameKo: '환전',
    description: { ko: '환전을 기록합니다', en: 'records a currency exchange' },
    words: 'fx exchange 환전',
    options: [AMOUNTS, ...ABOUT],
  }),
  'transfer-out': entry('transfer-out', {
    name: 'other',
    nameKo: '기타',
    description: {
      ko: '이체, 무상증자, 병합, 인적분할, 합병, 감자, 세금 등',
      en: 'records a transfer, spin-off, merger, return of capital, tax …',
    },
    typed: '',
    words: 'transfer move moved 이체 옮기기 옮김 옮겼어 옮겼어요 옮겼습니다',
    options: [ENTRY, ...ABOUT],
  }),
  tax: entry('tax', { mayBeYear: true, words: 'tax 세금', wordsBehind: false }),
  withheld: entry('tax', { words: 'withholding 원천세 원천징수 배당세', wordsBehind: false }),
  refund: entry('tax', { isRefund: true, words: 'refund tax-refund 환급 세금환급 배당세환급' }),
  'cash-in-lieu': entry('cash-in-lieu', { words: 'cash-in-lieu lieu cil 단주대금 단주' }),
  'spin-off': entry('spin-off', { words: 'spin-off spinoff 인적분할 분할상장 스핀오프 기업분할' }),
  merger: entry('merger', { words: 'merger merged 합병 흡수합병 피합병 주식교환' }),
  'capital-return': entry('capital-return', {
    words: 'capital-return return-of-capital roc 자본환급 원금환급 감액배당 유상감자',
  }),
  /** Models name the kind and its fields. */
  recordByModel: action<Deps, ToolInput>({
    effect: 'record',
    prepare: async (input, { portfolio, symbols }, who, signal) => {
      const plan = await portfolio.plan(requestOf(input, symbols), who, signal);
      if (plan.status === 'refused') return plan;
      // Midnight may pass before it is allowed.
      const isUndated = input.date === undefined && input.time === undefined;
      return isUndated ? plan : { ...plan, shown: {} };
    },
    progress: ({ symbol }, locale) => {
      const t = portfolioTexts(locale);
      const name = shortened(symbol ?? '');
      return name === '' ? t.recordingAny() : t.recording({ name });
    },
    // The person has approved the entry with its anomalies.
    run: (input, { portfolio, symbols }, who, signal) =>
      portfolio.record({ ...requestOf(input, symbols), isSure: true }, who, signal),
    tool: {
      name: 'record_transaction',
      description: [
        "Write something that happened into the user's own portfolio records: a purchase, sale, dividend, fee, split,",
        'deposit, withdrawal, currency exchange, interest, withheld tax, rights or bonus issue, cash in lieu of a fraction, spin-off, merger, return of capital,',
        'or a transfer between their own portfolios.',
        ' Nothing is bought or sold by it. Use it when the user says that they',
        'bought, sold or received something and wants it recorded. Numbers are decimal strings, exactly as the user gave',
        'them; never make one up: ask for the quantity, price or date that is missing. The user is shown the exact entry',
        'with what is odd about it, and has to allow it; what cannot be recorded is refused before that. One call for each entry.',
      ],
      isExternal: true,
      input: recordTransactionInput,
    },
  }),
  history: action<Deps, EntriesRequest>({
    nameKo: '내역',
    description: { ko: '거래 내역을 봅니다', en: 'your entries' },
    words: 'history transactions 내역 거래내역 기록',
    wordsBehind: true,
    input: {
      page: {
        option: option('page', '페이지', {
          ko: '몇 번째 페이지',
          en: 'which page',
          type: 'integer',
          min: 1,
          max: 9_999,
        }),
      },
      name: { option: { ...SYMBOL, isRequired: false } },
      portfolio: inPortfolio,
    },
    read: reads(historyOf),
    run: (asked, { portfolio }, who, signal) => portfolio.history(asked, who, signal),
  }),
  undo: action<Deps, UndoRequest>({
    nameKo: '취소',
    description: { ko: '기록을 취소합니다', en: 'undoes an entry' },
    words: 'undo 취소 되돌리기',
    wordsBehind: true,
    effect: 'record',
    input: {
      number: {
        option: option('number', '번호', {
          ko: '기록 번호 (비우면 마지막 기록)',
          en: 'number of the entry (the last one if left out)',
          suggest: 'entry',
        }),
        input: optional(() => z.int().min(1).max(MAX_NUMBER), 'Number of the entry; absent: the last one'),
      },
      portfolio: inPortfolio,
      through: {},
    },
    read: reads(undoOf),
    prepare: (input, { portfolio }, who, signal) => portfolio.planUndo(input, who, signal),
    unshown: ({ number }, locale) => (number === undefined ? portfolioTexts(locale).undoWhich() : undefined),
    progress: (_input, locale) => portfolioTexts(locale).undoing(),
    // In one turn, the last entry is another one each time.
    run: (input, { portfolio }, who, signal) =>
      portfolio.undo(input, { ...who, requestId: `${who.requestId}:${input.number ?? 'last'}` }, signal),
    tool: {
      name: 'undo_transaction',
      description: [
        "Take an entry of the user's own portfolio records back. Use it only when the user asks to undo, cancel or delete",
        'something that was recorded. The user is shown the entry and has to allow it. Pass the number of the entry where the user or an earlier',
        'result gives one; leave it out for the entry that was recorded last. Nothing is erased: the entry stays in the',
        'history as undone.',
      ],
    },
  }),
};
