import type { SymbolSearch } from '#src/core/finance.ts';
import { texts } from '#src/core/i18n.ts';
import type { MarketAnswer } from '#src/core/market-desk.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/core/message.ts';
import { formatPercent } from '#src/core/money.ts';
import type { PortfolioDesk } from '#src/core/personal-desk.ts';
import type { PortfolioStore } from '#src/storage/portfolios.ts';
import { narrowName } from '../answers/narrow-name.ts';
import { formatPrice } from '../answers/quote-text.ts';
import { echo } from '../answers/resolve-names.ts';
import { exactMoneyText } from '../portfolio/money-text.ts';
import { notPickedAnswer, pickPortfolio, type PickDeps } from '../portfolio/pick-portfolio.ts';
import { refusedAnswer } from '../portfolio/refused-answer.ts';
import { gatherActions, type GatherDeps } from './gather-actions.ts';
import type { HeldAction, HeldDividend } from './held-actions.ts';
import {
  actionFacts,
  actionsCommand,
  dividendCommand,
  dividendWords,
  isOpen,
  type OfferContext,
  splitChoice,
  splitWords,
  typedCommands,
} from './offers.ts';

export interface ActionsDeps extends PickDeps, GatherDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'dismissed' | 'dismiss'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

const MAX_LISTED = 25;
/** Of buttons below one answer. */
const MAX_OFFERED = 6;
/** An example of what is withheld, for the command that shows where to write it. */
const EXAMPLE_TAX = 0.15;

const ALL = /^(?:all|전체|모두|전부)$/iu;
const DATE = /(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])/u;

const lineOf = (action: HeldAction, context: OfferContext): string => {
  const { locale } = context.reader;
  const words = texts(locale).portfolioActions;
  const status = words.status[action.status];
  if (action.kind === 'split') return `- ${words.split(splitWords(action, context))} · ${status}`;
  if (action.kind === 'dividend') {
    const money = (value: HeldDividend['each']): string => exactMoneyText(value, action.currency, locale);
    return `- ${words.dividend(dividendWords(action, money, context))} · ${status}`;
  }
  const { instrument, date, previousClose, open } = action;
  const gap = words.gap({
    name: narrowName(instrument, locale),
    date: date.toString(),
    close: formatPrice(previousClose, instrument, locale),
    open: formatPrice(open, instrument, locale),
    change: formatPercent(open.dividedBy(previousClose).minus(1), locale),
  });
  return `- ${gap} · ${status}`;
};

const newestFirst = (a: HeldAction, b: HeldAction): number =>
  Number(isOpen(b)) - Number(isOpen(a)) || Temporal.PlainDate.compare(b.date, a.date);

const choicesFor = (open: readonly HeldAction[], context: OfferContext): readonly Choice[] => {
  const words = texts(context.reader.locale).portfolioActions;
  const record = open.flatMap((action): readonly Choice[] => {
    if (action.kind === 'split') return splitChoice(action, context);
    if (action.kind === 'gap' || action.status !== 'missing') return [];
    const command = dividendCommand(action, context);
    const money = (value: HeldDividend['each']): string =>
      exactMoneyText(value, action.currency, context.reader.locale);
    const label = words.recordDividend(dividendWords(action, money, context));
    return command.length <= MAX_PRESSED_CHARS ? [{ label, command }] : [];
  });
  // A split goes first: later dividends are counted in the pieces it made.
  const splits = record.filter(({ command }) => command.startsWith('/portfolio split'));
  const others = record.filter((choice) => !splits.includes(choice));
  return [...splits, ...others].slice(0, MAX_OFFERED);
};

/** Which of them a person means: all, those of one name, or of one name and day. */
const meantBy = (
  typed: string,
  actions: readonly HeldAction[],
  { symbols }: Pick<ActionsDeps, 'symbols'>,
): readonly HeldAction[] => {
  const date = DATE.exec(typed)?.[0];
  const name = typed.replace(DATE, '').trim();
  const onDay = actions.filter((action) => date === undefined || action.date.toString() === date);
  if (name === '' || ALL.test(name)) return onDay;
  const match = symbols.resolve(name);
  const found =
    match.status === 'found' ? [match.instrument] : match.status === 'ambiguous' ? match.choices : [];
  const meant = new Set(found.map(({ symbol }) => symbol));
  return onDay.filter(({ instrument }) => meant.has(instrument.symbol));
};

