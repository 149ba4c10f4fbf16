import { codeFor } from '#src/kernel/market/finance.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';
import { formatPercent } from '#src/kernel/money.ts';
import type { AccountQuery } from '#src/kernel/people/requester.ts';
import type { DismissedAction, PortfolioStore } from '../store/store.ts';
import { exactMoneyText } from '#src/markets/answers/money-text.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { formatPrice } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import {
  doneAnswer,
  notPickedAnswer,
  type PickDeps,
  type PickedPortfolio,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { gatherActions, type GatherDeps, type PortfolioActions } from './gather-actions.ts';
import { canRecord, recordDividends, type RecordDividendsDeps, taxQuestion } from './record-dividends.ts';
import type { HeldAction, HeldDividend, HeldSplit } from './held-actions.ts';
import {
  actionFacts,
  actionsCommand,
  dividendCommand,
  dividendParams,
  doubtLines,
  isOpen,
  type OfferContext,
  splitChoice,
  splitParams,
  taxOn,
  typedCommands,
  undoChoice,
} from './offers.ts';
import type { ActionsRequest } from '../requests.ts';

export type ActionsDeps = PickDeps &
  GatherDeps &
  RecordDividendsDeps & { readonly store: Pick<PortfolioStore, 'transactions' | 'dismiss' | 'restore'> };

const MAX_LISTED = 25;
/** Limit of buttons below one answer. */
const MAX_OFFERED = 8;

const ALL = /^(?:all|전체|모두|전부)$/iu;
const DATE = /(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/u;

const labelOf = (action: HeldAction, context: OfferContext): string => {
  const { locale } = context.audience;
  const t = corporateActionTexts(locale);
  if (action.kind === 'split') return t.split(splitParams(action, context));
  if (action.kind === 'dividend') return t.dividend(dividendParams(action, context));
  const { instrument, date, previousClose, open } = action;
  return t.gap({
    name: narrowName(instrument, locale),
    date: date.toString(),
    close: formatPrice(previousClose, instrument, locale),
    open: formatPrice(open, instrument, locale),
    change: formatPercent(open.dividedBy(previousClose).minus(1), locale),
  });
};

const statusLabelOf = (action: HeldAction, context: OfferContext): string =>
  `${labelOf(action, context)} · ${corporateActionTexts(context.audience.locale).status[action.status]}`;

/** Lists the first actions, one per line, and counts the rest. */
const listOf = (
  actions: readonly HeldAction[],
  context: OfferContext,
  write = labelOf,
): readonly string[] => {
  const more = actions.length - MAX_LISTED;
  return [
    ...actions.slice(0, MAX_LISTED).map((action) => `- ${write(action, context)}`),
    ...(more > 0 ? [corporateActionTexts(context.audience.locale).older({ count: more })] : []),
  ];
};

const newestFirst = (a: HeldAction, b: HeldAction): number =>
  Number(isOpen(b)) - Number(isOpen(a)) || Temporal.PlainDate.compare(b.date, a.date);

const choicesFor = (open: readonly HeldAction[], context: OfferContext): readonly Choice[] => {
  const t = corporateActionTexts(context.audience.locale);
  const record = open.flatMap((action): readonly Choice[] => {
    if (action.kind === 'split') return [...splitChoice(action, context), ...undoChoice(action, context)];
    if (action.kind === 'gap' || action.status !== 'missing') return [];
    const params = dividendParams(action, context);
    const tax = taxOn(action, 'usual', context.portfolio);
    const taxed = exactMoneyText(tax, action.currency, context.audience.locale);
    const both = [
      ...(tax.isZero()
        ? []
        : [
            {
              label: t.recordTaxedDividend({ ...params, tax: taxed }),
              command: dividendCommand(action, context, 'usual'),
            },
          ]),
      { label: t.recordDividend(params), command: dividendCommand(action, context) },
    ];
    return both.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);
  });
  // Splits go first, because later dividends are counted in the new shares.
  const splits = record.filter(({ command }) => command.startsWith('/portfolio split'));
  const others = record.filter((choice) => !splits.includes(choice));
  return [...splits, ...others].slice(0, MAX_OFFERED);
};

/** Selects actions by a person's words: all, by name, or by name and day. */
const selectActions = (
  typed: string,
  { symbols }: Pick<ActionsDeps, 'symbols'>,
): ((action: DismissedAction) => boolean) => {
  const wanted = DATE.exec(typed)?.[0];
  const name = typed.replace(DATE, '').trim();
  const isOnDay = ({ date }: DismissedAction): boolean => wanted === undefined || date === wanted;
  if (name === '' || ALL.test(name)) return isOnDay;
  const match = symbols.resolve(name);
  const found =
    match.status === 'found' ? [match.instrument] : match.status === 'ambiguous' ? match.choices : [];
  const meant = new Set(found.map(({ symbol }) => symbol));
  return (action) => isOnDay(action) && meant.has(action.symbol);
};

