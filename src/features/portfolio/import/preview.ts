import type { SymbolSearch } from '#src/kernel/finance.ts';
import { importMessages } from '../messages/import.ts';
import { instrumentOf, type NewTransaction } from '#src/kernel/ledger.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import type { DailyRateStore } from '../store-daily-rates.ts';
import type { WriteExport } from '#src/platform/storage/accounts/export-file.ts';
import type { OwnerStore } from '#src/platform/storage/accounts/owners.ts';
import type { PortfolioStore } from '../store.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { fillRates } from '../rates/fill-rates.ts';
import { fileRateAnomalies, rowAnomalies, rowReferences } from '../checks/file-anomalies.ts';
import { FIRST_PORTFOLIO, notPickedAnswer, pickPortfolio } from '../portfolios/pick-portfolio.ts';
import type { PriceDeps } from '../checks/price-reference.ts';
import { newRules, rulesOf } from '../ledger/ledger-state.ts';
import { type FileError, readEntries } from './entries/read-entries.ts';
import { isReconciled } from './entries/reconcile.ts';
import { createReadWorkbook } from './files/read-workbook.ts';
import { type ReadMedia, readSource } from './files/read-file.ts';
import { type NewEntry, newOnes, packEntries } from './new-entries.ts';
import { keepFittingEntries } from './fitting-entries.ts';
import { errorsCsv, previewText, SHOWN_ERRORS } from './preview-text.ts';
import { fileProblemText } from './problems.ts';
import { csvAttachment } from './csv.ts';

export interface PreviewDeps {
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'keepImport'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly market: Pick<Market, 'getHistory' | 'getDays'>;
  readonly dailyRates?: DailyRateStore;
  readonly corporateActions: PriceDeps['corporateActions'];
  /** Reads the bytes of a file attached to a message of this channel. */
  readonly readMedia: ReadMedia;
  readonly writeExport: WriteExport;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

const KEPT_MINUTES = 30;

const refusal = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });

const factsOf = (name: string, counts: Readonly<Record<string, number>>, clock: Clock): readonly Fact[] =>
  Object.entries(counts).map(([metric, count]) => ({
    entity: `portfolio:${name}`,
    metric,
    value: String(count),
    unit: 'rows',
    asOf: clock.now().toString(),
    source: 'imported file',
    isSample: false,
  }));

