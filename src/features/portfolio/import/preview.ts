import { importTexts } from '../texts/import.ts';
import { pictureTexts } from '../texts/pictures.ts';
import { instrumentOf, type NewTransaction, type Transaction } from '#src/kernel/market/ledger.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { OwnerId } from '#src/kernel/ids.ts';
import type { Choice, MediaAttachment } from '#src/kernel/chat/message.ts';
import { type Currency, formatCount } from '#src/kernel/money.ts';
import type { AccountQuery } from '#src/kernel/people/requester.ts';
import type { ReadPicture } from '#src/kernel/agent/picture-task.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { WriteExport } from '#src/platform/storage/export-file.ts';
import type { PortfolioStore } from '../store/store.ts';
import type { FillRatesDeps } from '../rates/day-rates.ts';
import { fillRates } from '../rates/fill-rates.ts';
import { fileAnomalies } from './file-anomalies.ts';
import {
  FIRST_PORTFOLIO,
  notPickedAnswer,
  type PickDeps,
  pickPortfolio,
  refusedAnswer,
} from '../portfolios/pick-portfolio.ts';
import type { PriceDeps } from '../checks/price-reference.ts';
import { type LedgerRules, newRules, changingRulesOf } from '../ledger/ledger-state.ts';
import { type FileError, readEntries } from './build/read-entries.ts';
import { isReconciled } from './build/reconcile.ts';
import { createReadWorkbook } from './files/read-workbook.ts';
import { readSource, type ReadSourceDeps } from './files/read-source.ts';
import { findNewEntries, type NewEntry, packEntries } from './new-entries.ts';
import { keepFittingEntries } from './fitting-entries.ts';
import { portfolioTold } from '../portfolios/portfolio-told.ts';
import { errorLines, errorsCsv, previewText, SHOWN_ERRORS } from './preview-text.ts';
import { fileProblemText, type RowProblem } from './problems.ts';
import { csvAttachment } from '../csv.ts';
import { marketDoubts, newPositions } from './pictures/check-positions.ts';
import { doubtedText, pictureHead } from './pictures/picture-text.ts';
import { readBrokerPicture } from './pictures/read-broker-picture.ts';
import type { ImportRequest } from '../requests.ts';

interface PreviewDeps extends PickDeps, FillRatesDeps, PriceDeps, Omit<ReadSourceDeps, 'readWorkbook'> {
  readonly market: FillRatesDeps['market'] & PriceDeps['market'];
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'keepImport'>;
  readonly writeExport: WriteExport;
  readonly readPicture: ReadPicture;
}

const KEPT_MINUTES = 30;

interface Divided {
  /** Recorded with the usual confirmation. */
  readonly kept: readonly NewEntry[];
  /** Recorded only if the person chooses them too. */
  readonly doubted: readonly NewEntry[];
  readonly refused: ReadonlyMap<NewTransaction, RowProblem>;
}

const entriesOf = (lines: readonly NewEntry[]) => lines.map(({ entry }) => entry);

/** Divides the entries into those that fit the ledger without doubt, those in doubt, and those that do not fit. */
const divide = function* (
  lines: readonly NewEntry[],
  isSure: (line: number) => boolean,
  recorded: readonly Transaction[],
  rules: LedgerRules,
): Steps<Divided> {
  const { refused } = yield* keepFittingEntries(recorded, entriesOf(lines), rules);
  const fitting = lines.filter(({ entry }) => !refused.has(entry));
  const sure = fitting.filter(({ line }) => isSure(line));
  if (sure.length === fitting.length) return { kept: sure, doubted: [], refused };
  // A sale of shares whose purchase is in doubt is in doubt too.
  const alone = yield* keepFittingEntries(recorded, entriesOf(sure), rules);
  const kept = new Set(sure.filter(({ entry }) => !alone.refused.has(entry)));
  return { kept: [...kept], doubted: fitting.filter((line) => !kept.has(line)), refused };
};

