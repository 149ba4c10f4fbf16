import { importMessages } from '../messages/import.ts';
import { pictureMessages } from '../messages/pictures.ts';
import { instrumentOf } from '#src/kernel/ledger.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { PortfolioService } from '#src/kernel/account-services.ts';
import type { ReadPicture } from '#src/kernel/picture-task.ts';
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
import type { PriceDeps } from '../checks/price-reference.ts';
import { isMoneyMove } from '../ledger/derive-ledger.ts';
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
import { marketDoubts, newPositions } from './pictures/check-positions.ts';
import { doubtedText, pictureHead } from './pictures/picture-text.ts';
import { readBrokerPicture } from './pictures/read-broker-picture.ts';

interface PreviewDeps extends PickDeps, FillRatesDeps, PriceDeps, Omit<SourceDeps, 'readWorkbook'> {
  readonly market: FillRatesDeps['market'] & PriceDeps['market'];
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'keepImport'>;
  readonly writeExport: WriteExport;
  readonly readPicture: ReadPicture;
}

const KEPT_MINUTES = 30;

const factsOf = (
  name: string,
  counts: Readonly<Record<string, number>>,
  source: string,
  clock: Clock,
): readonly Fact[] =>
  Object.entries(counts).map(([parameter, count]) => ({
    entity: `portfolio:${name}`,
    names: [name],
    metric: 'rowCount',
    parameter,
    value: String(count),
    unit: 'rows',
    asOf: clock.now().toString(),
    source,
    isSample: false,
  }));

/** Reads, checks and shows a broker's file or a screenshot. Records nothing: entries are stored until the person confirms. */
export const previewAnswer = (deps: PreviewDeps): PortfolioService['preview'] => {
  const readWorkbook = createReadWorkbook(deps.clock);
  return async ({ text, files, portfolio: named, sessionKey }, requester, signal) => {
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
    const rules = known ? rulesOf(known) : newRules(baseCurrency);
    const today = clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const all = known ? await store.transactions(ownerId, known.id, signal) : [];
    const counting = all.filter(({ isReversed }) => !isReversed);
    const seen =
      source.status === 'picture'
        ? await readBrokerPicture(
            source,
            { person: requester, sessionKey, today, fundsPositions: counting.some(isMoneyMove) },
            deps.readPicture,
            signal,
          )
        : undefined;
    if (seen?.status === 'refused') return refusedAnswer(fileProblemText(seen.problem, locale));
    const picture = seen?.picture;
    const sheets = source.status === 'picture' ? [] : source.sheets;
    const context = { symbols, baseCurrency, today, recorded: counting };
    const read = await readEntries(picture ? [picture.sheet] : sheets, context, signal);
    if (read.status === 'refused') return refusedAnswer(fileProblemText(read.problem, locale));

    const isOfPositions = picture?.kind === 'holdings';
    const { file, held } = isOfPositions
      ? await byTime(newPositions(read.file, counting, rules), signal)
      : { file: read.file, held: 0 };
    const { fresh, duplicates: found } = await byTime(findNewEntries(file.entries, all), signal);
    const duplicates = found + held;
    const filled = await fillRates(
      fresh.map(({ entry }) => entry),
      baseCurrency,
      deps,
      signal,
    );
    const lines = fresh.map((at, index) => ({ ...at, entry: filled[index] ?? at.entry }));
    const farPrices =
      picture && isOfPositions ? await marketDoubts(lines, picture, today, deps, signal) : undefined;
    const doubtsAt = (line: number) => [
      ...(picture?.doubts.get(line) ?? []),
      ...(farPrices?.has(line) ? [farPrices.get(line)].filter((doubt) => doubt !== undefined) : []),
    ];
    const { refused } = await byTime(keepFittingEntries(counting, filled, rules), signal);
    const fitting = lines.filter(({ entry }) => !refused.has(entry));
    const sure = fitting.filter(({ line }) => doubtsAt(line).length === 0);
    // A sale of shares whose purchase is in doubt is in doubt too.
    const alone =
      sure.length === fitting.length
        ? undefined
        : await byTime(
            keepFittingEntries(
              counting,
              sure.map(({ entry }) => entry),
              rules,
            ),
            signal,
          );
    const keptLines = alone ? sure.filter(({ entry }) => !alone.refused.has(entry)) : sure;
    const kept = keptLines.map(({ entry }) => entry);
    const plain = new Set(keptLines);
    const doubted = fitting.filter((line) => !plain.has(line));
    const errors = [
      ...file.errors,
      ...lines.flatMap(({ line, cells, entry }): readonly FileError[] => {
        const problem = refused.get(entry);
        return problem ? [{ line, cells, problem, lacking: instrumentOf(entry)?.name[locale] }] : [];
      }),
    ].toSorted((a, b) => a.line - b.line);

    const unfilled = new Set(fresh.map(({ entry }) => entry));
    // The average price of a position says nothing about the prices of that day.
    const anomalies = await fileAnomalies(
      isOfPositions ? [] : kept,
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
    const body = await byTime(previewText(shown, file, isAttached, requester), signal);
    const counts = {
      'to record': kept.length,
      refused: errors.length,
      'recorded before': duplicates,
      ...(doubted.length > 0 && { 'in doubt': doubted.length }),
    };
    const facts = factsOf(name, counts, picture ? 'screenshot read by a model' : 'imported file', clock);
    const shared = { facts, ...(media.length > 0 && { media }) };
    const title = [t.title({ name }), ...(picture ? [pictureHead(picture, requester)] : [])];
    if (fitting.length === 0) {
      const isDone = errors.length === 0 && duplicates > 0;
      const end = isDone ? 'nothingNew' : duplicates > 0 ? 'nothingElse' : 'nothingLeft';
      return { ...shared, content: [...title, body.trim(), t[end]()].join('\n\n'), found: isDone ? 1 : 0 };
    }

    const isWhole = errors.length === 0 && doubted.length === 0;
    const expiresAt = clock.now().add({ minutes: KEPT_MINUTES });
    const content = await byTime(
      packEntries({
        entries: [...keptLines, ...doubted],
        missing: errors.length,
        isReconciled: isWhole && isReconciled(file.checks),
        first,
        doubted: doubted.length,
        isOpening: isOfPositions,
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
        ...title,
        ...(first ? [t.willCreate({ name, currency: baseCurrency })] : []),
        ...(body.trim() === '' ? [] : [body]),
        ...(doubted.length > 0 ? [doubtedText(doubted, doubtsAt, baseCurrency, requester)] : []),
        t.ask({ minutes: KEPT_MINUTES }),
      ].join('\n\n'),
      found: 1,
      typed: [
        ...(kept.length > 0 ? [t.askTyped({ command: command(yes), count })] : []),
        ...(doubted.length > 0 ? [pictureMessages(locale).typed({ command: command('doubted') })] : []),
      ].join('\n'),
      choices: [
        ...(kept.length > 0
          ? [
              {
                label: isWhole ? t.recordAll({ count }) : t.recordValid({ count }),
                command: command(yes),
                answers: 'yes' as const,
              },
            ]
          : []),
        // A typed yes never means it: the doubt has to be pressed, or typed as a command.
        ...(doubted.length > 0
          ? [
              {
                label: pictureMessages(locale).recordDoubted({
                  count: formatCount(fitting.length, locale),
                  doubted: formatCount(doubted.length, locale),
                }),
                command: command('doubted'),
                effect: 'ends' as const,
              },
            ]
          : []),
        { label: t.cancel, command: command('none'), answers: 'no' },
      ],
    };
  };
};
