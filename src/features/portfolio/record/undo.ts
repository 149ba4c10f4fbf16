import type { OwnerId, TransactionId } from '#src/kernel/ids.ts';
import { isTransfer, type PortfolioRecord, type Transaction } from '#src/kernel/market/ledger.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { AccountQuery, Requester } from '#src/kernel/people/requester.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type FactRecorder, withoutFacts } from '#src/markets/answers/fact-recorder.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { PortfolioStore } from '../store/store.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { type ChangedGain, changedGains, changedText } from './answer.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { type LedgerProblem, changingRulesOf } from '../ledger/ledger-state.ts';
import {
  doneAnswer,
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { hasSampleFigures } from '../rates/rate-text.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { entryText, ledgerProblemText } from '../entries/entry-text.ts';
import type { UndoPlan, UndoRequest } from '../requests.ts';

type UndoDeps = PickDeps & { readonly store: PortfolioStore };

type Refusal =
  | { readonly kind: 'nothing' }
  /** The entry does not exist, or is already reversed. */
  | { readonly kind: 'missing' }
  /** A range has a transfer, whose other side is in another portfolio. */
  | { readonly kind: 'transfer'; readonly number: number }
  | { readonly kind: 'needed'; readonly number: number; readonly problem: LedgerProblem };

interface Undoable {
  /** At least one. */
  readonly entries: readonly Transaction[];
  /** Gains of other entries that change without these. */
  readonly changed: readonly ChangedGain[];
}

const linkOf = (entry: Transaction): string | undefined => (isTransfer(entry) ? entry.link : undefined);

/** The entries to undo, if the remaining ledger is valid without them. */
const entriesToUndo = function* (
  existing: readonly Transaction[],
  current: PortfolioRecord,
  number: number | undefined,
  through = number,
): Steps<Undoable | { readonly refused: Refusal }> {
  const last = existing.reduce<Transaction | undefined>(
    (latest, each) => (latest && latest.number > each.number ? latest : each),
    undefined,
  );
  if (!last) return { refused: { kind: number === undefined ? 'nothing' : 'missing' } };
  const isMeant = (each: Transaction): boolean =>
    number === undefined || through === undefined
      ? each === last
      : each.number >= number && each.number <= through;
  const entries = existing.filter(isMeant);
  const [first] = entries;
  if (!first) return { refused: { kind: 'missing' } };
  const linked = entries.length > 1 ? entries.find(linkOf) : undefined;
  if (linked) return { refused: { kind: 'transfer', number: linked.number } };
  const left = yield* deriveLedger(
    existing.filter((each) => !isMeant(each)),
    changingRulesOf(current),
  );
  if (left.status === 'refused')
    return { refused: { kind: 'needed', number: first.number, problem: left.problem } };
  const before = yield* deriveLedger(existing, changingRulesOf(current));
  const changed = before.status === 'ok' ? changedGains(before.state, left.state) : [];
  const taken = new Set(entries.map((each) => each.number));
  return { entries, changed: changed.filter((each) => !taken.has(each.number)) };
};

/** `all` includes reversed entries. */
const refusalAnswer = (
  refusal: Refusal,
  number: number | undefined,
  all: readonly Transaction[],
  { name }: PortfolioRecord,
  { locale }: Requester,
): MarketAnswer => {
  const t = portfolioTexts(locale);
  if (refusal.kind === 'transfer') {
    const { number: linked } = refusal;
    return refusedAnswer(
      t.transferInRange({ number: linked, command: `/portfolio undo ${linked} --in=${name}` }),
    );
  }
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
  (deps: UndoDeps): AccountQuery<UndoRequest, UndoPlan> =>
  async ({ portfolio: wanted, number }, requester, signal) => {
    const { locale } = requester;
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return { status: 'refused', answer: notPickedAnswer(picked, wanted, locale) };
    const { portfolio, ownerId } = picked;
    const all = await deps.store.transactions(ownerId, portfolio.id, signal);
    const counting = all.filter(({ isReversed }) => !isReversed);
    const found = await byTime(entriesToUndo(counting, portfolio, number), signal);
    const [entry] = 'refused' in found ? [] : found.entries;
    if ('refused' in found || !entry) {
      const refusal: Refusal = 'refused' in found ? found.refused : { kind: 'missing' };
      return { status: 'refused', answer: refusalAnswer(refusal, number, all, portfolio, requester) };
    }
    const plan = portfolioTexts(locale).undoPlan({ name: portfolio.name, number: entry.number });
    const text = `${plan}
- ${entryText(entry, portfolio.baseCurrency, withoutFacts(locale))}`;
    return { status: 'ready', text, shown: { number: entry.number } };
  };

const undoneTold = (
  entry: Transaction,
  portfolio: PortfolioRecord,
  { clock }: { readonly clock: Pick<Clock, 'now'> },
  locale: Locale,
): FactRecorder =>
  portfolioTold({ portfolio, now: clock.now(), isSample: hasSampleFigures([entry]) }, locale);

interface OtherSide {
  readonly own: Transaction;
  readonly portfolio: PortfolioRecord;
  readonly entry: Transaction;
}

/** The other side of the transfer that is meant; undefined for any other entry, and if that side is gone. */
const otherSideOf = async (
  ownerId: OwnerId,
  portfolio: PortfolioRecord,
  all: readonly PortfolioRecord[],
  number: number | undefined,
  { store }: UndoDeps,
  signal: AbortSignal,
): Promise<OtherSide | undefined> => {
  const own = (await store.transactions(ownerId, portfolio.id, signal)).findLast(
    (entry) => !entry.isReversed && (number === undefined || entry.number === number),
  );
  const link = own && linkOf(own);
  if (!own || link === undefined) return undefined;
  for (const each of all) {
    if (each.id === portfolio.id) continue;
    const entries = await store.transactions(ownerId, each.id, signal);
    const entry = entries.find((other) => !other.isReversed && linkOf(other) === link);
    if (entry) return { own, portfolio: each, entry };
  }
  return undefined;
};

/** Takes both sides of a transfer back, or neither. */
const undoBoth = async (
  ownerId: OwnerId,
  portfolio: PortfolioRecord,
  other: OtherSide,
  { locale, ...requester }: Requester,
  deps: UndoDeps & { readonly clock: Pick<Clock, 'now'> },
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const t = portfolioTexts(locale);
  const { requestId } = requester;
  const outcome = await deps.store.recordBoth<Refusal & { readonly at: PortfolioRecord }>(
    ownerId,
    { from: portfolio.id, to: other.portfolio.id },
    [requestId],
    function* (existing, current) {
      const one = yield* entriesToUndo(existing.from, current.from, other.own.number);
      if ('refused' in one) return { refused: { ...one.refused, at: current.from } };
      const two = yield* entriesToUndo(existing.to, current.to, other.entry.number);
      if ('refused' in two) return { refused: { ...two.refused, at: current.to } };
      const [from, to] = [one, two].map(({ entries }) => entries.map(({ id }) => id));
      return {
        from: { reverse: from ?? [], clientId: requestId },
        to: { reverse: to ?? [], clientId: requestId },
      };
    },
    signal,
  );
  switch (outcome.status) {
    case 'reversed':
    case 'recorded':
    case 'repeated': {
      const [from] = outcome.transactions.from;
      const sides = {
        from: portfolio.name,
        number: other.own.number,
        to: other.portfolio.name,
        toNumber: other.entry.number,
      };
      if (!from || outcome.status !== 'reversed')
        return doneAnswer(t.undoneBefore({ number: other.own.number }));
      const told = undoneTold(from, portfolio, deps, locale);
      const toldOfOther = undoneTold(other.entry, other.portfolio, deps, locale);
      const text = [t.undoneBoth(sides), entryText(from, portfolio.baseCurrency, told)].join('\n');
      entryText(other.entry, other.portfolio.baseCurrency, toldOfOther);
      return {
        ...doneAnswer(text),
        facts: [...told.facts(), ...toldOfOther.facts()],
        receipt: { effect: 'removed', text },
      };
    }
    case 'full':
    case 'gone':
      return refusedAnswer(t.gone({ name: portfolio.name }));
    case 'refused': {
      const { at } = outcome.refusal;
      const all = await deps.store.transactions(ownerId, at.id, signal);
      const number = at.id === portfolio.id ? other.own.number : other.entry.number;
      return refusalAnswer(outcome.refusal, number, all, at, { locale, ...requester });
    }
  }
  return outcome satisfies never;
};

/** Reverses entries by adding others, so that nothing is erased. Refused if later entries depend on them. */
export const undoAnswer =
  (deps: UndoDeps & { readonly clock: Pick<Clock, 'now'> }): AccountQuery<UndoRequest> =>
  async ({ portfolio: wanted, number, through }, requester, signal): Promise<MarketAnswer> => {
    const { locale, requestId } = requester;
    const t = portfolioTexts(locale);
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, ownerId, all: portfolios } = picked;
    const { name, baseCurrency } = portfolio;
    const other =
      through === undefined
        ? await otherSideOf(ownerId, portfolio, portfolios, number, deps, signal)
        : undefined;
    if (other) return undoBoth(ownerId, portfolio, other, requester, deps, signal);

    let changed: readonly ChangedGain[] = [];
    const decide = function* (
      existing: readonly Transaction[],
      current: PortfolioRecord,
    ): Steps<
      | { readonly reverse: readonly TransactionId[]; readonly clientId: string }
      | { readonly refused: Refusal }
    > {
      const found = yield* entriesToUndo(existing, current, number, through);
      if ('refused' in found) return found;
      changed = found.changed;
      return { reverse: found.entries.map(({ id }) => id), clientId: requestId };
    };
    const outcome = await deps.store.record(ownerId, portfolio.id, [requestId], decide, signal);
    switch (outcome.status) {
      case 'reversed': {
        const { transactions } = outcome;
        const [first, ...others] = transactions;
        const isOne = first && others.length === 0;
        const count = formatCount(transactions.length, locale);
        const told = first ? undoneTold(first, portfolio, deps, locale) : withoutFacts(locale);
        const text = isOne
          ? [t.undone({ name, number: first.number }), entryText(first, baseCurrency, told)].join('\n')
          : t.undoneRange({ name, from: number ?? 0, to: through ?? 0, count });
        return {
          ...doneAnswer([text, ...changedText(changed, portfolio, told)].join('\n')),
          facts: told.facts(),
          receipt: { effect: 'removed', text },
        };
      }
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
