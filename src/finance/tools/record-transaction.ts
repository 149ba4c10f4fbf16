import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Instrument, SymbolSearch } from '#src/core/finance.ts';
import { texts } from '#src/core/i18n.ts';
import { codeFor } from '#src/core/instrument-code.ts';
import { TRANSACTION_KINDS } from '#src/core/ledger.ts';
import { type Asker, askerOfCall, type PortfolioDesk, type RecordRequest } from '#src/core/personal-desk.ts';
import { shortened } from '#src/core/text.ts';
import { defineTool, type Tool, type ToolExecutionContext } from '#src/core/tool.ts';
import type { Clock } from '#src/infra/clock.ts';
import { portionOf } from '#src/language/portions.ts';
import { resolveNames } from '../answers/resolve-names.ts';
import { entryProblemText } from '../portfolio/entries/entry-problems.ts';
import { readEntry, type ReadEntry } from '../portfolio/entries/read-entry.ts';
import { coinIn, isOfInstrument, namedCurrency } from '../portfolio/record-instrument.ts';
import { toolResult } from './market-tool-result.ts';
import { nameInput } from './name-input.ts';

export interface RecordTransactionDeps {
  readonly portfolio: Pick<PortfolioDesk, 'record' | 'plan'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly clock: Clock;
}

const MAX_DECIMAL = 40;
const MAX_NOTE = 200;
/** Where the day begins first: what is no future there may be none for the person. */
const EARLIEST_ZONE = 'Pacific/Kiritimati';

const decimal = (what: string) => z.string().min(1).max(MAX_DECIMAL).optional().describe(what);

const fields = z.object({
  kind: z.enum(TRANSACTION_KINDS).describe('What happened'),
  symbol: nameInput().optional().describe('Of buy, sell, dividend, split: name, ticker or code'),
  quantity: decimal(
    'Of buy and sell: how many, as a decimal string, e.g. "10"; of sell also "all" or "half" of what is held',
  ),
  price: decimal(
    'Of buy and sell: the price of one piece, in the currency in which it is traded, e.g. "190.5"',
  ),
  total: decimal(
    'Of buy and sell, instead of price: what all pieces cost together, where the user says only that',
  ),
  amount: decimal('Of dividend (before tax, in all), fee, deposit, withdrawal; of fx what was given'),
  currency: z
    .string()
    .min(1)
    .max(10)
    .optional()
    .describe('ISO code of the price or amount; required for fee, deposit, withdrawal and fx'),
  fee: decimal('Of buy and sell'),
  tax: decimal('Of buy, sell and dividend; leave it out in sales on Korean exchanges to have it computed'),
  date: z.iso.date().describe('The day on which it happened, e.g. "2026-11-13"; never in the future'),
  ratio: decimal('Of split: "50:1" for one into fifty, "1:10" for ten into one'),
  toAmount: decimal('Of fx: what was received'),
  toCurrency: z.string().min(1).max(10).optional().describe('Of fx: ISO code of what was received'),
  rate: decimal("Only if the user gives it: the portfolio's currency for one unit of `currency`"),
  note: z.string().max(MAX_NOTE).optional().describe('Only if the user asks for one'),
  portfolio: nameInput().optional().describe('Name of one of their portfolios; leave it out for the default'),
});

type Input = z.output<typeof fields>;

interface Meant {
  readonly instrument: Instrument | undefined;
  readonly request: RecordRequest;
}

/** The very request that is described, checked and sent: with the code of what was found, and its currency. */
const meantBy = ({ symbol: name, ...input }: Input, symbols: Pick<SymbolSearch, 'resolve'>): Meant => {
  if (name === undefined || !isOfInstrument(input.kind))
    return { instrument: undefined, request: { ...input } };
  const match = symbols.resolve(name);
  if (match.status !== 'found') return { instrument: undefined, request: { ...input, name } };
  const instrument = coinIn(match.instrument, namedCurrency(input), symbols);
  const currency = input.currency ?? instrument.currency;
  return { instrument, request: { ...input, name: codeFor(instrument, symbols), currency } };
};

/** Money of its own as far as it can be known here: what the portfolio is kept in is the person's affair. */
const readAlone = ({ instrument, request }: Meant, clock: Clock): ReadEntry => {
  const isPortion = request.kind === 'sell' && portionOf(request.quantity) !== undefined;
  return readEntry(isPortion ? { ...request, quantity: '1' } : request, {
    instrument,
    baseCurrency: '',
    today: clock.now().toZonedDateTimeISO(EARLIEST_ZONE).toPlainDate(),
    clientId: '',
  });
};

const NEEDS_CURRENCY: ReadonlySet<string> = new Set(['fee', 'deposit', 'withdrawal', 'fx']);

const problemOf = (input: Input, { symbols, clock }: RecordTransactionDeps): string | undefined => {
  const { kind, symbol, currency } = input;
  if (NEEDS_CURRENCY.has(kind) && currency === undefined) return `currency is required for a ${kind}`;
  if (isOfInstrument(kind) && symbol !== undefined) {
    const [name] = resolveNames([symbol], symbols, 'en', (code) => code).names;
    if (name?.status === 'missed') return name.text;
  }
  const read = readAlone(meantBy(input, symbols), clock);
  // What other money comes to is worked out when the call is prepared.
  const isProblem = read.status === 'problem' && read.problem.kind !== 'other-currency';
  return isProblem ? entryProblemText(read.problem, 'en') : undefined;
};

/** The same call, made again after a restart, is the same entry. */
const askerOf = (input: Input, context: ToolExecutionContext): Asker => {
  const key = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16);
  return askerOfCall(context, `record_transaction:${key}`);
};

export const recordTransaction = (deps: RecordTransactionDeps): Tool =>
  defineTool({
    name: 'record_transaction',
    description: [
      "Write something that happened into the user's own portfolio records: a purchase, sale, dividend, fee, split,",
      'deposit, withdrawal or currency exchange. Nothing is bought or sold by it. Use it when the user says that they',
      'bought, sold or received something and wants it recorded. Numbers are decimal strings, exactly as the user gave',
      'them; never make one up: ask for the quantity, price or date that is missing. The user is shown the exact entry',
      'with what is odd about it, and has to allow it; what cannot be recorded is refused before that. One call for each entry. The result has the number of the entry, with which it can be undone.',
    ].join(' '),
    group: 'finance',
    isTransactional: true,
    accessesSensitiveData: true,
    isExternal: true,
    input: fields.superRefine((input, check) => {
      const problem = problemOf(input, deps);
      if (problem !== undefined) check.addIssue({ code: 'custom', message: problem });
    }),
    prepare: async (input, context, signal) => {
      const { request } = meantBy(input, deps.symbols);
      const plan = await deps.portfolio.plan(request, askerOf(input, context), signal);
      return plan.status === 'ready'
        ? { status: 'ready', summary: plan.text }
        : { status: 'refused', result: toolResult(plan.answer) };
    },
    progress: ({ symbol }, locale) => {
      const words = texts(locale).portfolio;
      const name = shortened(symbol ?? '');
      return name === '' ? words.recordingAny() : words.recording({ name });
    },
    run: async (input, context, signal) => {
      const { request } = meantBy(input, deps.symbols);
      // Nothing is recorded unasked: the person has seen what is odd about it.
      const sure = { ...request, isSure: true };
      return toolResult(await deps.portfolio.record(sure, askerOf(input, context), signal));
    },
  });