/** Reads, checks and shows a broker's file. Records nothing: valid entries are stored until the person confirms. */
export const previewAnswer = (deps: PreviewDeps): PortfolioService['preview'] => {
  const readWorkbook = createReadWorkbook(deps.clock);
  return async ({ text, files, portfolio: named }, requester, signal) => {
    const { store, symbols, clock } = deps;
    const { locale } = requester;
    const t = importMessages(locale);
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status === 'unknown') return notPickedAnswer(picked, named, locale);
    const { ownerId } = picked;
    const from = { channelId: requester.channelId, owner: ownerId };
    const source = await readSource({ text, files }, from, { ...deps, readWorkbook }, signal);
    if (source.status === 'refused') return refusal(fileProblemText(source.problem, locale));

    const known = picked.status === 'ok' ? picked.portfolio : undefined;
    const first = known ? undefined : FIRST_PORTFOLIO[locale];
    const { baseCurrency, name } = known ?? FIRST_PORTFOLIO[locale];
    const today = clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const all = known ? await store.transactions(ownerId, known.id, signal) : [];
    const counting = all.filter(({ isReversed }) => !isReversed);
    const context = { symbols, baseCurrency, today, recorded: counting };
    const read = await readEntries(source.sheets, context, signal);
    if (read.status === 'refused') return refusal(fileProblemText(read.problem, locale));

    const { fresh, duplicates } = await byTime(newOnes(read.file.entries, all), signal);
    const filled = await fillRates(
      fresh.map(({ entry }) => entry),
      baseCurrency,
      deps,
      signal,
    );
    const fitting = keepFittingEntries(counting, filled, known ? rulesOf(known) : newRules(baseCurrency));
    const { kept, refused } = await byTime(fitting, signal);
    const isKept = new Set<NewTransaction>(kept);
    const lines = fresh.map((at, index): NewEntry => ({ ...at, entry: filled[index] ?? at.entry }));
    const keptLines = lines.filter(({ entry }) => isKept.has(entry));
    const errors = [
      ...read.file.errors,
      ...lines.flatMap(({ line, cells, entry }): readonly FileError[] => {
        const problem = refused.get(entry);
        const name = instrumentOf(entry)?.name[locale];
        const lacks = name === undefined ? undefined : ({ kind: 'pieces', name } as const);
        return problem ? [{ line, cells, problem, lacks }] : [];
      }),
    ].toSorted((a, b) => a.line - b.line);

    // Looked-up rates are those of their day and need no check.
    const reported = new Set(fresh.map(({ entry }) => entry));
    const rated = kept.filter((entry) => entry.kind === 'fx' || reported.has(entry));
    const [references, rateAnomalies] = await Promise.all([
      rowReferences(kept, deps, signal),
      fileRateAnomalies(rated, baseCurrency, deps, signal),
    ]);
    const keptEntries = keptLines.map(({ entry }) => entry);
    const rowOdd = await byTime(rowAnomalies(keptEntries, [...counting, ...kept], references, today), signal);
    const anomalies = rowOdd.map((odd, index) => {
      const entry = keptEntries[index];
      const rate = entry && rateAnomalies.get(entry);
      return rate ? [...odd, rate] : odd;
    });

    const isAttached = errors.length > SHOWN_ERRORS && requester.isDirect;
    const media = isAttached
      ? [
          await csvAttachment(
            deps.writeExport,
            { kind: 'import-errors', subject: ownerId },
            `${t.errorsFile.name}.csv`,
            await byTime(errorsCsv(errors, locale), signal),
          ),
        ]
      : [];
    const shown = { kept: keptLines, anomalies, errors, duplicates, baseCurrency };
    const body = await byTime(previewText(shown, read.file, isAttached, requester), signal);
    const counts = {
      'rows to record': kept.length,
      'rows refused': errors.length,
      'rows recorded before': duplicates,
    };
    const facts = factsOf(name, counts, clock);
    const shared = { facts, ...(media.length > 0 && { media }) };
    const title = t.title({ name });
    if (kept.length === 0) {
      const isDone = errors.length === 0 && duplicates > 0;
      const end = isDone ? 'nothingNew' : duplicates > 0 ? 'nothingElse' : 'nothingLeft';
      return { ...shared, content: [title, body.trim(), t[end]()].join('\n\n'), found: isDone ? 1 : 0 };
    }

    const isWhole = errors.length === 0;
    const expiresAt = clock.now().add({ minutes: KEPT_MINUTES });
    const content = await byTime(
      packEntries({
        entries: keptLines,
        missing: errors.length,
        isReconciled: errors.length === 0 && isReconciled(read.file.checks),
        first,
      }),
      signal,
    );
    // The person may have linked accounts while rates were looked up.
    const code = await store.keepImport(await deps.owners.ownerOf(requester), known?.id, content, expiresAt);
    const command = (which: string): string => `/portfolio import confirm ${code} ${which}`;
    const count = formatCount(kept.length, locale);
    const yes = isWhole ? 'all' : 'valid';
    return {
      ...shared,
      content: [
        title,
        ...(first ? [t.willCreate({ name, currency: baseCurrency })] : []),
        body,
        t.ask({ minutes: KEPT_MINUTES }),
      ].join('\n\n'),
      found: 1,
      typed: t.askTyped({ command: command(yes), count }),
      choices: [
        {
          label: isWhole ? t.recordAll({ count }) : t.recordValid({ count }),
          command: command(yes),
          answers: 'yes',
        },
        { label: t.cancel, command: command('none'), answers: 'no' },
      ],
    };
  };
};
