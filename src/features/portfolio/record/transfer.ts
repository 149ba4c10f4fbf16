import type { OwnerId } from '#src/kernel/ids.ts';
import {
  type CashTransfer,
  isTransfer,
  type NewTransaction,
  type PortfolioRecord,
  type ShareTransfer,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { type Currency, Decimal, formatCount } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { AccountQuery, Requester } from '#src/kernel/people/requester.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { shownMoneyText } from '#src/markets/answers/money-text.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import { type FactRecorder, withoutFacts } from '#src/markets/answers/fact-recorder.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import { changingRulesOf, type LedgerProblem, type LedgerState, positionIn } from '../ledger/ledger-state.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { pickPortfolio, refusedAnswer } from '../portfolios/pick-portfolio.ts';
import { fillRates } from '../rates/fill-rates.ts';
import { hasSampleFigures } from '../rates/rate-text.ts';
import type { Sides } from '../store/record.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { isBlank } from '../entries/entry-problems.ts';
import { cashText, coreText, entryText, momentText, positionText } from '../entries/entry-text.ts';
import { portionHeld } from './evaluate-entry.ts';
import { type Draft, draftOf, planAnswer, recordAnswer, type RecordDeps, refusalAnswer } from './record.ts';
import type { RecordPlan } from '../requests.ts';

type Transfer = ShareTransfer | CashTransfer;

/** Decimals of the rate at which money had come. */
const RATE_DECIMALS = 18;

type Picked =
  | { readonly ownerId: OwnerId; readonly portfolios: Sides<PortfolioRecord> }
  | { readonly answer: MarketAnswer };

/** With two portfolios the one that is not named is meant. */
const pickSides = async (
  { portfolio: from, toPortfolio: to }: RecordRequest,
  requester: Requester,
  deps: RecordDeps,
): Promise<Picked> => {
  const t = portfolioTexts(requester.locale);
  const [one, other] = await Promise.all([
    pickPortfolio(deps, requester, isBlank(from) ? undefined : from),
    pickPortfolio(deps, requester, isBlank(to) ? undefined : to),
  ]);
  if (one.status === 'none' || other.status === 'none') return { answer: refusedAnswer(t.transferAlone()) };
  const { all } = one;
  if (all.length < 2) return { answer: refusedAnswer(t.transferAlone()) };
  const where = {
    answer: refusedAnswer(
      t.transferWhere({ names: all.map(({ name }) => name).join(', '), example: t.examples['transfer-out'] }),
    ),
  };
  if (one.status === 'unknown' || other.status === 'unknown' || isBlank(to)) return where;
  const isSame = one.portfolio.id === other.portfolio.id;
  if (isSame && !isBlank(from))
    return { answer: refusedAnswer(t.transferSame({ name: other.portfolio.name })) };
  const rest = all.filter(({ id }) => id !== other.portfolio.id);
  const source = isSame ? (rest.length === 1 ? rest[0] : undefined) : one.portfolio;
  return source ? { ownerId: one.ownerId, portfolios: { from: source, to: other.portfolio } } : where;
};

interface TransferDraft {
  readonly draft: Draft;
  readonly ownerId: OwnerId;
  readonly portfolios: Sides<PortfolioRecord>;
  /** The entry of the portfolio that gives, before its lots are known. */
  readonly entry: Transfer;
  /** The giving ledger with rates into the other portfolio's currency, by number. */
  readonly ratedForOther: ReadonlyMap<number, NewTransaction>;
}

const ratedInto = async (
  entries: readonly Transaction[],
  currency: Currency,
  deps: RecordDeps,
  signal: AbortSignal,
): Promise<TransferDraft['ratedForOther']> => {
  const bare = entries.map((entry): NewTransaction => {
    const { rate: _rate, ...rest } = entry;
    if (rest.kind !== 'fx') return rest;
    const { toRate: _toRate, ...exchange } = rest;
    return exchange;
  });
  const filled = await fillRates(bare, currency, deps, signal);
  return new Map(entries.flatMap(({ number }, index) => (filled[index] ? [[number, filled[index]]] : [])));
};

const draftTransfer = async (
  request: RecordRequest,
  requester: Requester,
  deps: RecordDeps,
  signal: AbortSignal,
): Promise<TransferDraft | { readonly answer: MarketAnswer }> => {
  const picked = await pickSides(request, requester, deps);
  if ('answer' in picked) return picked;
  const { portfolios, ownerId } = picked;
  const { from, to } = portfolios;
  const named = { ...request, portfolio: from.name, toPortfolio: to.name, isSure: true };
  const draft = await draftOf(named, requester, deps, signal);
  if ('answer' in draft) return draft;
  const [entry] = await fillRates([draft.terms.entry], from.baseCurrency, deps, signal);
  if (!entry || !isTransfer(entry)) throw new Error('A transfer became another entry');
  const ratedForOther =
    from.baseCurrency === to.baseCurrency
      ? new Map<number, NewTransaction>()
      : await ratedInto(draft.existing, to.baseCurrency, deps, signal);
  return { draft, ownerId, portfolios, entry: { ...entry, link: entry.clientId }, ratedForOther };
};

interface Refused {
  readonly problem: LedgerProblem;
  readonly isLater: boolean;
}

interface Evaluated {
  readonly entries: Sides<Transfer>;
  readonly states: Sides<LedgerState>;
}

/** The rate at which the money had come; undefined for the portfolio's own. */
const rateOf = (cost: Decimal | undefined, amount: Decimal): Pick<CashTransfer, 'rate'> =>
  cost
    ? { rate: new Decimal(new Exact(cost).dividedBy(amount).toDecimalPlaces(RATE_DECIMALS).toFixed()) }
    : {};

/** Both entries with what moves, if both ledgers are valid with them. */
const evaluateTransfer = function* (
  { entry: asked, draft, ratedForOther }: TransferDraft,
  existing: Sides<readonly Transaction[]>,
  { from, to }: Sides<PortfolioRecord>,
): Steps<Evaluated | Refused> {
  const rules = changingRulesOf(from);
  const { portion } = draft.terms;
  const quantity =
    portion && 'instrument' in asked ? yield* portionHeld(asked, portion, existing.from, rules) : undefined;
  if (portion && !quantity) return { problem: { kind: 'nothing-held', at: asked }, isLater: false };
  const entry: Transfer = quantity && 'instrument' in asked ? { ...asked, quantity } : asked;
  const given = yield* deriveLedger([...existing.from, entry], rules);
  if (given.status === 'refused') return { ...given, isLater: given.problem.at !== entry };
  const rated = existing.from.map((each) => ratedForOther.get(each.number) ?? each);
  const seen =
    from.baseCurrency === to.baseCurrency
      ? given
      : yield* deriveLedger([...rated, entry], { ...rules, baseCurrency: to.baseCurrency });
  const own = given.state.moved.find((moved) => moved.entry === entry);
  const other = seen.status === 'ok' ? seen.state.moved.find((moved) => moved.entry === entry) : undefined;
  const sideOf = (side: 'from' | 'to'): Transfer => {
    const [moved, name] = side === 'from' ? [own, to.name] : [other, from.name];
    const { rate: _rate, rateDay: _day, ...rest } = entry;
    const common = {
      kind: side === 'from' ? ('transfer-out' as const) : ('transfer-in' as const),
      otherName: name,
    };
    return 'instrument' in rest
      ? { ...rest, ...common, lots: moved?.lots ?? own?.lots ?? [] }
      : { ...rest, ...common, ...rateOf(moved?.cost.base, rest.amount) };
  };
  const entries = { from: sideOf('from'), to: sideOf('to') };
  const left = yield* deriveLedger([...existing.from, entries.from], rules);
  if (left.status === 'refused') return { ...left, isLater: left.problem.at !== entries.from };
  const got = yield* deriveLedger([...existing.to, entries.to], changingRulesOf(to));
  if (got.status === 'refused') return { ...got, isLater: got.problem.at !== entries.to };
  return { entries, states: { from: left.state, to: got.state } };
};

/** Says that one of both is an account that the tax report leaves out. */
const taxNotes = ({ from, to }: Sides<PortfolioRecord>, { locale }: Requester): readonly string[] => {
  const t = portfolioTexts(locale);
  if (from.account === to.account) return [];
  return [from, to].flatMap(({ name, account }) =>
    account ? [t.ownTax({ name, kind: t.accounts[account] })] : [],
  );
};

const costText = (entry: Transfer, told: FactRecorder): readonly string[] => {
  if (!('instrument' in entry)) return [];
  const [first, last] = [entry.lots[0]?.first, entry.lots.at(-1)?.last];
  if (!first || !last) return [];
  const cost = entry.lots.reduce<Decimal>((sum, lot) => new Exact(sum).plus(lot.cost), ZERO);
  const days = first.equals(last) ? first.toString() : `${first.toString()} – ${last.toString()}`;
  const { instrument, currency } = entry;
  told
    .about({ entity: instrument.symbol, names: namesOf(instrument) })
    .keep('cost', cost, currency, entry.kind);
  return [
    portfolioTexts(told.locale).costGoesAlong({ cost: shownMoneyText(cost, currency, told.locale), days }),
  ];
};

const positionLines = (
  { entries, states }: Evaluated,
  portfolios: Sides<PortfolioRecord>,
  tolds: Sides<FactRecorder>,
): readonly string[] => {
  return (['from', 'to'] as const).flatMap((side) => {
    const entry = entries[side];
    const position = 'instrument' in entry ? positionIn(states[side], entry.instrument.symbol) : undefined;
    const cash = states[side].cash.filter(({ currency }) => currency === entry.currency);
    const text = position ? positionText(position, tolds[side]) : cashText(cash, tolds[side]);
    return text === '' ? [] : [`**${portfolios[side].name}**: ${text}`];
  });
};

const transferAnswer = async (
  request: RecordRequest,
  requester: Requester,
  deps: RecordDeps,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const { locale } = requester;
  const t = portfolioTexts(locale);
  const draft = await draftTransfer(request, requester, deps, signal);
  if ('answer' in draft) return draft.answer;
  const { portfolios, ownerId } = draft;
  const { from, to } = portfolios;
  let evaluated: Evaluated | undefined;
  const outcome = await deps.store.recordBoth<Refused>(
    ownerId,
    { from: from.id, to: to.id },
    [draft.entry.clientId],
    function* (existing, current) {
      const found = yield* evaluateTransfer(draft, existing, current);
      if ('problem' in found) return { refused: found };
      evaluated = found;
      return { from: { append: [found.entries.from] }, to: { append: [found.entries.to] } };
    },
    signal,
  );
  switch (outcome.status) {
    case 'gone':
      return refusedAnswer(t.gone({ name: to.name }));
    case 'full':
      return refusedAnswer(t.full({ limit: formatCount(outcome.limit, locale) }));
    case 'refused':
      return refusalAnswer(outcome.refusal, draft.draft, deps, requester);
    case 'recorded':
    case 'reversed':
    case 'repeated': {
      const [out] = outcome.transactions.from;
      const [into] = outcome.transactions.to;
      if (!out || !into || !isTransfer(out)) return refusedAnswer(t.gone({ name: to.name }));
      const numbers = { from: from.name, number: out.number, to: to.name, toNumber: into.number };
      const { clock } = deps;
      const isSample = hasSampleFigures([out]);
      const toldOf = (portfolio: PortfolioRecord): FactRecorder =>
        portfolioTold({ portfolio, now: clock.now(), isSample }, locale);
      const tolds = { from: toldOf(from), to: toldOf(to) };
      entryText(into, to.baseCurrency, tolds.to);
      const head = [
        outcome.status === 'repeated' ? t.transferredBefore(numbers) : t.transferred(numbers),
        entryText(out, from.baseCurrency, tolds.from),
      ].join('\n');
      const choices = [
        {
          label: t.undo({ number: out.number }),
          command: `/portfolio undo ${out.number} --in=${from.name}`,
          effect: 'ends' as const,
          isDestructive: true,
        },
      ];
      return {
        content: [
          head,
          ...(evaluated
            ? [...costText(out, tolds.from), ...positionLines(evaluated, portfolios, tolds)]
            : []),
          ...taxNotes(portfolios, requester),
        ].join('\n'),
        facts: [...tolds.from.facts(), ...tolds.to.facts()],
        found: 1,
        choices,
        receipt: { effect: 'recorded', text: head, choices },
      };
    }
  }
  return outcome satisfies never;
};

/** Records an entry, or both entries of a transfer. */
export const recordOrTransfer =
  (deps: RecordDeps): AccountQuery<RecordRequest> =>
  (request, requester, signal) =>
    request.kind === 'transfer-out'
      ? transferAnswer(request, requester, deps, signal)
      : recordAnswer(deps)(request, requester, signal);

/** Checks the same and stores nothing. */
export const planOrTransfer =
  (deps: RecordDeps): AccountQuery<RecordRequest, RecordPlan> =>
  async (request, requester, signal) => {
    if (request.kind !== 'transfer-out') return planAnswer(deps)(request, requester, signal);
    const { locale } = requester;
    const t = portfolioTexts(locale);
    const draft = await draftTransfer(request, requester, deps, signal);
    if ('answer' in draft) return { status: 'refused', answer: draft.answer };
    const { portfolios, ownerId } = draft;
    const counting = async ({ id }: PortfolioRecord): Promise<readonly Transaction[]> =>
      (await deps.store.transactions(ownerId, id, signal)).filter(({ isReversed }) => !isReversed);
    const existing = { from: await counting(portfolios.from), to: await counting(portfolios.to) };
    const found = await byTime(evaluateTransfer(draft, existing, portfolios), signal);
    if ('problem' in found)
      return { status: 'refused', answer: refusalAnswer(found, draft.draft, deps, requester) };
    const entry = found.entries.from;
    return {
      status: 'ready',
      text: [
        `${coreText(entry, withoutFacts(locale), 'plan')} · ${momentText(entry)}`,
        `- ${t.planIn({ name: portfolios.from.name })}`,
        ...('instrument' in entry ? [`- ${t.costWillGo()}`] : []),
        ...taxNotes(portfolios, requester).map((note) => `- ${note}`),
        t.exact(),
      ].join('\n'),
      shown: { date: entry.date.toString() },
    };
  };
