import type { Locale } from '#src/kernel/locale.ts';
import { taxTexts } from '../texts/tax.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import type { OwnerId } from '#src/kernel/ids.ts';
import type { CostMethod, PortfolioRecord, Transaction } from '#src/kernel/market/ledger.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Choice, MediaAttachment } from '#src/kernel/chat/message.ts';
import type { AccountQuery, Requester } from '#src/kernel/people/requester.ts';
import { shortened } from '#src/kernel/text.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { WriteExport } from '#src/platform/storage/export-file.ts';
import { createFactRecorder } from '#src/markets/answers/fact-recorder.ts';
import { type CountDeps, countLedger } from '../summary/counted-ledger.ts';
import { splitNotes } from '../corporate-actions/offers.ts';
import { closesBefore, type FillRatesDeps, type RateOn, ratesOf } from '../rates/day-rates.ts';
import { csvAttachment } from '../csv.ts';
import {
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  portfolioOption,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { LEDGER_SOURCE, portfolioTold } from '../portfolios/portfolio-told.ts';
import { hasLinkedLots } from '../ledger/linked-lots.ts';
import { ledgerProblemText } from '../entries/entry-text.ts';
import { accountChoice, suggestedAccount } from '../portfolios/manage-portfolios.ts';
import { hasSampleFigures, rateNotes } from '../rates/rate-text.ts';
import { koreanReport, neededRates, type TaxedLedger, WON, type WonRate } from './korean-report.ts';
import { koreanCsv, termCsv } from './tax-csv.ts';
import { koreanText, termText } from './tax-text.ts';
import { termReport } from './term-report.ts';
import type { TaxRequest } from '../requests.ts';

export type TaxDeps = PickDeps & FillRatesDeps & CountDeps & { readonly writeExport: WriteExport };

/** Gains are declared in May of the next year, so until then the year before is the default. */
const LAST_MONTH_OF_FILING = 5;
const FIRST_YEAR = 1990;
/** The most days that a note lists. */
const MAX_NAMED = 8;

const readYear = (
  typed: string | undefined,
  today: Temporal.PlainDate,
  locale: Locale,
): { readonly year: number } | { readonly problem: string } => {
  const t = taxTexts(locale);
  if (typed === undefined || typed.trim() === '')
    return { year: today.month <= LAST_MONTH_OF_FILING ? today.year - 1 : today.year };
  const digits = /^(\d{4})년?(?:도|분|귀속)?$/u.exec(typed.normalize('NFKC').trim())?.[1];
  const year = Number(digits);
  if (digits === undefined || year < FIRST_YEAR) return { problem: t.badYear({ typed: shortened(typed) }) };
  return year > today.year ? { problem: t.notBegun({ year }) } : { year };
};

interface FoundRates {
  readonly rateOf: WonRate;
  /** Days without a live rate, with the stored close used instead. */
  readonly standIns: ReadonlyMap<string, RateOn>;
}

/**
 * The rates of all days at once. A rate of an unfinished day, or of sample data, is not final. Without a source, the
 * last stored close before a day is used.
 */
const wonRates = async (
  needed: ReturnType<typeof neededRates>,
  deps: TaxDeps,
  signal: AbortSignal,
): Promise<FoundRates> => {
  const standIns = new Map<string, RateOn>();
  const found = new Map(
    await Promise.all(
      [...Map.groupBy(needed, ({ currency }) => currency)].map(async ([currency, days]) => {
        const dates = days.map(({ date }) => date);
        const rateOn = await ratesOf(currency, WON, dates, deps, signal);
        const waiting = dates.filter((date) => rateOn(date).status === 'waits');
        const closeOn = await closesBefore(currency, WON, waiting, deps);
        const rates = new Map<string, RateOn>();
        for (const date of dates) {
          const rate = rateOn(date);
          const close = rate.status === 'waits' ? closeOn(date) : undefined;
          if (close) standIns.set(`${date.toString()} ${currency}`, close);
          const known = rate.status === 'ok' ? rate : close;
          if (known) rates.set(date.toString(), known);
        }
        return [currency, rates] as const;
      }),
    ),
  );
  return { rateOf: (currency, date) => found.get(currency)?.get(date.toString()), standIns };
};

const standInText = (standIns: FoundRates['standIns'], locale: Locale): readonly string[] => {
  if (standIns.size === 0) return [];
  const { notes } = taxTexts(locale);
  const named = [...standIns]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([asked, { day }]) => notes.closeOf({ asked, day: day.toString() }));
  const more = named.length > MAX_NAMED ? ' …' : '';
  return [notes.standIns({ names: `${named.slice(0, MAX_NAMED).join(', ')}${more}` })];
};

interface ReportContext {
  readonly requester: Requester;
  readonly ownerId: OwnerId;
  readonly year: number;
  readonly today: Temporal.PlainDate;
  /** About accounts that are left out or should be. */
  readonly notes?: readonly string[];
  readonly choices?: readonly Choice[];
}