/** What a source knows of splits and dividends of the holdings, and whether they are recorded. Throws on abort alone. */
export const actionsAnswer =
  (deps: ActionsDeps): PortfolioDesk['actions'] =>
  async ({ portfolio: wanted, dismiss }, asker, signal): Promise<MarketAnswer> => {
    const { locale } = asker;
    const words = texts(locale).portfolioActions;
    const picked = await pickPortfolio(deps, asker, wanted);
    if (picked.status !== 'ok') return notPickedAnswer(picked, wanted, locale);
    const { portfolio, ownerId } = picked;
    const recorded = await deps.store.transactions(ownerId, portfolio.id, signal);
    const entries = recorded.filter(({ isReversed }) => !isReversed);
    const found = await gatherActions({ portfolio, entries }, deps, signal);
    const context: OfferContext = { portfolio, reader: asker, symbols: deps.symbols };

    if (dismiss !== undefined) {
      const meant = meantBy(dismiss, found.actions.filter(isOpen), deps);
      if (meant.length === 0) return refusedAnswer(words.nothingToDismiss({ typed: echo(dismiss) }));
      const gone = meant.map(({ instrument, kind, date }) => ({
        symbol: instrument.symbol,
        kind,
        date: date.toString(),
      }));
      const isDone = await deps.store.dismiss(ownerId, portfolio.id, gone);
      if (!isDone) return refusedAnswer(texts(locale).portfolio.gone({ name: portfolio.name }));
      return { content: words.dismissed({ count: gone.length }), facts: [], found: 1 };
    }

    const unknown = found.unknown.map((instrument) => narrowName(instrument, locale)).join(', ');
    const notLookedUp = unknown === '' ? [] : [words.unknown({ names: unknown })];
    if (found.actions.length === 0)
      return {
        content: [words.none({ name: portfolio.name }), ...notLookedUp].join('\n'),
        facts: [],
        found: 1,
      };
    const all = found.actions.toSorted(newestFirst);
    const shown = all.slice(0, MAX_LISTED);
    const open = all.filter(isOpen);
    const pressable = choicesFor(open, context);
    const answers = pressable.length > 1 ? 'pick' : 'yes';
    const choices: readonly Choice[] = [
      ...pressable.map((choice): Choice => ({ ...choice, answers })),
      ...(open.length > 1
        ? [{ label: words.dismissAll, command: `${actionsCommand(context)} dismiss all` }]
        : []),
    ];
    const dividend = open.find(
      (action): action is HeldDividend => action.kind === 'dividend' && action.status === 'missing',
    );
    const tax = dividend?.amount.times(EXAMPLE_TAX).toDecimalPlaces(dividend.currency === 'KRW' ? 0 : 2);
    const typed = typedCommands(pressable, context);
    return {
      content: [
        words.title({ name: portfolio.name }),
        [
          ...shown.map((action) => lineOf(action, context)),
          ...(all.length > shown.length ? [words.older({ count: all.length - shown.length })] : []),
        ].join('\n'),
        [
          ...(dividend && tax
            ? [words.dividendHint({ command: dividendCommand(dividend, context, { tax: tax.toFixed() }) })]
            : []),
          ...(open.length > 0 ? [words.dismissHint()] : []),
          ...notLookedUp,
          ...(found.sources.length > 0 ? [words.source({ sources: found.sources.join(', ') })] : []),
        ].join('\n'),
      ].join('\n\n'),
      facts: actionFacts(shown, found.sources.join(', ')),
      found: 1,
      ...(choices.length > 0 && { choices }),
      ...(typed !== undefined && { typed }),
    };
  };
