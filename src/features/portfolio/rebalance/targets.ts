import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { PortfolioTarget, Transaction } from '#src/kernel/market/ledger.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { sharesOneName } from '#src/reading/names.ts';
import { stemsOf } from '#src/reading/particles.ts';
import { namesOf } from '#src/markets/answers/fact-names.ts';
import { type FactRecorder, withoutFacts } from '#src/markets/answers/fact-recorder.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { isPairNamed } from '#src/markets/symbols/coin-pairs.ts';
import { rebalanceTexts } from '../texts/rebalance.ts';
import { usualCoinPair } from '../entries/instrument.ts';
import { refusedAnswer } from '../portfolios/pick-portfolio.ts';
import { isCashName, type WrittenTarget } from './read-plan-args.ts';

const HUNDRED = 100;
const MAX_TARGETS = 50;
const HOLDABLE: ReadonlySet<string> = new Set(['equity', 'etf', 'crypto']);

const targetName = ({ instrument }: PortfolioTarget, locale: Locale): string =>
  instrument ? narrowName(instrument, locale) : rebalanceTexts(locale).cash;

/** `애플 40%, 현금 60%`. */
export const targetList = (targets: readonly PortfolioTarget[], told: FactRecorder): string =>
  targets
    .map((target) => {
      const { instrument, percent } = target;
      const own = instrument
        ? told.about({ entity: instrument.symbol, names: namesOf(instrument) })
        : told.about({ parameter: 'cash' });
      own.keep('targetWeight', percent, '%');
      return `${targetName(target, told.locale)} ${percent.toFixed()}%`;
    })
    .join(', ');

/** Formats targets so that they can be typed again. */
const typedList = (targets: readonly PortfolioTarget[], locale: Locale): string =>
  targets
    .map(({ instrument, percent }) =>
      [instrument?.ticker ?? rebalanceTexts(locale).cash, percent.toFixed()].join(' '),
    )
    .join(' ');

/** Strips Korean particles if only the plain name is known. */
const plainName = (name: string, symbols: Pick<SymbolSearch, 'resolve'>): string =>
  symbols.resolve(name).status === 'unknown'
    ? (stemsOf(name).find((stem) => symbols.resolve(stem).status !== 'unknown') ?? name)
    : name;

/** Holdings and trades of a portfolio, which disambiguate names. */
export interface TargetContext {
  readonly held: readonly Instrument[];
  readonly entries: readonly Transaction[];
  readonly baseCurrency: Currency;
  readonly symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>;
}

/** The held instrument wins among several matches, and a coin means the same pair as in an entry. */
const resolveTarget = (
  name: string,
  { held, entries, baseCurrency, symbols }: TargetContext,
): Instrument | undefined => {
  const match = symbols.resolve(name);
  if (match.status === 'found') {
    const { instrument } = match;
    return isPairNamed(name, instrument)
      ? instrument
      : usualCoinPair(instrument, entries, baseCurrency, symbols);
  }
  const own = held.filter((instrument) => sharesOneName(name, [instrument]));
  const [only, ...others] = own;
  return only && others.length === 0 ? only : undefined;
};

export type SettledTargets =
  | { readonly status: 'ok'; readonly targets: readonly PortfolioTarget[] }
  | { readonly status: 'refused'; readonly answer: MarketAnswer };

export const refusedTargets = (text: string): SettledTargets => ({
  status: 'refused',
  answer: refusedAnswer(text),
});

/** Resolves typed names and weights to targets that add up to 100 %, or to a question about them. */
export const settleTargets = async (
  written: readonly WrittenTarget[],
  context: TargetContext,
  verb: 'rebalance' | 'target',
  locale: Locale,
  signal: AbortSignal,
): Promise<SettledTargets> => {
  const t = rebalanceTexts(locale);
  const { symbols } = context;
  if (written.length > MAX_TARGETS) return refusedTargets(t.tooMany({ most: MAX_TARGETS }));
  const targets: PortfolioTarget[] = [];
  for (const [index, { name: typed, percent }] of written.entries()) {
    if (isCashName(typed)) {
      targets.push({ percent });
      continue;
    }
    const name = plainName(typed, symbols);
    const instrument = resolveTarget(name, context);
    if (!instrument) {
      const commandFor = (code: string): string => {
        const list = written.map(
          (each, at) => `${at === index ? code : each.name} ${each.percent.toFixed()}`,
        );
        return `/portfolio ${verb} ${list.join(' ')}`;
      };
      return {
        status: 'refused',
        answer: missedAnswer(await resolveNames([name], symbols, locale, commandFor, signal)),
      };
    }
    if (!HOLDABLE.has(instrument.assetClass))
      return refusedTargets(t.untradable({ name: narrowName(instrument, locale) }));
    targets.push({ instrument, percent });
  }
  const keys = targets.map(({ instrument }) => instrument?.symbol ?? '');
  const again = targets.find((_target, index) => keys.indexOf(keys[index] ?? '') !== index);
  if (again) return refusedTargets(t.twice({ name: targetName(again, locale) }));
  const total = targets.reduce((sum, { percent }) => sum.plus(percent), new Decimal(0));
  if (total.greaterThan(HUNDRED)) return refusedTargets(t.above({ sum: total.toFixed() }));
  if (total.lessThan(HUNDRED)) {
    const rest = new Decimal(HUNDRED).minus(total);
    const cash = targets.find(({ instrument }) => !instrument);
    const completed = [
      ...targets.filter(({ instrument }) => instrument),
      { percent: rest.plus(cash?.percent ?? 0) },
    ];
    const command = `/portfolio ${verb} ${typedList(completed, locale)}`;
    return {
      status: 'refused',
      answer: {
        ...refusedAnswer(t.notHundred({ sum: total.toFixed(), rest: `\`${command}\`` })),
        choices: [{ label: targetList(completed, withoutFacts(locale)).slice(0, 80), command }],
      },
    };
  }
  return { status: 'ok', targets };
};
