import { importMessages } from '../messages/import.ts';
import { instrumentOf } from '#src/kernel/ledger.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import { byTime } from '#src/platform/cooperative-tasks.ts';
import type { WriteExport } from '#src/platform/storage/accounts/export-file.ts';
import type { PortfolioStore } from '../store.ts';
import type { FillRatesDeps } from '../rates/day-rates.ts';
import { fillRates } from '../rates/fill-rates.ts';
import { fileAnomalies } from '../checks/file-anomalies.ts';
import {
  FIRST_PORTFOLIO,
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import type { DayPriceDeps } from '../checks/price-reference.ts';
import { newRules, rulesOf } from '../ledger/ledger-state.ts';
import { type FileError, readEntries } from './entries/read-entries.ts';
import { isReconciled } from './entries/reconcile.ts';
import { createReadWorkbook } from './files/read-workbook.ts';
import { readSource, type SourceDeps } from './files/read-source.ts';
import { findNewEntries, packEntries } from './new-entries.ts';
import { keepFittingEntries } from './fitting-entries.ts';
import { errorsCsv, previewText, SHOWN_ERRORS } from './preview-text.ts';
import { fileProblemText } from './problems.ts';
import { csvAttachment } from './csv.ts';

interface PreviewDeps extends PickDeps, FillRatesDeps, DayPriceDeps, Omit<SourceDeps, 'readWorkbook'> {
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'keepImport'>;
  readonly writeExport: WriteExport;
}

const KEPT_MINUTES = 30;

const factsOf = (name: string, counts: Readonly<Record<string, number>>, clock: Clock): readonly Fact[] =>
  Object.entries(counts).map(([parameter, count]) => ({
    entity: `portfolio:${name}`,
    names: [name],
    metric: 'rowCount',
    parameter,
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
    if (source.status === 'refused') return refusedAnswer(fileProblemText(source.problem, locale));

    const known = picked.status === 'ok' ? picked.portfolio : undefined;
    const first = known ? undefined : FIRST_PORTFOLIO[locale];
    const { baseCurrency, name } = known ?? FIRST_PORTFOLIO[locale];
    const today = clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const all = known ? await store.transactions(ownerId, known.id, signal) : [];
    const counting = all.filter(({ isReversed }) => !isReversed);
    const context = { symbols, baseCurrency, today, recorded: counting };
    const read = await readEntries(source.sheets, context, signal);
    if (read.status === 'refused') return refusedAnswer(fileProblemText(read.problem, locale));

    const { fresh, duplicates } = await byTime(findNewEntries(read.file.entries, all), signal);
    const filled = await fillRates(
      fresh.map(({ entry }) => entry),
      baseCurrency,
      deps,
      signal,
    );
    const fitting = keepFittingEntries(counting, filled, known ? rulesOf(known) : newRules(baseCurrency));
    const { kept, refused } = await byTime(fitting, signal);
    const lines = fresh.map((at, index) => ({ ...at, entry: filled[index] ?? at.entry }));
    const keptLines = lines.filter(({ entry }) => !refused.has(entry));
    const errors = [
      ...read.file.errors,
      ...lines.flatMap(({ line, cells, entry }): readonly FileError[] => {
        const problem = refused.get(entry);
        return problem ? [{ line, cells, problem, lacking: instrumentOf(entry)?.name[locale] }] : [];
      }),
    ].toSorted((a, b) => a.line - b.line);

    const unfilled = new Set(fresh.map(({ entry }) => entry));
    const anomalies = await fileAnomalies(
      kept,
      { recorded: counting, baseCurrency, today, hasStatedRate: (entry) => unfilled.has(entry) },
      deps,
      signal,
    );

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
      'to record': kept.length,
      refused: errors.length,
      'recorded before': duplicates,
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
        isReconciled: isWhole && isReconciled(read.file.checks),
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
