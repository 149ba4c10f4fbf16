import { instrumentOf, type NewTransaction, type Transaction } from '#src/kernel/market/ledger.ts';
import type { OwnerId, PortfolioId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { AccountQuery } from '#src/kernel/people/requester.ts';
import { MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { PortfolioStore } from '../store/store.ts';
import { importTexts } from '../texts/import.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { gatherActions, type GatherDeps } from '../corporate-actions/gather-actions.ts';
import { historyOffers } from '../corporate-actions/offers.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { type LedgerProblem, type LedgerRules, positionIn, changingRulesOf } from '../ledger/ledger-state.ts';
import { stillNew, unpackEntries } from './new-entries.ts';
import { kindsText } from './preview-text.ts';
import { type RowProblem, rowProblemText } from './problems.ts';
import { ledgerProblemText } from '../entries/entry-text.ts';
import type { ConfirmRequest } from '../requests.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface ConfirmImportDeps extends GatherDeps, FeatureUses<'symbols.resolve' | 'owners.ownerOf'> {
  readonly store: Pick<
    PortfolioStore,
    'list' | 'openFirst' | 'transactions' | 'record' | 'pendingImport' | 'endImport' | 'dismissed'
  >;
}

const answer = (content: string, found: number): MarketAnswer => ({ content, facts: [], found });

type HeldAlready = Extract<RowProblem, { readonly kind: 'already-held' }>;

/** The first opening position that the portfolio holds by now. */
const heldAmong = function* (
  opening: readonly NewTransaction[],
  recorded: readonly Transaction[],
  rules: LedgerRules,
): Steps<HeldAlready | undefined> {
  const counting = recorded.filter(({ isReversed }) => !isReversed);
  const derived = yield* deriveLedger(counting, rules);
  if (derived.status !== 'ok') return undefined;
  return opening
    .flatMap((entry): readonly HeldAlready[] => {
      const instrument = instrumentOf(entry);
      const held = positionIn(derived.state, instrument?.symbol)?.quantity;
      return instrument && held && !held.isZero() ? [{ kind: 'already-held', instrument, held }] : [];
    })
    .at(0);
};

const refusalText = (refusal: LedgerProblem | HeldAlready, locale: Locale): string =>
  refusal.kind === 'already-held' ? rowProblemText(refusal, locale) : ledgerProblemText(refusal, locale);

/** What became of a preview, which is all that is kept of it afterwards. */
type Became =
  | { readonly kind: 'cancelled' | 'repeated' }
  | {
      readonly kind: 'recorded';
      readonly portfolio: PortfolioId;
      readonly from: number;
      readonly to: number;
    };

const ENDED = '{"became":';
const endedContent = (became: Became): string => JSON.stringify({ became });

/** Takes the whole import back; several numbers are one range. */
const undoCommand = (from: number, to: number, name: string): string =>
  `/portfolio undo ${from === to ? from : `${from}-${to}`} --in=${name}`;

const becameText = async (
  content: string,
  ownerId: OwnerId,
  { store }: ConfirmImportDeps,
  locale: Locale,
  signal: AbortSignal,
): Promise<string> => {
  const t = importTexts(locale);
  const { became } = JSON.parse(content) as { readonly became: Became };
  if (became.kind !== 'recorded') return became.kind === 'cancelled' ? t.cancelledBefore() : t.repeated();
  const { portfolio: id, from, to } = became;
  const portfolio = (await store.list(ownerId)).find((each) => each.id === id);
  if (!portfolio) return t.gone();
  const { name } = portfolio;
  const stays = (await store.transactions(ownerId, id, signal)).some(
    ({ number, isReversed }) => number >= from && number <= to && !isReversed,
  );
  return stays
    ? t.recordedBefore({ name, from, to, command: undoCommand(from, to, name) })
    : t.takenBackBefore({ name });
};

/** Records a confirmed preview completely or not at all. */
export const confirmImportAnswer =
  (deps: ConfirmImportDeps): AccountQuery<ConfirmRequest> =>
  async ({ code: typed, which }, requester, signal) => {
    const { owners, store, clock } = deps;
    const { locale } = requester;
    const t = importTexts(locale);
    const ownerId = await owners.ownerOf(requester);
    const code = typed.trim();
    const pending = code === '' ? undefined : await store.pendingImport(ownerId, code);
    if (!pending) return answer(t.unknownCode(), 0);
    if (pending.content.startsWith(ENDED))
      return answer(await becameText(pending.content, ownerId, deps, locale, signal), 1);
    if (which === 'none') {
      await store.endImport(ownerId, code, endedContent({ kind: 'cancelled' }));
      return answer(t.cancelled(), 1);
    }
    const unpacked = await byTime(unpackEntries(pending.content), signal);
    const { isReconciled, isOpening, first, doubted = 0 } = unpacked;
    const leftOut = which === 'doubted' ? 0 : doubted;
    const missing = unpacked.missing + leftOut;
    if (which === 'all' && missing > 0)
      return answer(t.notWhole({ command: `/portfolio import confirm ${code} valid` }), 0);

    const { portfolio, isNew } = first
      ? await store.openFirst(requester, first)
      : {
          portfolio: (await store.list(ownerId)).find(({ id }) => id === pending.portfolioId),
          isNew: false,
        };
    if (!portfolio) return answer(t.gone(), 0);
    const { id, name, baseCurrency } = portfolio;
    // The person has created a portfolio meanwhile, but not the one they confirmed.
    if (first && (name !== first.name || baseCurrency !== first.baseCurrency))
      return answer(t.otherPortfolio({ name }), 0);
    // Entries that another preview of the same file brought and that were undone since are not recorded again.
    const reversed = new Set(
      (await store.transactions(portfolio.ownerId, id, signal)).flatMap((entry) =>
        entry.isReversed ? [entry.clientId] : [],
      ),
    );
    const entries = unpacked.entries
      .slice(0, unpacked.entries.length - leftOut)
      .filter(({ entry }) => !reversed.has(entry.clientId));
    if (entries.length === 0) return answer(t.repeated(), 1);
    const clientIds = entries.map(({ entry }) => entry.clientId);
    const outcome = await store.record<LedgerProblem | HeldAlready>(
      portfolio.ownerId,
      id,
      clientIds,
      function* (existing, current) {
        const append = yield* stillNew(entries, existing);
        const held = isOpening ? yield* heldAmong(append, existing, changingRulesOf(current)) : undefined;
        if (held) return { refused: held };
        const derived = yield* deriveLedger([...existing, ...append], changingRulesOf(current));
        return derived.status === 'ok' ? { append } : { refused: derived.problem };
      },
      signal,
    );
    if (outcome.status === 'full')
      return answer(portfolioTexts(locale).full({ limit: formatCount(outcome.limit, locale) }), 0);
    // A refused import is kept, so that the person can fix the portfolio and confirm again.
    if (outcome.status === 'refused')
      return answer(t.changed({ reason: refusalText(outcome.refusal, locale) }), 0);
    if (outcome.status === 'gone' || outcome.status === 'reversed') return answer(t.gone(), 0);
    const { transactions } = outcome;
    const numbers = transactions.map(({ number }) => number);
    const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
    if (outcome.status === 'repeated' || numbers.length === 0) {
      await store.endImport(ownerId, code, endedContent({ kind: 'repeated' }));
      return answer(t.repeated(), 1);
    }
    await store.endImport(ownerId, code, endedContent({ kind: 'recorded', portfolio: id, from, to }));

    const recorded = await store.transactions(portfolio.ownerId, id, signal);
    const counting = recorded.filter(({ isReversed }) => !isReversed);
    const found = await gatherActions({ portfolio, entries: counting }, deps, signal);
    const offers = historyOffers(found, { portfolio, audience: requester, symbols: deps.symbols });
    const count = formatCount(transactions.length, locale);
    const lateDuplicates = entries.length - transactions.length;
    const flag = portfolio.isDefault ? '' : ` --in=${name}`;
    const command = `/portfolio${flag}`;
    const undo = undoCommand(from, to, name);
    return {
      content: [
        ...(isNew ? [portfolioTexts(locale).made({ name, currency: baseCurrency })] : []),
        t.recorded({ count, name, kinds: kindsText(transactions, locale) }),
        ...(lateDuplicates > 0 ? [t.duplicates({ count: formatCount(lateDuplicates, locale) })] : []),
        ...(isReconciled ? [t.reconciled()] : []),
        ...(missing === 0 ? [] : [t.stillLacks({ count: formatCount(missing, locale) })]),
        t.numbers({ from, to, command: undo }),
        ...(unpacked.leftOut === undefined ? [] : [unpacked.leftOut]),
        ...offers.lines,
      ].join('\n'),
      facts: [
        {
          entity: `portfolio:${name}`,
          names: [name],
          metric: 'rowCount',
          parameter: 'recorded',
          value: String(transactions.length),
          unit: 'rows',
          asOf: clock.now().toString(),
          source: 'ledger',
          isSample: false,
        },
      ],
      found: 1,
      choices: [
        ...offers.choices,
        ...(undo.length <= MAX_PRESSED_CHARS
          ? [{ label: t.undoAll({ count }), command: undo, effect: 'replaces' } as const]
          : []),
        { label: t.show, command: command.length <= MAX_PRESSED_CHARS ? command : '/portfolio' },
      ],
      ...(offers.typed !== undefined && { typed: offers.typed }),
    };
  };