/** What the person can answer. A typed yes never means the rows in doubt. */
const choicesFor = (
  { kept, doubted, isWhole }: { readonly kept: number; readonly doubted: number; readonly isWhole: boolean },
  confirm: string,
  locale: Locale,
): { readonly typed: string; readonly choices: readonly Choice[] } => {
  const t = importTexts(locale);
  const ofPicture = pictureTexts(locale);
  const count = formatCount(kept, locale);
  const plain = `${confirm} ${isWhole ? 'all' : 'valid'}`;
  const withDoubts = `${confirm} doubted`;
  const label = isWhole ? t.recordAll({ count }) : t.recordValid({ count });
  const doubtedLabel = ofPicture.recordDoubted({
    count: formatCount(kept + doubted, locale),
    doubted: formatCount(doubted, locale),
  });
  return {
    typed: [
      ...(kept > 0 ? [t.askTyped({ command: plain, count })] : []),
      ...(doubted > 0 ? [ofPicture.typed({ command: withDoubts })] : []),
    ].join('\n'),
    choices: [
      ...(kept > 0 ? [{ label, command: plain, answers: 'yes', effect: 'replaces' } as const] : []),
      ...(doubted > 0 ? [{ label: doubtedLabel, command: withDoubts, effect: 'replaces' } as const] : []),
      { label: t.cancel, command: `${confirm} none`, answers: 'no', effect: 'replaces' },
    ],
  };
};