/** A file outlives its message, so it is sent in direct chats only. */
const fileOf = async (
  deps: TaxDeps,
  { requester, ownerId, year }: ReportContext,
  csv: string | undefined,
): Promise<{ readonly note: readonly string[]; readonly media: readonly MediaAttachment[] }> => {
  const t = taxTexts(requester.locale);
  if (csv === undefined) return { note: [], media: [] };
  if (!requester.isDirect) return { note: [t.notes.noFile], media: [] };
  const subject = `${ownerId}\0tax`;
  const file = await csvAttachment(
    deps.writeExport,
    { kind: 'portfolio', subject },
    t.fileName({ year }),
    csv,
  );
  return { note: [t.notes.file], media: [file] };
};

interface ReadLedger extends TaxedLedger {
  /** Entries as recorded; `entries` include missing splits. */
  readonly recorded: readonly Transaction[];
  /** Notes about the missing splits. */
  readonly notes: readonly string[];
}

const readLedger = async (
  portfolio: PortfolioRecord,
  audience: Requester,
  deps: TaxDeps,
  signal: AbortSignal,
): Promise<ReadLedger> => {
  const counted = await countLedger(portfolio, deps, signal);
  return {
    portfolio: portfolio.name,
    method: portfolio.costMethod,
    allowsShort: portfolio.allowsShort,
    entries: counted.entries,
    recorded: counted.recorded,
    notes: splitNotes(counted, { portfolio, audience, symbols: deps.symbols }).lines,
  };
};

/** The ledgers of other portfolios, if shares came from one. */
const sourcesOf = async (
  ledgers: readonly ReadLedger[],
  others: readonly PortfolioRecord[],
  audience: Requester,
  deps: TaxDeps,
  signal: AbortSignal,
): Promise<readonly ReadLedger[]> =>
  ledgers.some(hasLinkedLots)
    ? Promise.all(others.map((portfolio) => readLedger(portfolio, audience, deps, signal)))
    : [];

const buttons = ({ requester, year, today }: ReportContext, options: string): readonly Choice[] =>
  [year - 1, year + 1]
    .filter((each) => each <= today.year)
    .map((each) => ({
      label: taxTexts(requester.locale).yearButton({ year: each }),
      command: `/portfolio tax ${each}${options}`,
      effect: 'replaces' as const,
    }));

const hasOwnTax = ({ account }: PortfolioRecord): boolean => Boolean(account);

/** Says that ISA and pension accounts are left out, by name. */
const apartText = (marked: readonly PortfolioRecord[], locale: Locale): string => {
  const { accounts } = portfolioTexts(locale);
  const names = marked.map(({ name, account }) => `${name} (${account ? accounts[account] : ''})`).join(', ');
  return taxTexts(locale).notes.apart({ names });
};

/** Names the accounts that are left out, and offers to mark those that look like one. */
const accountNotes = (
  { marked, ordinary }: Readonly<Record<'marked' | 'ordinary', readonly PortfolioRecord[]>>,
  locale: Locale,
): Pick<ReportContext, 'notes' | 'choices'> => {
  const unmarked = ordinary.filter(suggestedAccount);
  const names = unmarked.map(({ name }) => name).join(', ');
  const [first] = unmarked;
  return {
    notes: [
      ...(marked.length > 0 ? [apartText(marked, locale)] : []),
      ...(first ? [taxTexts(locale).notes.unmarked({ names, first: first.name })] : []),
    ],
    choices: unmarked.flatMap((portfolio) => accountChoice(portfolio, locale)),
  };
};

