import type { OwnerId } from '#src/kernel/ids.ts';
import {
  instrumentOf,
  type NewTransaction,
  type PortfolioRecord,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { AccountQuery, Requester } from '#src/kernel/people/requester.ts';
import { shortened } from '#src/kernel/text.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { atOnce, byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { PortfolioStore } from '../store/store.ts';
import { type FactRecorder, withoutFacts } from '#src/markets/answers/fact-recorder.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import { deriveWithSplits, gatherActions, type GatherDeps } from '../corporate-actions/gather-actions.ts';
import { countingParams, recordedOffers, splitParams } from '../corporate-actions/offers.ts';
import { isTrade, type Anomaly, splitAnomalies } from '../checks/anomalies.ts';
import { anomalyText } from '../checks/anomaly-text.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { fillRates, lacksRate } from '../rates/fill-rates.ts';
import type { FilledRates } from '../rates/rated-portfolios.ts';
import { isBlank, readEntryNumber } from '../entries/entry-problems.ts';
import {
  firstPortfolioFor,
  notPickedAnswer,
  type PickDeps,
  type PickedPortfolio,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { changingRulesOf, newRules, rulesOf } from '../ledger/ledger-state.ts';
import { countsBefore } from '../ledger/order-entries.ts';
import { rateNotes } from '../rates/rate-text.ts';
import { recordedAnswer, type RecordedEntry } from './answer.ts';
import { confirmationAnswer } from './confirmation.ts';
import { type EntryTerms, entryTermsOf, type TermsDeps } from './terms.ts';
import { type Fitting, evaluateEntry, type Refusal } from './evaluate-entry.ts';
import {
  coreText,
  detailTexts,
  ledgerProblemText,
  missingCashText,
  momentText,
  movedText,
  perShareText,
} from '../entries/entry-text.ts';
import type { RecordPlan } from '../requests.ts';

export type RecordDeps = PickDeps & GatherDeps & TermsDeps & { readonly store: PortfolioStore & FilledRates };

const todayOf = ({ timeZone }: Requester, clock: Clock): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO(timeZone).toPlainDate();

/** A missing split explains a sale that is too large, so the refusal names it. */
const refusalText = (
  { problem, isLater }: Refusal,
  { missing, terms, request }: Draft,
  told: FactRecorder,
  audience: Requester,
): string => {
  const { locale } = audience;
  if (isLater && problem.kind === 'overdrawn')
    return missingCashText(problem, terms.entry, request.portfolio, told);
  const why = ledgerProblemText(problem, locale, told);
  if (isLater) return portfolioTexts(locale).breaksLater({ why });
  const t = corporateActionTexts(locale);
  const hints = problem.kind === 'oversold' ? missing : [];
  return [
    why,
    ...hints.map(({ split, command }) => {
      const params = splitParams(split, { audience });
      return split.status === 'mixed'
        ? t.splitBeforeMixed({ ...params, ...countingParams(split) })
        : t.splitMissingHint({ ...params, command });
    }),
  ].join(' ');
};

export const refusalAnswer = (
  refusal: Refusal,
  draft: Draft,
  { clock }: Pick<RecordDeps, 'clock'>,
  requester: Requester,
): MarketAnswer => {
  const told = portfolioTold({ portfolio: draft, now: clock.now(), isSample: false }, requester.locale);
  return refusedAnswer(refusalText(refusal, draft, told, requester), told.facts());
};

/** True for a split without a time on a day whose trades therefore count after it. */
const isSplitBeforeTrades = (entry: NewTransaction | undefined, existing: readonly Transaction[]): boolean =>
  entry?.kind === 'split' &&
  existing.some(
    (other) =>
      !other.isReversed &&
      isTrade(other) &&
      other.instrument.symbol === entry.instrument.symbol &&
      other.date.equals(entry.date) &&
      countsBefore(entry, other),
  );

/** A request that is read and looked up, before the ledger is consulted. */
export interface Draft {
  readonly request: RecordRequest;
  readonly picked: Exclude<PickedPortfolio, { readonly status: 'unknown' }>;
  readonly name: PortfolioRecord['name'];
  readonly baseCurrency: PortfolioRecord['baseCurrency'];
  /** Includes reversed entries. */
  readonly existing: readonly Transaction[];
  readonly terms: EntryTerms;
  /** The splits that the holding lacks. */
  readonly missing: readonly MissingSplit[];
}

type MissingSplit = Extract<Anomaly, { readonly kind: 'missing-split' }>;

export const draftOf = async (
  request: RecordRequest,
  requester: Requester,
  deps: RecordDeps,
  signal: AbortSignal,
): Promise<Draft | { readonly answer: MarketAnswer }> => {
  const { locale } = requester;
  const picked = await pickPortfolio(deps, requester, request.portfolio);
  if (picked.status === 'unknown') return { answer: notPickedAnswer(picked, request.portfolio, locale) };
  const isKnown = picked.status === 'ok';
  const { name, baseCurrency } = isKnown ? picked.portfolio : firstPortfolioFor(request, locale);
  const existing = isKnown ? await deps.store.transactions(picked.ownerId, picked.portfolio.id, signal) : [];
  const now = deps.clock.now();
  const context = { existing, baseCurrency, today: todayOf(requester, deps.clock), now };
  const terms = await entryTermsOf(request, context, requester, deps, signal);
  if ('answer' in terms) return terms;
  const draft = { request, picked, name, baseCurrency, existing };
  // A confirmed request is not questioned again, but a sale that does not fit still learns the reason.
  if (!isKnown || (request.isSure && request.kind !== 'sell')) return { ...draft, terms, missing: [] };
  const { portfolio } = picked;
  const counting = existing.filter(({ isReversed }) => !isReversed);
  const place = { portfolio, existing: counting, audience: requester, symbols: deps.symbols };
  const odd = await splitAnomalies(terms.entry, place, deps, signal);
  const missing = odd.filter((each) => each.kind === 'missing-split');
  const anomalies = request.isSure ? terms.anomalies : [...terms.anomalies, ...odd];
  return { ...draft, terms: { ...terms, anomalies }, missing };
};

/** Lists everything that would be stored, and every anomaly, for the person who approves it. */
const planText = (
  { entry, anomalies }: Fitting,
  { request, baseCurrency, terms }: Draft,
  requester: Requester,
): string => {
  const { locale } = requester;
  const t = portfolioTexts(locale);
  const told = withoutFacts(locale);
  return [
    `${coreText(entry, told, 'plan')} · ${momentText(entry)}`,
    ...perShareText(entry, terms.perShare, told).map((line) => `- ${line}`),
    ...detailTexts(entry, baseCurrency, told).map((detail) => `- ${detail}`),
    ...movedText(entry, terms.moved, locale).map((line) => `- ${line}`),
    ...(request.portfolio === undefined ? [] : [`- ${t.planIn({ name: shortened(request.portfolio) })}`]),
    ...anomalies.map((anomaly) => `⚠ ${anomalyText(anomaly, entry, told, requester)}`),
    t.exact(),
  ].join('\n');
};

/** Runs the checks of `recordAnswer` and stores nothing. Throws on abort alone. */
export const planAnswer =
  (deps: RecordDeps): AccountQuery<RecordRequest, RecordPlan> =>
  async (request, requester, signal): Promise<RecordPlan> => {
    const draft = await draftOf(request, requester, deps, signal);
    if ('answer' in draft) return { status: 'refused', answer: draft.answer };
    const { picked, terms, existing, baseCurrency } = draft;
    const rules = picked.status === 'ok' ? changingRulesOf(picked.portfolio) : newRules(baseCurrency);
    const counting = existing.filter(({ isReversed }) => !isReversed);
    const evaluation = await byTime(evaluateEntry(draft, terms.entry, counting, rules), signal);
    return evaluation.status === 'refused'
      ? { status: 'refused', answer: refusalAnswer(evaluation.refusal, draft, deps, requester) }
      : {
          status: 'ready',
          text: planText(evaluation, draft, requester),
          shown: { date: evaluation.entry.date.toString() },
        };
  };

/** Adds the displayed rate, or the reason for its absence, to an entry that was recorded without one. */
const asShown = async (
  recorded: Transaction | undefined,
  ownerId: OwnerId,
  { id, baseCurrency }: PortfolioRecord,
  { store }: RecordDeps,
  signal: AbortSignal,
): Promise<Transaction | undefined> => {
  if (!recorded || !lacksRate(recorded, baseCurrency)) return recorded;
  const entries = await store.transactions(ownerId, id, signal);
  return entries.find(({ number }) => number === recorded.number) ?? recorded;
};

/** Finds unrecorded splits, and the ledger with them as the summary counts it. */
const withSplits = async (
  transaction: Transaction,
  portfolio: PortfolioRecord,
  requester: Requester,
  deps: RecordDeps,
  signal: AbortSignal,
): Promise<Pick<RecordedEntry, 'offers' | 'asIf'>> => {
  const symbol = instrumentOf(transaction)?.symbol;
  const recorded = await deps.store.transactions(portfolio.ownerId, portfolio.id, signal);
  const entries = recorded.filter(({ isReversed }) => !isReversed);
  const today = todayOf(requester, deps.clock);
  // A holding that was first bought today has no earlier split.
  const isOlder = entries.some(
    (entry) => instrumentOf(entry)?.symbol === symbol && Temporal.PlainDate.compare(entry.date, today) < 0,
  );
  if (symbol === undefined || !isOlder) return {};
  const found = await gatherActions({ portfolio, entries, symbol }, deps, signal);
  const offers = recordedOffers(found, transaction.date, {
    portfolio,
    audience: requester,
    symbols: deps.symbols,
  });
  if (!found.counted.has(symbol)) return { offers };
  const rules = rulesOf(portfolio);
  const { derived, unvalued } = await byTime(deriveWithSplits(found, entries, rules), signal);
  if (derived.status !== 'ok' || unvalued.has(symbol)) return { offers };
  const others = found.asIf.filter(({ clientId }) => clientId !== transaction.clientId);
  const without = await byTime(deriveLedger(others, rules), signal);
  const before = without.status === 'ok' ? without.state : undefined;
  return { offers, asIf: { before, after: derived.state } };
};

type Stopped = { readonly refusal: Refusal } | { readonly odd: Fitting };

/** Records the entry, asks for confirmation, or says why not. A refusal stores nothing. Throws on abort alone. */
export const recordAnswer =
  (deps: RecordDeps): AccountQuery<RecordRequest> =>
  async (request, requester, signal): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = portfolioTexts(locale);
    const draft = await draftOf(request, requester, deps, signal);
    if ('answer' in draft) return draft.answer;
    const { picked, terms, baseCurrency } = draft;
    const [filled] = await fillRates([terms.entry], baseCurrency, deps, signal);
    if (!filled) throw new Error('An entry was lost while its rate was looked up');
    const stopped = (why: Stopped): MarketAnswer =>
      'odd' in why
        ? confirmationAnswer({ ...draft, ...why.odd, now: deps.clock.now() }, requester, deps.symbols)
        : refusalAnswer(why.refusal, draft, deps, requester);

    // No portfolio is created for an entry that is refused or needs confirmation.
    if (picked.status === 'none') {
      const alone = atOnce(evaluateEntry(draft, filled, [], newRules(baseCurrency)));
      if (alone.status === 'refused') return stopped(alone);
      if (alone.anomalies.length > 0) return stopped({ odd: alone });
    }
    const { portfolio, isNew } =
      picked.status === 'ok'
        ? { portfolio: picked.portfolio, isNew: false }
        : await deps.store.openFirst(requester, firstPortfolioFor(request, locale));
    if (portfolio.baseCurrency !== baseCurrency) return recordAnswer(deps)(request, requester, signal);

    let fitting: Fitting | undefined;
    const decide = function* (
      existing: readonly Transaction[],
      current: PortfolioRecord,
    ): Steps<{ readonly append: readonly NewTransaction[] } | { readonly refused: Stopped }> {
      const evaluation = yield* evaluateEntry(draft, filled, existing, changingRulesOf(current));
      if (evaluation.status === 'refused') return { refused: evaluation };
      if (evaluation.anomalies.length > 0) return { refused: { odd: evaluation } };
      fitting = evaluation;
      return { append: [evaluation.entry] };
    };
    // The person may have linked accounts while prices and rates were looked up.
    const ownerId = await deps.owners.ownerOf(requester);
    const outcome = await deps.store.record(ownerId, portfolio.id, [filled.clientId], decide, signal);
    switch (outcome.status) {
      case 'gone':
      case 'reversed':
        return refusedAnswer(t.gone({ name: portfolio.name }));
      case 'refused':
        return stopped(outcome.refusal);
      case 'full':
        return refusedAnswer(t.full({ limit: formatCount(outcome.limit, locale) }));
      case 'recorded':
      case 'repeated': {
        const shown = await asShown(outcome.transactions[0], ownerId, portfolio, deps, signal);
        const filled = deps.store.takeFilled?.(portfolio.id);
        return recordedAnswer(
          {
            portfolio,
            isNew,
            ...(shown && (await withSplits(shown, portfolio, requester, deps, signal))),
            isRepeated: outcome.status === 'repeated',
            transaction: shown,
            rateNotes: rateNotes(shown ? [shown] : [], filled, baseCurrency, locale),
            terms,
            fitting,
            isBeforeTrades: isSplitBeforeTrades(fitting?.entry, draft.existing),
            // With a price in the request, no price was derived from the total.
            total: isBlank(request.price) ? readEntryNumber(request.total ?? '')?.value : undefined,
            isTaxComputed: request.kind === 'sell' && isBlank(request.tax),
            now: deps.clock.now(),
          },
          requester,
        );
      }
    }
    return outcome satisfies never;
  };
