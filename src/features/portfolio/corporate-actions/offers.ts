import { codeFor, type Instrument, type SymbolSearch } from '#src/kernel/finance.ts';
import { corporateActionMessages } from '../messages/actions.ts';
import type { PortfolioRecord } from '#src/kernel/ledger.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/message.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { Exact } from '../ledger/fixed-point.ts';
import { shownQuantityText } from '#src/markets/answers/money-text.ts';
import { recordCommand } from '../recording/instrument.ts';
import type { PortfolioActions } from './gather-actions.ts';
import type { HeldAction, HeldDividend, HeldSplit } from './held-actions.ts';
import { ratioText, splitName } from '#src/markets/answers/split-ratio.ts';

export interface OfferContext {
  readonly portfolio: Pick<PortfolioRecord, 'name' | 'isDefault'>;
  readonly audience: Pick<Audience, 'locale'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

/** The notes and buttons below a portfolio answer. */
export interface Offers {
  readonly lines: readonly string[];
  readonly choices: readonly Choice[];
  /** The command to type instead. Undefined without buttons. */
  readonly typed: string | undefined;
}

/** Splits listed one by one; the rest are counted in one line. */
const MAX_SPLITS = 3;
const SHOWN_DECIMALS = 6;

export const splitNameText = (ratio: Decimal, { locale }: OfferContext['audience']): string =>
  corporateActionMessages(locale).splitName(splitName(ratio, locale));

const OPEN: ReadonlySet<HeldAction['status']> = new Set([
  'missing',
  'mixed',
  'check',
  'closed',
  'twice',
  'other-ratio',
]);

export const isOpen = ({ status }: HeldAction): boolean => OPEN.has(status);

const inPortfolio = ({ name, isDefault }: OfferContext['portfolio']) =>
  isDefault ? {} : { portfolio: name };

export const actionsCommand = ({ portfolio: { name, isDefault }, audience }: OfferContext): string =>
  `/portfolio ${audience.locale === 'ko' ? '배당확인' : 'actions'}${isDefault ? '' : ` --in=${name}`}`;

export const splitCommand = ({ instrument, date, ratio }: HeldSplit, context: OfferContext): string =>
  recordCommand(
    { kind: 'split', ratio: ratioText(ratio), date: date.toString(), ...inPortfolio(context.portfolio) },
    codeFor(instrument, context.symbols),
  );

/** Rounded to the currency's smallest unit. */
export const dividendAmount = ({ amount, currency }: HeldDividend): Decimal =>
  new Exact(amount).toDecimalPlaces(currencyNamed(currency)?.decimals ?? 2);

export const dividendCommand = (
  dividend: HeldDividend,
  context: OfferContext,
  more: { readonly tax?: string } = {},
): string =>
  recordCommand(
    {
      kind: 'dividend',
      amount: dividendAmount(dividend).toFixed(),
      currency: dividend.currency,
      date: dividend.date.toString(),
      ...more,
      ...inPortfolio(context.portfolio),
    },
    codeFor(dividend.instrument, context.symbols),
  );

const pieces = (quantity: Decimal, instrument: Instrument, { locale }: OfferContext['audience']): string =>
  shownQuantityText(quantity, instrument, locale);

export const splitParams = (split: HeldSplit, { audience }: Pick<OfferContext, 'audience'>) => ({
  name: narrowName(split.instrument, audience.locale),
  ...splitName(split.ratio, audience.locale),
  date: split.date.toString(),
  before: pieces(split.held, split.instrument, audience),
  after: pieces(new Exact(split.held).times(split.ratio), split.instrument, audience),
});

/** `#2, #3`: the entries that already count it. */
export const countingParams = ({ counting }: HeldSplit) => ({
  entries: counting.map((number) => `#${number}`).join(', '),
  count: counting.length,
});

const undoCommand = (number: number, { portfolio: { name, isDefault } }: OfferContext): string =>
  `/portfolio undo ${number}${isDefault ? '' : ` --in=${name}`}`;

/** The number of the wrong entry. */
const wrongEntry = ({ status, entry, closedBy }: HeldSplit): number =>
  (status === 'closed' ? closedBy : entry?.number) ?? 0;

/** Explains which entry a split made wrong, and how to fix it. */
const wrongLine = (split: HeldSplit, context: OfferContext): string => {
  const t = corporateActionMessages(context.audience.locale);
  const number = wrongEntry(split);
  const params = { ...splitParams(split, context), number, undo: undoCommand(number, context) };
  if (split.status === 'closed') return t.splitClosed({ ...params, command: splitCommand(split, context) });
  if (split.status === 'twice') return t.splitTwice({ ...params, ...countingParams(split) });
  const own = splitNameText(split.entry?.ratio ?? split.ratio, context.audience);
  return t.splitOtherRatio({ ...params, own });
};

const isWrongSplit = (action: HeldAction): action is HeldSplit =>
  action.kind === 'split' &&
  (action.status === 'closed' || action.status === 'twice' || action.status === 'other-ratio');

/** The fraction of a share that a reverse split leaves. */
const fractionText = (split: HeldSplit, { audience }: OfferContext): string => {
  const after = new Exact(split.held).times(split.ratio).toDecimalPlaces(SHOWN_DECIMALS);
  const fraction = after.minus(after.trunc()).abs();
  const wasWhole = split.held.toDecimalPlaces(SHOWN_DECIMALS).isInteger();
  if (fraction.isZero() || !wasWhole || split.ratio.greaterThan(1)) return '';
  return ` ${corporateActionMessages(audience.locale).fraction({ fraction: pieces(fraction, split.instrument, audience) })}`;
};

/** Describes a split that some entries already count. */
export const mixedLine = (
  split: HeldSplit,
  figures: 'marked' | 'all' | 'none',
  context: OfferContext,
): string =>
  corporateActionMessages(context.audience.locale).splitMixed({
    ...splitParams(split, context),
    ...countingParams(split),
    figures,
  });

const splitLine = (split: HeldSplit, { unsure }: PortfolioActions, context: OfferContext): string => {
  const t = corporateActionMessages(context.audience.locale);
  const params = splitParams(split, context);
  if (split.status === 'mixed') return mixedLine(split, 'marked', context);
  const line = unsure.has(split.instrument.symbol) ? t.splitUnsure(params) : t.splitMissing(params);
  return `${line}${fractionText(split, context)}`;
};

export const splitChoice = (split: HeldSplit, context: OfferContext): readonly Choice[] => {
  const command = splitCommand(split, context);
  if (split.status !== 'missing' || command.length > MAX_PRESSED_CHARS) return [];
  const label = corporateActionMessages(context.audience.locale).recordSplit(splitParams(split, context));
  return [{ label, command }];
};

export const typedCommands = (choices: readonly Choice[], { audience }: OfferContext): string | undefined =>
  choices.length === 0
    ? undefined
    : corporateActionMessages(audience.locale).typed({
        commands: choices.map(({ command }) => `\`${command}\``).join(', '),
      });

export const isMissingSplit = (action: HeldAction): action is HeldSplit =>
  action.kind === 'split' && (action.status === 'missing' || action.status === 'mixed');

/** For lists of entries, where no figures are marked. */
const followedLine = (split: HeldSplit, _found: PortfolioActions, context: OfferContext): string => {
  const t = corporateActionMessages(context.audience.locale);
  const params = splitParams(split, context);
  return split.status === 'mixed'
    ? mixedLine(split, 'none', context)
    : `${t.splitFollowed(params)}${fractionText(split, context)}`;
};

/** Undoes the wrong entry. */
export const undoChoice = (split: HeldSplit, context: OfferContext): readonly Choice[] => {
  const number = wrongEntry(split);
  const command = undoCommand(number, context);
  if (!isWrongSplit(split) || number === 0 || command.length > MAX_PRESSED_CHARS) return [];
  const name = narrowName(split.instrument, context.audience.locale);
  return [{ label: corporateActionMessages(context.audience.locale).undoSplit({ number, name }), command }];
};

/** One line for each of the first splits, one for the other splits, one for dividends and one for items to check. */
export const offersOf = (
  found: PortfolioActions,
  context: OfferContext,
  lineFor: typeof splitLine = splitLine,
): Offers => {
  const t = corporateActionMessages(context.audience.locale);
  const command = actionsCommand(context);
  const splits = found.actions.filter(isMissingSplit);
  const shown = splits.slice(0, MAX_SPLITS);
  const dividends = found.actions.filter(({ kind, status }) => kind === 'dividend' && status === 'missing');
  const checks = found.actions.filter(({ status }) => status === 'check').length;
  const [first] = dividends;
  const choices = shown.flatMap((split) => splitChoice(split, context));
  const wrong = found.actions.filter(isWrongSplit).slice(0, MAX_SPLITS);
  return {
    lines: [
      ...shown.map((split) => lineFor(split, found, context)),
      ...wrong.map((split) => wrongLine(split, context)),
      ...(splits.length > shown.length
        ? [t.moreSplits({ count: splits.length - shown.length, command })]
        : []),
      ...(first
        ? [t.dividendsMissing({ count: dividends.length, since: first.date.toString(), command })]
        : []),
      ...(checks > 0 ? [t.checksOpen({ count: checks, command })] : []),
    ],
    choices: [...choices, ...wrong.flatMap((split) => undoChoice(split, context))],
    typed: typedCommands(choices, context),
  };
};

/** The same for a list of entries. */
export const historyOffers = (found: PortfolioActions, context: OfferContext): Offers =>
  offersOf(found, context, followedLine);

/** Offers the splits that followed a purchase, or imported purchases, just recorded. */
export const followedOffers = (
  found: PortfolioActions,
  context: OfferContext,
  /** Overrides the sentence for some splits. */
  lineFor: (split: HeldSplit) => string | undefined = () => undefined,
): Offers => {
  const splits = found.actions.filter(isMissingSplit).slice(0, MAX_SPLITS);
  const choices = splits.flatMap((split) => splitChoice(split, context));
  const wrong = found.actions.filter(isWrongSplit).slice(0, MAX_SPLITS);
  return {
    lines: [
      ...splits.map((split) => lineFor(split) ?? followedLine(split, found, context)),
      ...wrong.map((split) => wrongLine(split, context)),
    ],
    choices: [...choices, ...wrong.flatMap((split) => undoChoice(split, context))],
    typed: typedCommands(choices, context),
  };
};

export const dividendParams = (
  dividend: HeldDividend,
  money: (value: Decimal) => string,
  { audience }: OfferContext,
) => ({
  name: narrowName(dividend.instrument, audience.locale),
  date: dividend.date.toString(),
  each: money(dividend.each.toDecimalPlaces(SHOWN_DECIMALS)),
  held: pieces(dividend.held, dividend.instrument, audience),
  amount: money(dividendAmount(dividend)),
});

/** Facts for checking figures that a model repeats. */
export const actionFacts = (actions: readonly HeldAction[], source: string): readonly Fact[] =>
  actions.flatMap((action): readonly Fact[] => {
    const base = {
      entity: action.instrument.symbol,
      asOf: action.date.toString(),
      source,
      isSample: false,
    };
    if (action.kind === 'split')
      return [{ ...base, metric: 'splitRatio', value: action.ratio.toFixed(), unit: 'x' }];
    if (action.kind === 'gap') return [];
    const value = action.each.toDecimalPlaces(8).toFixed();
    return [{ ...base, metric: 'dividendPerShare', value, unit: action.currency }];
  });

/** Facts about the splits included in a portfolio's figures. */
export const splitFacts = ({ actions, sources }: PortfolioActions): readonly Fact[] =>
  actionFacts(actions.filter(isMissingSplit), sources.join(', '));
