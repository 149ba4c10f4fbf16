import type { Timestamp, TransactionId } from '#src/kernel/ids.ts';
import type { PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { PortfolioService, Requester } from '#src/kernel/account-services.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import { byTime, type Steps } from '#src/platform/cooperative-tasks.ts';
import type { PortfolioStore } from '../store.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import { type ChangedGain, changedGains, changedText } from './answer.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { type LedgerProblem, rulesOf } from '../ledger/ledger-state.ts';
import {
  doneAnswer,
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { hasSampleFigures } from '../rates/rate-text.ts';
import { LEDGER_SOURCE } from '../summary/summary-facts.ts';
import { entryFacts } from './entry-facts.ts';
import { entryText, ledgerProblemText } from './entry-text.ts';

type UndoDeps = PickDeps & { readonly store: PortfolioStore };

type Refusal =
  | { readonly kind: 'nothing' }
  /** The entry does not exist, or is already reversed. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'needed'; readonly number: number; readonly problem: LedgerProblem };

interface Undoable {
  readonly entry: Transaction;
  /** Gains of other entries that change without this one. */
  readonly changed: readonly ChangedGain[];
}

/** The entry to undo, if the remaining ledger is valid without it. */
const entryToUndo = function* (
  existing: readonly Transaction[],
  current: PortfolioRecord,
  number: number | undefined,
): Steps<Undoable | { readonly refused: Refusal }> {
  const last = existing.reduce<Transaction | undefined>(
    (latest, each) => (latest && latest.number > each.number ? latest : each),
    undefined,
  );
  if (!last) return { refused: { kind: number === undefined ? 'nothing' : 'missing' } };
  const entry = number === undefined ? last : existing.find((each) => each.number === number);
  if (!entry) return { refused: { kind: 'missing' } };
  const left = yield* deriveLedger(
    existing.filter(({ id }) => id !== entry.id),
    rulesOf(current),
  );
  if (left.status === 'refused')
    return { refused: { kind: 'needed', number: entry.number, problem: left.problem } };
  const before = yield* deriveLedger(existing, rulesOf(current));
  const changed = before.status === 'ok' ? changedGains(before.state, left.state) : [];
  return { entry, changed: changed.filter((each) => each.number !== entry.number) };
};

/** `all` includes reversed entries. */
const refusalAnswer = (
  refusal: Refusal,
  number: number | undefined,
  all: readonly Transaction[],
  { name }: PortfolioRecord,
  { locale }: Requester,
): MarketAnswer => {
  const t = portfolioMessages(locale);
  const later =
    refusal.kind === 'needed'
      ? all.find((each) => each === refusal.problem.at || each.clientId === refusal.problem.at.clientId)
      : undefined;
  if (refusal.kind === 'needed' && later)
    return refusedAnswer(
      t.undoFirst({
        number: refusal.number,
        later: later.number,
        command: `/portfolio undo ${later.number} --in=${name}`,
      }),
    );
  if (refusal.kind === 'needed')
    return refusedAnswer(
      t.undoBreaks({ number: refusal.number, why: ledgerProblemText(refusal.problem, locale) }),
    );
  if (refusal.kind === 'nothing' || number === undefined) return refusedAnswer(t.nothingToUndo({ name }));
  const isReversed = all.some((each) => each.number === number && each.isReversed);
  return refusedAnswer(isReversed ? t.undoneBefore({ number }) : t.noSuchEntry({ name, number }));
};

/** Shows the entry that `undo` would reverse to the person who approves it, and changes nothing. */
export const undoPlanAnswer =
  (deps: UndoDeps): PortfolioService['planUndo'] =>
  async ({ portfolio: wanted, number }, requester, signal) => {
    const { locale } = requester;
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return { status: 'refused', answer: notPickedAnswer(picked, wanted, locale) };
    const { portfolio, ownerId } = picked;
    const all = await deps.store.transactions(ownerId, portfolio.id, signal);
    const counting = all.filter(({ isReversed }) => !isReversed);
    const found = await byTime(entryToUndo(counting, portfolio, number), signal);
    if ('refused' in found)
      return { status: 'refused', answer: refusalAnswer(found.refused, number, all, portfolio, requester) };
    const { entry } = found;
    const plan = portfolioMessages(locale).undoPlan({ name: portfolio.name, number: entry.number });
    const text = `${plan}\n- ${entryText(entry, portfolio.baseCurrency, locale)}`;
    return { status: 'ready', number: entry.number, text };
  };

/** What the entry was, so that an answer may repeat it. */
const undoneFacts = (entry: Transaction, portfolio: PortfolioRecord, now: Timestamp): readonly Fact[] =>
  entryFacts(entry, portfolio, {
    asOf: now.toString(),
    source: LEDGER_SOURCE,
    isSample: hasSampleFigures([entry]),
  });

/** Reverses an entry by adding another one, so that nothing is erased. Refused if later entries depend on it. */
export const undoAnswer =
  (deps: UndoDeps & { readonly clock: Pick<Clock, 'now'> }): PortfolioService['undo'] =>
  async ({ portfolio: wanted, number }, requester, signal): Promise<MarketAnswer> => {
    const { locale, requestId } = requester;
    const t = portfolioMessages(locale);
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, ownerId } = picked;
    const { name, baseCurrency } = portfolio;

    let changed: readonly ChangedGain[] = [];
    const decide = function* (
      existing: readonly Transaction[],
      current: PortfolioRecord,
    ): Steps<{ readonly reverse: TransactionId; readonly clientId: string } | { readonly refused: Refusal }> {
      const found = yield* entryToUndo(existing, current, number);
      if ('refused' in found) return found;
      changed = found.changed;
      return { reverse: found.entry.id, clientId: requestId };
    };
    const outcome = await deps.store.record(ownerId, portfolio.id, [requestId], decide, signal);
    switch (outcome.status) {
      case 'reversed':
        return {
          ...doneAnswer(
            [
              t.undone({ name, number: outcome.transaction.number }),
              entryText(outcome.transaction, baseCurrency, locale),
              ...changedText(changed, portfolio, requester),
            ].join('\n'),
          ),
          facts: undoneFacts(outcome.transaction, portfolio, deps.clock.now()),
        };
      case 'recorded':
      case 'repeated': {
        const before = outcome.transactions[0]?.number ?? number;
        return before === undefined
          ? refusedAnswer(t.nothingToUndo({ name }))
          : doneAnswer(t.undoneBefore({ number: before }));
      }
      // The entry limit does not apply to undoing.
      case 'full':
      case 'gone':
        return refusedAnswer(t.gone({ name }));
      case 'refused': {
        const all = await deps.store.transactions(ownerId, portfolio.id, signal);
        return refusalAnswer(outcome.refusal, number, all, portfolio, requester);
      }
    }
    return outcome satisfies never;
  };