const keyOf = ({ instrument, kind, date }: HeldAction): DismissedAction => ({
  symbol: instrument.symbol,
  kind,
  date: date.toString(),
});

/** The person's words, for the answer. Undefined if they meant everything. */
const echoOf = (typed: string): string | undefined =>
  typed.trim() === '' || ALL.test(typed.trim()) ? undefined : echo(typed);

interface Change {
  readonly picked: Extract<PickedPortfolio, { readonly status: 'ok' }>;
  readonly found: PortfolioActions;
  /** Reads the actions again after a change. */
  readonly reload: () => Promise<PortfolioActions>;
  readonly context: OfferContext;
  readonly typed: string;
}

const goneAnswer = ({ picked, context }: Change): MarketAnswer =>
  refusedAnswer(portfolioTexts(context.audience.locale).gone({ name: picked.portfolio.name }));

/** Splits are dismissed one at a time and only after confirmation, because all values depend on them. */
const dismissAnswer = async (change: Change, isSure: boolean, deps: ActionsDeps): Promise<MarketAnswer> => {
  const { picked, found, context, typed } = change;
  const { locale } = context.audience;
  const t = corporateActionTexts(locale);
  const isMeant = selectActions(typed, deps);
  const meant = found.actions.filter((action) => isOpen(action) && isMeant(keyOf(action)));
  const splits = meant.filter((action): action is HeldSplit => action.kind === 'split');
  const [split] = splits;
  const commandFor = ({ instrument, date }: HeldSplit): string =>
    `${actionsCommand(context)} ${t.dismissWord} ${codeFor(instrument, context.symbols)} ${date.toString()}`;
  const isOneSplit = meant.length === 1 && split !== undefined && !ALL.test(typed.trim());
  if (isOneSplit && !isSure) {
    const command = `${commandFor(split)} --yes`;
    return {
      ...doneAnswer(t.confirmDismiss(splitParams(split, context))),
      typed: commandTexts(locale).goOn({ command }),
      choices: [{ label: t.dismissSplit(splitParams(split, context)), command, answers: 'yes' }],
    };
  }
  const over = isOneSplit ? meant : meant.filter(({ kind }) => kind !== 'split');
  const kept =
    split && !isOneSplit
      ? [
          t.splitsKept({
            splits: splits.map((each) => t.split(splitParams(each, context))).join('; '),
            command: commandFor(split),
          }),
        ]
      : [];
  if (over.length === 0) return refusedAnswer(kept[0] ?? t.nothingToDismiss({ typed: echoOf(typed) }));
  const { ownerId, portfolio } = picked;
  if (!(await deps.store.dismiss(ownerId, portfolio.id, over.map(keyOf)))) return goneAnswer(change);
  return doneAnswer(
    [
      t.dismissed({ count: over.length }),
      ...listOf(over, context),
      ...kept,
      t.restoreHint({ command: `${actionsCommand(context)} ${t.restoreWord}` }),
    ].join('\n'),
  );
};

const nameOf = ({ symbol, kind, date }: DismissedAction): string => `${symbol} ${kind} ${date}`;

const restoreAnswer = async (change: Change, deps: ActionsDeps): Promise<MarketAnswer> => {
  const { picked, found, context, typed } = change;
  const t = corporateActionTexts(context.audience.locale);
  const { ownerId, portfolio } = picked;
  const isMeant = selectActions(typed, deps);
  const back = (await deps.store.dismissed(ownerId, portfolio.id)).filter(isMeant);
  if (back.length === 0) return refusedAnswer(t.nothingToRestore({ typed: echoOf(typed) }));
  if (!(await deps.store.restore(ownerId, portfolio.id, back))) return goneAnswer(change);
  const dismissed = new Set(
    found.actions.filter(({ status }) => status === 'dismissed').map((action) => nameOf(keyOf(action))),
  );
  // A restored split counts again, also for later dividends. Actions recorded meanwhile are not listed.
  const { actions } = await change.reload();
  const known = actions.filter((action) => isMeant(keyOf(action)) && dismissed.has(nameOf(keyOf(action))));
  const count = known.length > 0 ? known.length : back.length;
  const isListed = known.length > 0;
  return doneAnswer([t.restored({ count, isListed }), ...listOf(known, context)].join('\n'));
};

