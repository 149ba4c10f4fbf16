import type { Locale } from '#src/kernel/locale.ts';
import { taxMessages } from '../messages/tax.ts';
import { portfolioMessages } from '../messages/portfolio.ts';
import type { OwnerId } from '#src/kernel/ids.ts';
import type { CostMethod, PortfolioRecord, Transaction } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { Choice, MediaAttachment } from '#src/kernel/message.ts';
import type { Requester, PortfolioService } from '#src/kernel/account-services.ts';
import { shortened } from '#src/kernel/text.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import type { WriteExport } from '#src/platform/storage/accounts/export-file.ts';
import { type CountDeps, countLedger } from '../corporate-actions/counted-ledger.ts';
import { splitNotes } from '../corporate-actions/offers.ts';
import { closesBefore, type FillRatesDeps, type RateOn, ratesOf } from '../rates/day-rates.ts';
import { csvAttachment } from '../import/csv.ts';
import {
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  portfolioOption,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import { ledgerProblemText } from '../recording/entry-text.ts';
import { hasSampleFigures, rateNotes } from '../rates/rate-text.ts';
import { koreanReport, neededRates, type TaxedLedger, WON, type WonRate } from './korean-report.ts';
import { koreanCsv, termCsv } from './tax-csv.ts';
import { koreanFacts, termFacts } from './tax-facts.ts';
import { koreanText, termText } from './tax-text.ts';
import { termReport } from './term-report.ts';

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
  const t = taxMessages(locale);
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
  const { notes } = taxMessages(locale);
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
}

/** A file outlives its message, so it is sent in direct chats only. */
const fileOf = async (
  deps: TaxDeps,
  { requester, ownerId, year }: ReportContext,
  csv: string | undefined,
): Promise<{ readonly note: readonly string[]; readonly media: readonly MediaAttachment[] }> => {
  const t = taxMessages(requester.locale);
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

const buttons = ({ requester, year, today }: ReportContext, options: string): readonly Choice[] =>
  [year - 1, year + 1]
    .filter((each) => each <= today.year)
    .map((each) => ({
      label: taxMessages(requester.locale).yearButton({ year: each }),
      command: `/portfolio tax ${each}${options}`,
      effect: 'replaces' as const,
    }));

const koreanAnswer = async (
  portfolios: readonly PortfolioRecord[],
  isOnlyOne: boolean,
  context: ReportContext,
  deps: TaxDeps,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const { requester, year, today } = context;
  const { locale } = requester;
  const t = taxMessages(locale);
  const ledgers = await Promise.all(
    portfolios.map((portfolio) => readLedger(portfolio, requester, deps, signal)),
  );
  const { rateOf, standIns } = await wonRates(neededRates(ledgers, year), deps, signal);
  const worked = await byTime(koreanReport(ledgers, year, rateOf, today), signal);
  const isSample = worked.hasSampleRates || ledgers.some(({ recorded }) => hasSampleFigures(recorded));
  const report = { ...worked, hasSampleRates: isSample };
  const { others, shortSales, income, unrated } = report;
  const sold = Object.values(others).reduce(
    (sum, { count }) => sum + count,
    shortSales + report.sales.length,
  );
  if (sold + income.length + unrated.length + report.broken.length === 0)
    return refusedAnswer(t.nothing({ year }));
  const [method, ...more] = [...new Set(ledgers.map((ledger) => ledger.method))];
  const otherMethod: CostMethod | undefined =
    more.length > 0 || method === undefined ? undefined : method === 'fifo' ? 'average' : 'fifo';
  const other =
    otherMethod && (await byTime(koreanReport(ledgers, year, rateOf, today, otherMethod), signal));
  const csv = report.sales.length > 0 ? await byTime(koreanCsv(report, locale), signal) : undefined;
  const { note, media } = await fileOf(deps, context, csv);
  const byOther = other && otherMethod && { method: otherMethod, gain: other.gain };
  const text = koreanText(
    {
      report,
      other: byOther,
      methods: ledgers.map((ledger) => ledger.method),
      portfolios: portfolios.map(({ name }) => name),
      isOnlyOne,
      today: year === today.year ? today : undefined,
    },
    locale,
  );
  const named = isOnlyOne ? portfolios.map(({ name }) => ` --in=${name}`).join('') : '';
  return {
    content: [
      text,
      ...standInText(standIns, locale),
      ...new Set(ledgers.flatMap(({ notes }) => notes)),
      t.rules,
      ...note,
      t.termHint,
      `**${t.notAdvice}**`,
    ].join('\n'),
    facts: koreanFacts(report, byOther, deps.clock.now().toString()),
    found: 1,
    choices: buttons(context, ` kr${named}`),
    ...(media.length > 0 && { media }),
  };
};

const termAnswer = async (
  portfolio: PortfolioRecord,
  context: ReportContext,
  deps: TaxDeps,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const { requester, year, today } = context;
  const { locale } = requester;
  const t = taxMessages(locale);
  const { name, baseCurrency } = portfolio;
  const ledger = await readLedger(portfolio, requester, deps, signal);
  const report = await byTime(termReport(ledger, baseCurrency, year), signal);
  if ('refused' in report) {
    const why = ledgerProblemText(report.refused, locale);
    return refusedAnswer(portfolioMessages(locale).broken({ name, why }));
  }
  const { sales, dividends, interest, unrated } = report;
  const received = dividends.gross.plus(interest.gross);
  if (sales.length + unrated.length === 0 && received.isZero()) return refusedAnswer(t.nothing({ year }));
  const isSample = hasSampleFigures(ledger.recorded);
  const csv = sales.length > 0 ? await byTime(termCsv(report, isSample, locale), signal) : undefined;
  const { note, media } = await fileOf(deps, context, csv);
  const text = termText(report, name, year === today.year ? today : undefined, locale);
  const notes = rateNotes(ledger.recorded, undefined, baseCurrency, locale);
  return {
    content: [text, ...ledger.notes, ...notes, ...note, t.koreaHint, `**${t.notAdvice}**`].join('\n'),
    facts: termFacts(report, name, deps.clock.now().toString(), isSample),
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
  (deps: TaxDeps): PortfolioService['tax'] =>
  async ({ portfolio: named, year: typed, basis }, requester, signal) => {
    const today = deps.clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const meant = readYear(typed, today, requester.locale);
    if ('problem' in meant) return refusedAnswer(meant.problem);
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status !== 'ok') return notPickedAnswer(picked, named, requester.locale);
    const { portfolio, all, ownerId } = picked;
    const context = { requester, ownerId, year: meant.year, today };
    const isKorean = basis === undefined ? portfolio.baseCurrency === WON : basis === 'kr';
    if (!isKorean) return termAnswer(portfolio, context, deps, signal);
    const isOne = named !== undefined && named.trim() !== '';
    return koreanAnswer(isOne ? [portfolio] : all, isOne && all.length > 1, context, deps, signal);
  };