/** Reads, checks and shows a broker's file or a screenshot. Records nothing: entries are stored until the person confirms. */
export const previewAnswer = (deps: PreviewDeps): AccountQuery<ImportRequest> => {
  const readWorkbook = createReadWorkbook(deps.clock);
  return async ({ text, files, portfolio: named, sessionKey }, requester, signal) => {
    const { store, symbols, clock } = deps;
    const { locale } = requester;
    const t = importTexts(locale);
    const picked = await pickPortfolio(deps, requester, named);
    if (picked.status === 'unknown') return notPickedAnswer(picked, named, locale);
    const { ownerId } = picked;
    const from = { channelId: requester.channelId, owner: ownerId };
    const source = await readSource({ text, files }, from, { ...deps, readWorkbook }, signal);
    if (source.status === 'refused') return refusedAnswer(fileProblemText(source.problem, locale));

    const known = picked.status === 'ok' ? picked.portfolio : undefined;
    const first = known ? undefined : FIRST_PORTFOLIO[locale];
    const { baseCurrency, name } = known ?? FIRST_PORTFOLIO[locale];
    const rules = known ? changingRulesOf(known) : newRules(baseCurrency);
    const today = clock.now().toZonedDateTimeISO(requester.timeZone).toPlainDate();
    const all = known ? await store.transactions(ownerId, known.id, signal) : [];
    const counting = all.filter(({ isReversed }) => !isReversed);
    const seen =
      source.status === 'picture'
        ? await readBrokerPicture(source, { person: requester, sessionKey, today }, deps.readPicture, signal)
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
    const lines = await withRates(fresh, baseCurrency, deps, signal);
    const farPrices =
      picture && isOfPositions ? await marketDoubts(lines, picture, today, deps, signal) : undefined;
    const doubtsAt = (line: number) => [
      ...(picture?.doubts.get(line) ?? []),
      ...(farPrices?.has(line) ? [farPrices.get(line)].filter((doubt) => doubt !== undefined) : []),
    ];
    const isSure = (line: number): boolean => doubtsAt(line).length === 0;
    const divided = await byTime(divide(lines, isSure, counting, rules), signal);
    const { kept: keptLines, doubted, refused } = divided;
    const kept = entriesOf(keptLines);
    const errors = [...file.errors, ...refusedLines(lines, refused, locale)].toSorted(
      (a, b) => a.line - b.line,
    );

    const unfilled = new Set(fresh.map(({ entry }) => entry));
    // The average price of a position says nothing about the prices of that day.
    const anomalies = await fileAnomalies(
      isOfPositions ? [] : kept,
      { recorded: counting, baseCurrency, today, hasStatedRate: (entry) => unfilled.has(entry) },
      deps,
      signal,
    );

    const isAttached = errors.length > SHOWN_ERRORS && requester.isDirect;
    const media = isAttached ? [await errorsFile(errors, ownerId, deps, locale, signal)] : [];
    const shown = { kept: keptLines, anomalies, errors, duplicates, baseCurrency };
    const told = portfolioTold({ portfolio: { name }, now: clock.now(), isSample: false }, locale).about({
      source: picture ? 'screenshot read by a model' : 'imported file',
    });
    const body = await byTime(previewText(shown, file, isAttached, told, requester), signal);
    const counts = {
      'to record': kept.length,
      refused: errors.length,
      'recorded before': duplicates,
      ...(doubted.length > 0 && { 'in doubt': doubted.length }),
    };
    for (const [which, count] of Object.entries(counts)) told.keep('rowCount', count, 'rows', which);
    const attached = media.length > 0 && { media };
    const title = [t.title({ name }), ...(picture ? [pictureHead(picture, requester)] : [])];
    if (keptLines.length + doubted.length === 0) {
      const isDone = errors.length === 0 && duplicates > 0;
      const end = isDone ? 'nothingNew' : duplicates > 0 ? 'nothingElse' : 'nothingLeft';
      const content = [...title, body.trim(), t[end]()].join('\n\n');
      return { content, facts: told.facts(), ...attached, found: isDone ? 1 : 0 };
    }

    const isWhole = errors.length === 0 && doubted.length === 0;
    const expiresAt = clock.now().add({ minutes: KEPT_MINUTES });
    const content = await byTime(
      packEntries({
        entries: [...keptLines, ...doubted],
        missing: errors.length,
        // The preview gives its place to the answer, which must not lose what is still to be corrected.
        leftOut: errors.length === 0 ? undefined : errorLines(errors, isAttached, locale).join('\n'),
        isReconciled: isWhole && isReconciled(file.checks),
        first,
        doubted: doubted.length,
        isOpening: isOfPositions,
      }),
      signal,
    );
    // The person may have linked accounts while rates were looked up.
    const code = await store.keepImport(await deps.owners.ownerOf(requester), known?.id, content, expiresAt);
    const answer = [
      ...title,
      ...(first ? [t.willCreate({ name, currency: baseCurrency })] : []),
      ...(body.trim() === '' ? [] : [body]),
      ...(doubted.length > 0 ? [doubtedText(doubted, doubtsAt, baseCurrency, told, requester)] : []),
      t.ask({ minutes: KEPT_MINUTES }),
    ].join('\n\n');
    return {
      content: answer,
      facts: told.facts(),
      ...attached,
      found: 1,
      ...choicesFor(
        { kept: kept.length, doubted: doubted.length, isWhole },
        `/portfolio import confirm ${code}`,
        locale,
      ),
    };
  };
};

const withRates = async (
  fresh: readonly NewEntry[],
  baseCurrency: Currency,
  deps: PreviewDeps,
  signal: AbortSignal,
): Promise<readonly NewEntry[]> => {
  const entries = fresh.map(({ entry }) => entry);
  const filled = await fillRates(entries, baseCurrency, deps, signal);
  return fresh.map((at, index) => ({ ...at, entry: filled[index] ?? at.entry }));
};

const refusedLines = (
  lines: readonly NewEntry[],
  refused: Divided['refused'],
  locale: Locale,
): readonly FileError[] =>
  lines.flatMap(({ line, cells, entry }) => {
    const problem = refused.get(entry);
    return problem ? [{ line, cells, problem, lacking: instrumentOf(entry)?.name[locale] }] : [];
  });

const errorsFile = async (
  errors: readonly FileError[],
  subject: OwnerId,
  { writeExport }: PreviewDeps,
  locale: Locale,
  signal: AbortSignal,
): Promise<MediaAttachment> => {
  const csv = await byTime(errorsCsv(errors, locale), signal);
  const name = `${importTexts(locale).errorsFile.name}.csv`;
  return csvAttachment(writeExport, { kind: 'import-errors', subject }, name, csv);
};
