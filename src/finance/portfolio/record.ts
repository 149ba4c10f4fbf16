import type { SymbolSearch } from '#src/core/finance.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { NewTransaction, PortfolioRecord, Transaction } from '#src/core/ledger.ts';
import type { MarketAnswer } from '#src/core/market-desk.ts';
import { formatCount } from '#src/core/money.ts';
import type { Asker, PortfolioDesk } from '#src/core/personal-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import { atOnce, type Steps } from '#src/infra/steps.ts';
import type { PortfolioStore } from '#src/storage/portfolios.ts';
import type { Market } from '../market/source.ts';
import { deriveLedger, isMoneyMove } from './ledger/derive-ledger.ts';
import { fillRates } from './entries/fill-rates.ts';
import { readEntryNumber } from './entries/read-entry-number.ts';
import { FIRST_PORTFOLIO } from './first-portfolio.ts';
import type { LedgerProblem, LedgerRules, LedgerState } from './ledger/ledger-state.ts';
import { newRules, rulesOf } from './ledger/rules-of.ts';
import { notPickedAnswer, pickPortfolio, type PickDeps } from './pick-portfolio.ts';
import { recordedAnswer } from './record-answer.ts';
import { saleOfPortion } from './record-portion.ts';
import { entryTermsOf } from './record-terms.ts';
import { ledgerProblemText } from './record-text.ts';
import { refusedAnswer } from './refused-answer.ts';

export interface RecordDeps extends PickDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'openFirst' | 'transactions' | 'record'>;
  readonly market: Pick<Market, 'getQuotes' | 'getHistory'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly clock: Clock;
}

const todayOf = ({ timeZone }: Asker, clock: Clock): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO(timeZone).toPlainDate();

/** Other sales of that day may come before or after it: what is left of all of them is what people count with. */
const heldNow = function* (
  problem: LedgerProblem,
  existing: readonly Transaction[],
  rules: LedgerRules,
): Steps<LedgerProblem> {
  const now = problem.kind === 'oversold' ? yield* deriveLedger(existing, rules) : undefined;
  if (problem.kind !== 'oversold' || now?.status !== 'ok' || !('instrument' in problem.at)) return problem;
  const { symbol } = problem.at.instrument;
  const left = now.state.positions.find(({ instrument }) => instrument.symbol === symbol)?.quantity;
  return left?.lessThan(problem.held) ? { ...problem, held: left } : problem;
};

/** Why it is not recorded; `isLater`: what breaks is not this entry but one of a later day. */
interface Refusal {
  readonly problem: LedgerProblem;
  readonly isLater: boolean;
}

const refusalText = ({ problem, isLater }: Refusal, locale: Locale): string => {
  const why = ledgerProblemText(problem, locale);
  return isLater ? texts(locale).portfolio.breaksLater({ why }) : why;
};

/** Writes down what happened, or says why not; what is refused stores nothing. Throws on abort alone. */
export const recordAnswer =
  (deps: RecordDeps): PortfolioDesk['record'] =>
  async (request, asker, signal): Promise<MarketAnswer> => {
    const { locale } = asker;
    const words = texts(locale).portfolio;
    const picked = await pickPortfolio(deps, asker, request.portfolio);
    if (picked.status === 'unknown') return notPickedAnswer(picked, request.portfolio, locale);
    const first = FIRST_PORTFOLIO[locale];
    const baseCurrency = picked.status === 'ok' ? picked.portfolio.baseCurrency : first.baseCurrency;
    const today = todayOf(asker, deps.clock);

    const terms = await entryTermsOf(request, { picked, baseCurrency, today }, asker, deps, signal);
    if ('answer' in terms) return terms.answer;
    const [filled] = await fillRates([terms.entry], baseCurrency, deps, signal);
    if (!filled) throw new Error('An entry was lost while its rate was looked up');
    const isTaxGiven = (request.tax ?? '').trim() !== '';
    /** How much `all` is, only the ledger of that moment knows. */
    const entryFor = function* (
      existing: readonly NewTransaction[],
      rules: LedgerRules,
    ): Steps<NewTransaction | undefined> {
      return terms.portion && filled.kind === 'sell'
        ? yield* saleOfPortion(filled, terms.portion, isTaxGiven, existing, rules)
        : filled;
    };

    // A portfolio is not made for what it would refuse.
    if (picked.status === 'none') {
      const alone = atOnce(deriveLedger([filled], newRules(baseCurrency)));
      const nothing = terms.portion && ({ kind: 'nothing-held', at: filled } as const);
      const problem = nothing ?? (alone.status === 'refused' ? alone.problem : undefined);
      if (problem) return refusedAnswer(ledgerProblemText(problem, locale));
    }
    const { portfolio, isNew } =
      picked.status === 'ok'
        ? { portfolio: picked.portfolio, isNew: false }
        : await deps.store.openFirst(asker, first);
    if (portfolio.baseCurrency !== baseCurrency) return recordAnswer(deps)(request, asker, signal);

    let before: LedgerState | undefined;
    let after: LedgerState | undefined;
    const decide = function* (
      existing: readonly Transaction[],
      current: PortfolioRecord,
    ): Steps<{ readonly append: readonly NewTransaction[] } | { readonly refused: Refusal }> {
      const rules = rulesOf(current);
      const entry = yield* entryFor(existing, rules);
      if (!entry) return { refused: { problem: { kind: 'nothing-held', at: filled }, isLater: false } };
      const derived = yield* deriveLedger([...existing, entry], rules);
      if (derived.status === 'refused') {
        const isLater = derived.problem.at !== entry;
        const problem = isLater ? derived.problem : yield* heldNow(derived.problem, existing, rules);
        return { refused: { problem, isLater } };
      }
      after = derived.state;
      // What a sale realised, and since when cash is counted, is told by what was so without it.
      const isCompared = entry.kind === 'sell' || isMoneyMove(entry);
      const without = isCompared ? yield* deriveLedger(existing, rules) : undefined;
      before = without?.status === 'ok' ? without.state : undefined;
      return { append: [entry] };
    };
    // Prices and rates took their time: the person may have linked meanwhile.
    const ownerId = await deps.owners.ownerOf(asker);
    const outcome = await deps.store.record(ownerId, portfolio.id, [filled.clientId], decide, signal);
    switch (outcome.status) {
      case 'gone':
      case 'reversed':
        return refusedAnswer(words.gone({ name: portfolio.name }));
      case 'refused':
        return refusedAnswer(refusalText(outcome.refusal, locale));
      case 'full':
        return refusedAnswer(words.full({ limit: formatCount(outcome.limit, locale) }));
      case 'recorded':
      case 'repeated':
        return recordedAnswer(
          {
            portfolio,
            isNew,
            isRepeated: outcome.status === 'repeated',
            transaction: outcome.transactions[0],
            before,
            after,
            quote: terms.quote,
            total: readEntryNumber(request.total ?? '')?.value,
            isTaxComputed: request.kind === 'sell' && !isTaxGiven,
            now: deps.clock.now(),
          },
          asker,
        );
    }
    return outcome satisfies never;
  };
