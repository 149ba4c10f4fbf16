import { codeFor, type SymbolSearch } from '#src/kernel/market/finance.ts';
import { corporateActionTexts } from '../texts/actions.ts';
import type { PortfolioRecord } from '#src/kernel/market/ledger.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { type Choice, MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import { createFactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { Exact } from '../ledger/fixed-point.ts';
import { exactMoneyText, shownQuantityText } from '#src/markets/answers/money-text.ts';
import { portfolioOption } from '../portfolios/pick-portfolio.ts';
import { dividendTax, taxCountryOf, yearEndPayment } from './dividend-tax.ts';
import { recordCommand } from '../entries/instrument.ts';
import type { PortfolioActions } from './gather-actions.ts';
import type { HeldAction, HeldDividend, HeldSplit } from './held-actions.ts';
import { ratioText, splitFigures, splitName } from '#src/markets/answers/split-ratio.ts';
import type { TaxedAs } from '../requests.ts';

export interface OfferContext {
  readonly portfolio: Pick<PortfolioRecord, 'name' | 'isDefault' | 'account'>;
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
  corporateActionTexts(locale).splitName(splitName(ratio, locale));

const OPEN: ReadonlySet<HeldAction['status']> = new Set([
  'missing',
  'mixed',
  'check',
  'closed',
  'twice',
  'other-ratio',
]);

export const isOpen = ({ status }: HeldAction): boolean => OPEN.has(status);

const inPortfolio = ({ name, isDefault }: Pick<PortfolioRecord, 'name' | 'isDefault'>) =>
  isDefault ? {} : { portfolio: name };

export const actionsCommand = ({ portfolio, audience }: OfferContext): string =>
  `/portfolio ${audience.locale === 'ko' ? '배당확인' : 'actions'}${portfolioOption(portfolio)}`;

export const splitCommand = ({ instrument, date, ratio }: HeldSplit, context: OfferContext): string =>
  recordCommand(
    { kind: 'split', ratio: ratioText(ratio), date: date.toString(), ...inPortfolio(context.portfolio) },
    codeFor(instrument, context.symbols),
  );

/** Rounded to the currency's smallest unit. */
export const dividendAmount = ({ amount, currency }: HeldDividend): Decimal =>
  new Exact(amount).toDecimalPlaces(currencyNamed(currency)?.decimals ?? 2);

/** The day that an offered dividend is recorded on: the ex-dividend day, or that by which one of the year end is paid. */
export const dividendDay = ({ instrument, date }: HeldDividend): Temporal.PlainDate =>
  yearEndPayment(taxCountryOf(instrument), date) ?? date;

/** The tax on an offered dividend. */
export const taxOn = (
  dividend: HeldDividend,
  as: TaxedAs,
  { account }: Pick<PortfolioRecord, 'account'>,
): Decimal => {
  const { currency, instrument } = dividend;
  return dividendTax(
    { amount: dividendAmount(dividend), currency, country: taxCountryOf(instrument) },
    as,
    account,
  );
};

export const dividendCommand = (
  dividend: HeldDividend,
  context: OfferContext,
  as: TaxedAs = 'none',
): string => {
  const tax = taxOn(dividend, as, context.portfolio);
  return recordCommand(
    {
      kind: 'dividend',
      amount: dividendAmount(dividend).toFixed(),
      currency: dividend.currency,
      date: dividendDay(dividend).toString(),
      ...(!tax.isZero() && { tax: tax.toFixed() }),
      ...inPortfolio(context.portfolio),
    },
    codeFor(dividend.instrument, context.symbols),
  );
};

export const splitParams = (
  { instrument, ratio, date, held }: HeldSplit,
  { audience: { locale } }: Pick<OfferContext, 'audience'>,
) => ({
  name: narrowName(instrument, locale),
  ...splitName(ratio, locale),
  date: date.toString(),
  before: shownQuantityText(held, instrument, locale),
  after: shownQuantityText(new Exact(held).times(ratio), instrument, locale),
});

/** `#2, #3`: the entries that already count it. */
export const countingParams = ({ counting }: HeldSplit) => ({
  entries: counting.map((number) => `#${number}`).join(', '),
  count: counting.length,
});

const undoCommand = (number: number, { portfolio }: OfferContext): string =>
  `/portfolio undo ${number}${portfolioOption(portfolio)}`;

/** The number of the wrong entry. */
const wrongEntry = ({ status, entry, closedBy }: HeldSplit): number =>
  (status === 'closed' ? closedBy : entry?.number) ?? 0;

/** Explains which entry a split made wrong, and how to fix it. */
const wrongLine = (split: HeldSplit, context: OfferContext): string => {
  const t = corporateActionTexts(context.audience.locale);
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
const fractionText = (
  { held, ratio, instrument }: HeldSplit,
  { audience: { locale } }: OfferContext,
): string => {
  const after = new Exact(held).times(ratio).toDecimalPlaces(SHOWN_DECIMALS);
  const fraction = after.minus(after.trunc()).abs();
  const wasWhole = held.toDecimalPlaces(SHOWN_DECIMALS).isInteger();
  if (fraction.isZero() || !wasWhole || ratio.greaterThan(1)) return '';
  const shown = shownQuantityText(fraction, instrument, locale);
  return ` ${corporateActionTexts(locale).fraction({ fraction: shown })}`;
};

/** Describes a split that some entries already count. */
const mixedLine = (split: HeldSplit, figures: 'marked' | 'all' | 'none', context: OfferContext): string =>
  corporateActionTexts(context.audience.locale).splitMixed({
    ...splitParams(split, context),
    ...countingParams(split),
    figures,
  });

export const splitChoice = (split: HeldSplit, context: OfferContext): readonly Choice[] => {
  const command = splitCommand(split, context);
  if (split.status !== 'missing' || command.length > MAX_PRESSED_CHARS) return [];
  const label = corporateActionTexts(context.audience.locale).recordSplit(splitParams(split, context));
  return [{ label, command }];
};

/** Undoes the wrong entry. */
export const undoChoice = (split: HeldSplit, context: OfferContext): readonly Choice[] => {
  const number = wrongEntry(split);
  const command = undoCommand(number, context);
  if (!isWrongSplit(split) || number === 0 || command.length > MAX_PRESSED_CHARS) return [];
  const name = narrowName(split.instrument, context.audience.locale);
  const label = corporateActionTexts(context.audience.locale).undoSplit({ number, name });
  return [{ label, command, isDestructive: true }];
};

export const typedCommands = (choices: readonly Choice[], { audience }: OfferContext): string | undefined =>
  choices.length === 0
    ? undefined
    : corporateActionTexts(audience.locale).typed({
        commands: choices.map(({ command }) => `\`${command}\``).join(', '),
      });

export const isMissingSplit = (action: HeldAction): action is HeldSplit =>
  action.kind === 'split' && (action.status === 'missing' || action.status === 'mixed');

export const isDismissedSplit = (action: HeldAction): action is HeldSplit =>
  action.kind === 'split' && action.status === 'dismissed';

/** Notes about the first missing and the first wrong splits, with buttons that fix them. */
const splitOffers = (
  { actions }: Pick<PortfolioActions, 'actions'>,
  context: OfferContext,
  lineFor: (split: HeldSplit) => string,
): Offers => {
  const missing = actions.filter(isMissingSplit).slice(0, MAX_SPLITS);
  const wrong = actions.filter(isWrongSplit).slice(0, MAX_SPLITS);
  const choices = missing.flatMap((split) => splitChoice(split, context));
  return {
    lines: [...missing.map(lineFor), ...wrong.map((split) => wrongLine(split, context))],
    choices: [...choices, ...wrong.flatMap((split) => undoChoice(split, context))],
    typed: typedCommands(choices, context),
  };
};

const moreSplitsLine = (
  { actions }: Pick<PortfolioActions, 'actions'>,
  context: OfferContext,
): readonly string[] => {
  const count = actions.filter(isMissingSplit).length - MAX_SPLITS;
  const t = corporateActionTexts(context.audience.locale);
  return count > 0 ? [t.moreSplits({ count, command: actionsCommand(context) })] : [];
};

/** Notes about splits, then one line for dividends and one for items to check. */
const withOpenActions = (offers: Offers, found: PortfolioActions, context: OfferContext): Offers => {
  const t = corporateActionTexts(context.audience.locale);
  const command = actionsCommand(context);
  const dividends = found.actions.filter(({ kind, status }) => kind === 'dividend' && status === 'missing');
  const checks = found.actions.filter(({ status }) => status === 'check').length;
  const [first] = dividends;
  return {
    ...offers,
    lines: [
      ...offers.lines,
      ...moreSplitsLine(found, context),
      ...(first
        ? [t.dividendsMissing({ count: dividends.length, since: first.date.toString(), command })]
        : []),
      ...(checks > 0 ? [t.checksOpen({ count: checks, command })] : []),
    ],
  };
};

/** Offers below the summary, whose figures are marked. */
export const summaryOffers = (found: PortfolioActions, context: OfferContext): Offers => {
  const t = corporateActionTexts(context.audience.locale);
  const lineFor = (split: HeldSplit): string => {
    if (split.status === 'mixed') return mixedLine(split, 'marked', context);
    const isUnsure = found.unsure.has(split.instrument.symbol);
    const params = splitParams(split, context);
    return `${isUnsure ? t.splitUnsure(params) : t.splitMissing(params)}${fractionText(split, context)}`;
  };
  return withOpenActions(splitOffers(found, context, lineFor), found, context);
};

/** For lists of entries, where no figures are marked. */
const followedLine = (split: HeldSplit, context: OfferContext): string =>
  split.status === 'mixed'
    ? mixedLine(split, 'none', context)
    : `${corporateActionTexts(context.audience.locale).splitFollowed(splitParams(split, context))}${fractionText(split, context)}`;

/** Offers below a list of entries. */
export const historyOffers = (found: PortfolioActions, context: OfferContext): Offers =>
  withOpenActions(
    splitOffers(found, context, (split) => followedLine(split, context)),
    found,
    context,
  );

/** Tells on every view that a dismissed split is left out, and how to restore it. */
export const dismissedSplitLines = (
  { actions }: Pick<PortfolioActions, 'actions'>,
  context: OfferContext,
): readonly string[] => {
  const t = corporateActionTexts(context.audience.locale);
  const splits = actions.filter(isDismissedSplit);
  return splits.slice(0, MAX_SPLITS).map((split) =>
    t.splitDismissed({
      ...splitParams(split, context),
      command: `${actionsCommand(context)} ${t.restoreWord} ${codeFor(split.instrument, context.symbols)}`,
    }),
  );
};

/** Offers after recording an entry: unrecorded splits after its day, and those it was recorded after. */
export const recordedOffers = (
  found: PortfolioActions,
  date: Temporal.PlainDate,
  context: OfferContext,
): Offers => {
  const t = corporateActionTexts(context.audience.locale);
  const isBehind = (split: HeldSplit): boolean =>
    split.status === 'missing' &&
    Temporal.PlainDate.compare(split.date, date) <= 0 &&
    !found.unsure.has(split.instrument.symbol);
  const offers = splitOffers(found, context, (split) =>
    isBehind(split) ? t.splitCounted(splitParams(split, context)) : followedLine(split, context),
  );
  return { ...offers, lines: [...offers.lines, ...dismissedSplitLines(found, context)] };
};

/** Notes for views without a list of splits and dividends. */
export const splitNotes = (
  { found, unvalued }: { readonly found: PortfolioActions; readonly unvalued: ReadonlySet<string> },
  context: OfferContext,
): Offers => {
  const t = corporateActionTexts(context.audience.locale);
  const missing = found.actions.filter(isMissingSplit);
  const { lines, choices, typed } = splitOffers({ actions: missing }, context, (split) => {
    if (unvalued.has(split.instrument.symbol)) return t.splitUnsure(splitParams(split, context));
    return split.status === 'mixed'
      ? mixedLine(split, 'all', context)
      : t.splitCounted(splitParams(split, context));
  });
  return {
    lines: [
      ...doubtLines(found, context),
      ...lines,
      ...moreSplitsLine(found, context),
      ...dismissedSplitLines(found, context),
    ],
    choices,
    typed,
  };
};

export const dividendParams = (dividend: HeldDividend, { audience: { locale } }: OfferContext) => ({
  name: narrowName(dividend.instrument, locale),
  date: dividend.date.toString(),
  day: dividendDay(dividend).toString(),
  each: exactMoneyText(dividend.each.toDecimalPlaces(SHOWN_DECIMALS), dividend.currency, locale),
  held: shownQuantityText(dividend.held, dividend.instrument, locale),
  amount: exactMoneyText(dividendAmount(dividend), dividend.currency, locale),
});

/** Names the holdings that have no value because their price may be counted in other shares. */
export const doubtLines = (
  { doubted }: Pick<PortfolioActions, 'doubted'>,
  context: OfferContext,
): readonly string[] => {
  const { locale } = context.audience;
  const t = corporateActionTexts(locale);
  return Array.from(doubted.values(), (instrument) => {
    const code = codeFor(instrument, context.symbols);
    return t.priceDoubted({
      name: narrowName(instrument, locale),
      command: `${actionsCommand(context)} ${t.dismissWord} ${code}`,
    });
  });
};

/** Facts for checking figures that a model repeats. */
export const actionFacts = (actions: readonly HeldAction[], source: string): readonly Fact[] =>
  actions.flatMap((action): readonly Fact[] => {
    const { held, instrument, date } = action;
    const told = createFactRecorder('en', {
      entity: instrument.symbol,
      names: namesOf(instrument),
      day: date.toString(),
      asOf: date.toZonedDateTime('UTC').toInstant().toString(),
      source,
      isSample: false,
    });
    if (action.kind === 'gap') {
      const { previousClose, open } = action;
      told.keep('previousClose', previousClose, instrument.currency);
      told.keep('open', open, instrument.currency);
      told.keep('changePercent', open.dividedBy(previousClose).minus(1).times(100), '%', 'at the open');
      return told.facts();
    }
    told.keep('quantity', held, 'units', 'on the day before');
    if (action.kind === 'split') {
      const after = new Exact(held).times(action.ratio);
      for (const figure of splitFigures(action.ratio)) told.keep(...figure);
      told.keep('quantity', after, 'units', 'on the day');
      told.keep('quantity', after.minus(after.trunc()), 'units', 'fraction');
      return told.facts();
    }
    told.keep('dividendPerShare', action.each, action.currency);
    told.keep('dividends', dividendAmount(action), action.currency);
    return told.facts();
  });

/** Facts about the splits included in a portfolio's figures. */
export const splitFacts = ({ actions, sources }: PortfolioActions): readonly Fact[] =>
  actionFacts(actions.filter(isMissingSplit), sources.join(', '));
