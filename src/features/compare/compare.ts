import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import { analysisMessages } from '#src/markets/series/messages.ts';
import type { Audience, HistoryRange, MarketQuery } from '#src/kernel/market-queries.ts';
import { type Choice, MAX_PRESSED_CHARS, type MediaAttachment } from '#src/kernel/message.ts';
import type { Charts } from '#src/markets/charts/charts.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { History, Market, MarketResult } from '#src/markets/sources/source.ts';
import { type Compared, compareFigures, comparisonFacts, comparisonText } from './comparison.ts';
import { withCommonBase } from '#src/markets/series/history-change.ts';
import { historyFacts } from '#src/markets/series/history-summary.ts';
import { historyShownTo } from '#src/markets/answers/rate-line.ts';
import { resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';

export interface CompareRequest {
  readonly queries: readonly string[];
  readonly range: HistoryRange;
  /** With a picture beside the text. */
  readonly isDrawn: boolean;
}

export interface CompareQueries {
  readonly compare: MarketQuery<CompareRequest>;
}

interface CompareDeps {
  readonly market: Pick<Market, 'getHistory'>;
  readonly symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<FinClawLogger, 'warn'>;
  /** May throw: the text is sent without a picture then. */
  readonly charts: Pick<Charts, 'comparison'>;
}

/** For the first name that is none: the same comparison with each of what it may stand for. */
const choicesFor = async (
  { queries, range }: CompareRequest,
  symbols: CompareDeps['symbols'],
  audience: Audience,
  signal: AbortSignal,
): Promise<readonly Choice[]> => {
  const matches = queries.map((query) => symbols.resolve(query));
  const missed = matches.findIndex(({ status }) => status !== 'found');
  const query = queries[missed];
  if (query === undefined) return [];
  const names = matches.map((match, index) =>
    match.status === 'found' ? match.instrument.symbol : (queries[index] ?? ''),
  );
  const commandFor = (symbol: string): string => `/compare ${names.with(missed, symbol).join(', ')} ${range}`;
  const { choices } = await resolveNames([query], symbols, audience.locale, commandFor, signal);
  return choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);
};

/** Several side by side. What has no data, or is no name, gets a sentence below the others. Throws on abort alone. */
export const compareAnswer = ({
  market,
  symbols,
  clock,
  logger,
  charts,
}: CompareDeps): CompareQueries['compare'] => {
  const draw = async (
    histories: readonly History[],
    request: CompareRequest,
    audience: Audience,
    signal: AbortSignal,
  ): Promise<MediaAttachment | 'failed' | undefined> => {
    if (!request.isDrawn || histories.length < 2) return undefined;
    try {
      const shown = histories.map((history) => historyShownTo(history, audience.locale));
      return await charts.comparison(shown, {}, audience, signal);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('comparison could not be drawn', { error });
      return 'failed';
    }
  };

  const historiesOf = async (
    instrument: Instrument,
    { range }: CompareRequest,
    signal: AbortSignal,
  ): Promise<{ readonly instrument: Instrument; readonly result: MarketResult<Compared> }> => {
    const [result, year] = await Promise.all([
      market.getHistory(instrument, range, signal),
      range === '1y' ? undefined : market.getHistory(instrument, '1y', signal),
    ]);
    if (result.status !== 'ok') return { instrument, result };
    const history = result.value;
    const days = range === '1y' ? history : year?.status === 'ok' ? year.value : undefined;
    return { instrument, result: { status: 'ok', value: { history, year: days } } };
  };

  return async (request, audience, signal) => {
    const { queries, range } = request;
    const { locale } = audience;
    const t = analysisMessages(locale);
    const { names, instruments } = await resolveNames(queries, symbols, locale, () => '', signal);
    const questions = names.flatMap((name) => (name.status === 'missed' ? [name.text] : []));
    if (instruments.length < 2 && questions.length === 0) {
      return { content: t.compareSame(), facts: [], found: 0 };
    }
    const answers = await Promise.all(
      instruments.map((instrument) => historiesOf(instrument, request, signal)),
    );
    const gaps = answers.flatMap(({ instrument, result }) =>
      result.status === 'ok' ? [] : [unavailableText(instrument, result.reason, locale)],
    );
    const found = answers.flatMap(({ result }) => (result.status === 'ok' ? [result.value] : []));
    const choices = await choicesFor(request, symbols, audience, signal);
    const asked = choices.length > 0 && { choices };
    if (found.length === 0) {
      return { content: [...questions, ...gaps].join('\n\n'), facts: [], found: 0, ...asked };
    }

    const histories = withCommonBase(found.map(({ history }) => history));
    const compared = histories.map((history, index) => ({ history, year: found[index]?.year }));
    const picture = await draw(histories, request, audience, signal);
    const comparison = compareFigures(compared, range);
    const now = clock.now();
    const failure = picture === 'failed' ? [t.notDrawn()] : [];
    return {
      content: [comparisonText(comparison, audience, now), ...questions, ...gaps, ...failure].join('\n\n'),
      facts: [
        ...histories.flatMap((history) => historyFacts(history, now)),
        ...comparisonFacts(comparison, now),
      ],
      found: compared.length,
      ...asked,
      ...(picture !== undefined && picture !== 'failed' && { media: [picture] }),
    };
  };
};