/** Lists splits and dividends of the holdings and whether they are recorded. Throws only on abort. */
export const actionsAnswer =
  (deps: ActionsDeps): AccountQuery<ActionsRequest> =>
  async (
    { portfolio: wanted, dismiss, restore, record, taxed, isSure = false },
    requester,
    signal,
  ): Promise<MarketAnswer> => {
    const { locale } = requester;
    const t = corporateActionTexts(locale);
    const picked = await pickPortfolio(deps, requester, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, ownerId } = picked;
    const recorded = await deps.store.transactions(ownerId, portfolio.id, signal);
    const entries = recorded.filter(({ isReversed }) => !isReversed);
    const reload = () => gatherActions({ portfolio, entries }, deps, signal);
    const found = await reload();
    const context: OfferContext = { portfolio, audience: requester, symbols: deps.symbols };

    const recordable = found.actions.filter(
      (action): action is HeldDividend => action.kind === 'dividend' && canRecord(action),
    );
    if (record !== undefined) {
      const isMeant = selectActions(record, deps);
      const meant = recordable.filter((action) => isMeant(keyOf(action)));
      if (meant.length === 0) return refusedAnswer(t.nothingToRecord());
      const command = `${actionsCommand(context)} ${t.recordWord} ${record}`;
      const told = portfolioTold({ portfolio, now: deps.clock.now(), isSample: false }, locale);
      const question = taxed === undefined ? taxQuestion(meant, command, portfolio, told) : undefined;
      return (
        question ?? recordDividends(meant, taxed ?? 'usual', { ownerId, portfolio }, requester, deps, signal)
      );
    }
    const change = { picked, found, reload, context };
    if (restore !== undefined) return restoreAnswer({ ...change, typed: restore }, deps);
    if (dismiss !== undefined) return dismissAnswer({ ...change, typed: dismiss }, isSure, deps);

    const unknown = found.unknown.map((instrument) => narrowName(instrument, locale)).join(', ');
    const old = [...found.readUntil.values()].map(
      ({ instrument, day }) => `${narrowName(instrument, locale)} (${day.toString()})`,
    );
    const notLookedUp = [
      ...doubtLines(found, context),
      ...(unknown === '' ? [] : [t.unknown({ names: unknown })]),
      ...(old.length === 0 ? [] : [t.old({ names: old.join(', ') })]),
    ];
    if (found.actions.length === 0)
      return doneAnswer(notLookedUp.length > 0 ? notLookedUp.join('\n') : t.none({ name: portfolio.name }));
    const all = found.actions.toSorted(newestFirst);
    const open = all.filter(isOpen);
    const pressable = choicesFor(open, context);
    const answers = pressable.length > 1 ? 'pick' : 'yes';
    const atOnce =
      recordable.length > 1
        ? [
            {
              label: t.recordAllDividends({ count: recordable.length }),
              command: `${actionsCommand(context)} ${t.recordWord} ${t.allWord}`,
            },
          ]
        : [];
    const choices: readonly Choice[] = [
      ...pressable.map((choice): Choice => ({ ...choice, answers })),
      ...atOnce,
      ...(open.filter(({ kind }) => kind !== 'split').length > 1
        ? [{ label: t.dismissAll, command: `${actionsCommand(context)} dismiss all` }]
        : []),
    ];
    const offered = open.filter(
      (action): action is HeldDividend => action.kind === 'dividend' && action.status === 'missing',
    );
    const example = offered.find((each) => !taxOn(each, 'usual', portfolio).isZero());
    const typed = typedCommands(
      [...pressable.filter(({ command }) => !command.startsWith('/portfolio undo')), ...atOnce],
      context,
    );
    return {
      content: [
        t.title({ name: portfolio.name }),
        listOf(all, context, statusLabelOf).join('\n'),
        [
          ...(offered.length > 0
            ? [t.dividendHint({ command: example && dividendCommand(example, context, 'usual') })]
            : []),
          ...(open.length > 0 ? [t.dismissHint()] : []),
          ...(all.some(({ status }) => status === 'dismissed')
            ? [t.restoreHint({ command: `${actionsCommand(context)} ${t.restoreWord}` })]
            : []),
          ...notLookedUp,
          ...(found.sources.length > 0 ? [t.source({ sources: found.sources.join(', ') })] : []),
        ].join('\n'),
      ].join('\n\n'),
      facts: actionFacts(all.slice(0, MAX_LISTED), found.sources.join(', ')),
      found: 1,
      ...(choices.length > 0 && { choices }),
      ...(typed !== undefined && { typed }),
    };
  };
