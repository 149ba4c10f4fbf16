import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { codeFor, type SymbolSearch } from '#src/kernel/market/finance.ts';
import { TRANSACTION_KINDS } from '#src/kernel/market/ledger.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { type Requester, requesterOfCall } from '#src/kernel/people/requester.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, type ToolExecutionContext, toolInput } from '#src/kernel/agent/tool.ts';
import { coinIn } from '#src/markets/symbols/coin-pairs.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { isOfInstrument, namedCurrency } from '../entries/instrument.ts';
import { ABOUT_PORTFOLIOS, type Asks, portfolioInput } from './tools.ts';

/** Few questions are open at once; older ones are dropped. */
const MAX_SHOWN = 1_000;

/** Keeps what an approval question showed until the call runs, when the result may differ. Lost on restart. */
const createShown = <T extends {}>() => {
  const shown = new LRUCache<string, T>({ max: MAX_SHOWN });
  return {
    keep: (key: string, value: T): void => {
      shown.set(key, value);
    },
    take: (key: string): T | undefined => {
      const value = shown.get(key);
      shown.delete(key);
      return value;
    },
  };
};

interface RecordTransactionDeps extends Asks<'record' | 'plan'> {
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** The limit of a number or a day. */
const MAX_CHARACTERS = 40;
const MAX_CURRENCY = 10;
/** Longer than any time with a zone name. */
const MAX_TIME = 80;
const MAX_NOTE = 200;

const text = (description: string, maxCharacters = MAX_CHARACTERS) =>
  z.string().min(1).max(maxCharacters).optional().describe(description);

/** A transfer is told by the portfolio that gives. */
const TOLD_KINDS = TRANSACTION_KINDS.filter((kind) => kind !== 'transfer-in');

const NEEDS_CURRENCY: ReadonlySet<string> = new Set(['fee', 'deposit', 'withdrawal', 'fx', 'interest']);

const recordTransactionInput = toolInput(() =>
  z
    .object({
      kind: z.enum(TOLD_KINDS).describe('What happened'),
      symbol: nameInput()
        .optional()
        .describe(
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
      time: z
        .string()
        .max(MAX_TIME)
        .optional()
        .describe(
          'Only if the user gives it: the time of day, e.g. "14:30", with a zone only if they name one',
        ),
      isRefund: z.boolean().optional().describe('Of tax: true if it was paid back'),
      isOpening: z
        .boolean()
        .optional()
        .describe('Of buy: true if the user tells what they hold already, with its average price'),
      ratio: text('Of split: "50:1" for one into fifty, "1:10" for ten into one'),
      toName: nameInput()
        .optional()
        .describe('Of spin-off and merger: the company whose shares were received'),
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
      note: z.string().max(MAX_NOTE).optional().describe('Only if the user asks for one'),
      portfolio: portfolioInput(),
    })
    // The portfolio refuses a person's mistakes in their language; this check concerns the model alone.
    .superRefine(({ kind, currency }, check) => {
      if (NEEDS_CURRENCY.has(kind) && currency === undefined)
        check.addIssue({ code: 'custom', message: `currency is required for a ${kind}` });
    }),
);

type Input = z.output<typeof recordTransactionInput>;

/** The request as described, checked and sent, with the resolved code. */
const requestOf = (
  { symbol: name, ...input }: Input,
  symbols: Pick<SymbolSearch, 'resolve'>,
): RecordRequest => {
  if (name === undefined || !isOfInstrument(input.kind)) return { ...input };
  const match = symbols.resolve(name);
  if (match.status !== 'found') return { ...input, name };
  const instrument = coinIn(match.instrument, namedCurrency(input), symbols);
  return { ...input, name: codeFor(instrument, symbols) };
};

/** The same call repeated after a restart is the same entry. */
const requesterOf = (input: Input, context: ToolExecutionContext): Requester => {
  const key = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16);
  return requesterOfCall(context, `record_transaction:${key}`);
};

const recordKey = (input: Input, { turnId }: ToolExecutionContext): string =>
  `${turnId} ${JSON.stringify(input)}`;
const isUndated = ({ date, time }: Input): boolean => date === undefined && time === undefined;

export const recordTransaction = (deps: RecordTransactionDeps): Tool => {
  /** The day shown for an undated entry, because midnight may pass before the approval. */
  const days = createShown<string>();
  return defineTool({
    name: 'record_transaction',
    description: [
      "Write something that happened into the user's own portfolio records: a purchase, sale, dividend, fee, split,",
      'deposit, withdrawal, currency exchange, interest, withheld tax, rights or bonus issue, cash in lieu of a fraction, spin-off, merger, return of capital,',
      'or a transfer between their own portfolios.',
      ' Nothing is bought or sold by it. Use it when the user says that they',
      'bought, sold or received something and wants it recorded. Numbers are decimal strings, exactly as the user gave',
      'them; never make one up: ask for the quantity, price or date that is missing. The user is shown the exact entry',
      'with what is odd about it, and has to allow it; what cannot be recorded is refused before that. One call for each entry.',
    ].join(' '),
    ...ABOUT_PORTFOLIOS,
    isTransactional: true,
    input: recordTransactionInput,
    prepare: async (input, context, signal) => {
      const request = requestOf(input, deps.symbols);
      const plan = await deps.portfolio.plan(request, requesterOf(input, context), signal);
      if (plan.status === 'refused') return { status: 'refused', result: toolResult(plan.answer) };
      if (isUndated(input)) days.keep(recordKey(input, context), plan.date);
      return { status: 'ready', summary: plan.text };
    },
    progress: ({ symbol }, locale) => {
      const t = portfolioTexts(locale);
      const name = shortened(symbol ?? '');
      return name === '' ? t.recordingAny() : t.recording({ name });
    },
    run: async (input, context, signal) => {
      const date = input.date ?? days.take(recordKey(input, context));
      const request = requestOf({ ...input, date }, deps.symbols);
      // The person has approved the entry with its anomalies.
      const sure = { ...request, isSure: true };
      return toolResult(await deps.portfolio.record(sure, requesterOf(input, context), signal));
    },
  });
};

const MAX_NUMBER = 1_000_000_000;

const undoKey = ({ turnId }: ToolExecutionContext, portfolio = ''): string => `${turnId} ${portfolio}`;

const undoTransactionInput = toolInput(() =>
  z.object({
    number: z.int().min(1).max(MAX_NUMBER).optional().describe('Number of the entry; absent: the last one'),
    portfolio: portfolioInput(),
  }),
);

export const undoTransaction = ({ portfolio: service }: Asks<'undo' | 'planUndo'>): Tool => {
  /**
   * The entry shown as "the last one", because another may be recorded before the approval. After a restart its number
   * is requested.
   */
  const shown = createShown<number>();
  return defineTool({
    name: 'undo_transaction',
    description: [
      "Take an entry of the user's own portfolio records back. Use it only when the user asks to undo, cancel or delete",
      'something that was recorded. The user is shown the entry and has to allow it. Pass the number of the entry where the user or an earlier',
      'result gives one; leave it out for the entry that was recorded last. Nothing is erased: the entry stays in the',
      'history as undone.',
    ].join(' '),
    group: 'finance',
    isTransactional: true,
    accessesSensitiveData: true,
    input: undoTransactionInput,
    prepare: async ({ number, portfolio }, context, signal) => {
      const requester = requesterOfCall(context, 'undo_transaction');
      const plan = await service.planUndo({ number, portfolio }, requester, signal);
      if (plan.status === 'refused') return { status: 'refused', result: toolResult(plan.answer) };
      if (number === undefined) shown.keep(undoKey(context, portfolio), plan.number);
      return { status: 'ready', summary: plan.text };
    },
    progress: (_input, locale) => portfolioTexts(locale).undoing(),
    run: async ({ number: named, portfolio }, context, signal) => {
      const number = named ?? shown.take(undoKey(context, portfolio));
      if (number === undefined && context.isResumed)
        return { content: portfolioTexts(context.locale).undoWhich(), isError: true };
      const requester = requesterOfCall(context, `undo_transaction:${number ?? 'last'}`);
      return toolResult(await service.undo({ number, portfolio }, requester, signal));
    },
  });
};