const koreanAnswer = async (
  portfolios: readonly PortfolioRecord[],
  others: readonly PortfolioRecord[],
  isOnlyOne: boolean,
  context: ReportContext,
  deps: TaxDeps,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const { requester, year, today } = context;
  const { locale } = requester;
  const t = taxTexts(locale);
  const ledgers = await Promise.all(
    portfolios.map((portfolio) => readLedger(portfolio, requester, deps, signal)),
  );
  const sources = await sourcesOf(ledgers, others, requester, deps, signal);
  const { rateOf, standIns } = await wonRates(neededRates([...ledgers, ...sources], year), deps, signal);
  const reportBy = (by?: CostMethod) =>
    byTime(koreanReport(ledgers, year, rateOf, today, by, sources), signal);
  const worked = await reportBy();
  const isSample = worked.hasSampleRates || ledgers.some(({ recorded }) => hasSampleFigures(recorded));
  const report = { ...worked, hasSampleRates: isSample };
  const { shortSales, income, unrated } = report;
  const sold = Object.values(report.others).reduce(
    (sum, { count }) => sum + count,
    shortSales + report.sales.length,
  );
  if (sold + income.length + unrated.length + report.broken.length === 0)
    return refusedAnswer(t.nothing({ year }));
  const [method, ...more] = [...new Set(ledgers.map((ledger) => ledger.method))];
  const otherMethod: CostMethod | undefined =
    more.length > 0 || method === undefined ? undefined : method === 'fifo' ? 'average' : 'fifo';
  const other = otherMethod && (await reportBy(otherMethod));
  const csv = report.sales.length > 0 ? await byTime(koreanCsv(report, locale), signal) : undefined;
  const { note, media } = await fileOf(deps, context, csv);
  const byOther = other && otherMethod && { method: otherMethod, gain: other.gain };
  const told = createFactRecorder(locale, {
    entity: `tax ${year}`,
    period: String(year),
    asOf: deps.clock.now().toString(),
    source: LEDGER_SOURCE,
    isSample,
  });
  const text = koreanText(
    {
      report,
      other: byOther,
      methods: ledgers.map((ledger) => ledger.method),
      portfolios: portfolios.map(({ name }) => name),
      isOnlyOne,
      today: year === today.year ? today : undefined,
    },
    told,
  );
  const named = isOnlyOne ? portfolios.map(({ name }) => ` --in=${name}`).join('') : '';
  return {
    content: [
      text,
      ...standInText(standIns, locale),
      ...new Set(ledgers.flatMap(({ notes }) => notes)),
      ...(context.notes ?? []),
      t.rules,
      ...note,
      t.termHint,
      `**${t.notAdvice}**`,
    ].join('\n'),
    facts: told.facts(),
    found: 1,
    choices: [...buttons(context, ` kr${named}`), ...(context.choices ?? [])],
    ...(media.length > 0 && { media }),
  };
};

const termAnswer = async (
  portfolio: PortfolioRecord,
  all: readonly PortfolioRecord[],
  context: ReportContext,
  deps: TaxDeps,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const { requester, year, today } = context;
  const { locale } = requester;
  const t = taxTexts(locale);
  const { name, baseCurrency } = portfolio;
  const ledger = await readLedger(portfolio, requester, deps, signal);
  const others = all.filter((each) => each.id !== portfolio.id && each.baseCurrency === baseCurrency);
  const sources = await sourcesOf([ledger], others, requester, deps, signal);
  const report = await byTime(termReport(ledger, baseCurrency, year, sources), signal);
  if ('refused' in report) {
    const why = ledgerProblemText(report.refused, locale);
    return refusedAnswer(portfolioTexts(locale).broken({ name, why }));
  }
  const { sales, dividends, interest, unrated } = report;
  const received = dividends.gross.plus(interest.gross);
  if (sales.length + unrated.length === 0 && received.isZero()) return refusedAnswer(t.nothing({ year }));
  const isSample = hasSampleFigures(ledger.recorded);
  const csv = sales.length > 0 ? await byTime(termCsv(report, isSample, locale), signal) : undefined;
  const { note, media } = await fileOf(deps, context, csv);
  const told = portfolioTold({ portfolio, now: deps.clock.now(), isSample }, locale).about({
    period: String(year),
  });
  const text = termText(report, name, year === today.year ? today : undefined, told);
  const notes = rateNotes(ledger.recorded, undefined, baseCurrency, locale);
  return {
    content: [text, ...ledger.notes, ...notes, ...note, t.koreaHint, `**${t.notAdvice}**`].join('\n'),
    facts: told.facts(),
    found: 1,
    choices: buttons(context, ` us${portfolioOption(portfolio)}`),
    ...(media.length > 0 && { media }),
  };
};

/**
 * Sales, dividends and interest of a year for a tax return: for a resident of Korea over all portfolios, or for one
 * portfolio by holding period. Throws on abort alone.
 */
export const taxAnswer =
  (deps: TaxDeps): AccountQuery<TaxRequest> =>
  async ({ portfolio: named, year: typed, basis }, requester, signal) => {
    const today = deps.clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const meant = readYear(typed, today, requester.locale);
    if ('problem' in meant) return refusedAnswer(meant.problem);
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status !== 'ok') return notPickedAnswer(picked, named, requester.locale);
    const { portfolio, all, ownerId } = picked;
    const context = { requester, ownerId, year: meant.year, today };
    const isKorean = basis === undefined ? portfolio.baseCurrency === WON : basis === 'kr';
    if (!isKorean) return termAnswer(portfolio, all, context, deps, signal);
    const isOne = named !== undefined && named.trim() !== '';
    const [marked, ordinary] = [all.filter(hasOwnTax), all.filter((each) => !hasOwnTax(each))];
    if (isOne ? hasOwnTax(portfolio) : ordinary.length === 0)
      return refusedAnswer(apartText(isOne ? [portfolio] : marked, requester.locale));
    const counted = isOne ? [portfolio] : ordinary;
    const about = {
      ...context,
      ...accountNotes({ marked: isOne ? [] : marked, ordinary: counted }, requester.locale),
    };
    const others = all.filter(({ id }) => counted.every((each) => each.id !== id));
    return koreanAnswer(counted, others, isOne && all.length > 1, about, deps, signal);
  };
