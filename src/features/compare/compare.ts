import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import { codeFor, type Instrument, type HistoryRange } from '#src/kernel/market/finance.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import { type Audience, emptyAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import { MAX_PRESSED_CHARS, type MediaAttachment } from '#src/kernel/chat/message.ts';
import type { Charts } from '#src/markets/charts/charts.ts';
import type { History, MarketResult } from '#src/markets/sources/source.ts';
import {
  type Compared,
  compareFigures,
  comparisonBrief,
  comparisonCard,
  comparisonFacts,
  comparisonText,
} from './comparison.ts';
import type { FeatureUses } from '#src/features/services.ts';
import { withCommonStart } from '#src/markets/series/history-change.ts';
import { historyFacts } from '#src/markets/series/history-summary.ts';
import { compareControls, detailsControl } from '#src/markets/answers/controls.ts';
import { historyShownTo } from '#src/markets/answers/rate-line.ts';
import { choicesForMissed, resolveNames, unavailableText } from '#src/markets/answers/resolve-names.ts';

export interface CompareRequest {
  readonly queries: readonly string[];
  readonly range: HistoryRange;
  /** Adds a picture to the text. */
  readonly isDrawn: boolean;
  readonly theme?: ChartTheme | undefined;
}

export interface CompareQueries {
  readonly compare: MarketQuery<CompareRequest>;
}

interface CompareDeps extends FeatureUses<
  'clock.now' | 'logger.warn' | 'symbols.resolve' | 'symbols.findListing' | 'market.getHistory'
> {
  /** Where this throws, the text is sent without a picture. */
  readonly charts: Pick<Charts, 'comparison'>;
}

/** Compares several instruments. Names without data or meaning get a sentence below. Throws only on abort. */
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
      return await charts.comparison(shown, { theme: request.theme }, audience, signal);
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('A comparison could not be drawn', { error });
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
    const t = analysisTexts(locale);
    const { names, instruments } = await resolveNames(queries, symbols, locale, () => '', signal);
    const questions = names.flatMap((name) => (name.status === 'missed' ? [name.text] : []));
    if (instruments.length < 2 && questions.length === 0) return emptyAnswer(t.compareSame());
    const answers = await Promise.all(
      instruments.map((instrument) => historiesOf(instrument, request, signal)),
    );
    const gaps = answers.flatMap(({ instrument, result }) =>
      result.status === 'ok' ? [] : [unavailableText(instrument, result.reason, locale)],
    );
    const found = answers.flatMap(({ result }) => (result.status === 'ok' ? [result.value] : []));
    const commandFor = (all: readonly string[]): string => `/compare ${all.join(', ')} ${range}`;
    const choices = (await choicesForMissed(queries, symbols, locale, commandFor, signal)).filter(
      ({ command }) => command.length <= MAX_PRESSED_CHARS,
    );
    const asked = choices.length > 0 && { choices };
    if (found.length === 0) return { ...emptyAnswer([...questions, ...gaps].join('\n\n')), ...asked };

    const histories = withCommonStart(found.map(({ history }) => history));
    const compared = histories.map((history, index) => ({ history, year: found[index]?.year }));
    const picture = await draw(histories, request, audience, signal);
    const comparison = compareFigures(compared, range);
    const now = clock.now();
    const failure = picture === 'failed' ? [t.notDrawn()] : [];
    const codes = histories.map(({ instrument }) => codeFor(instrument, symbols));
    const { theme = 'light' } = request;
    const controls = [
      ...(picture === undefined ? [] : compareControls({ codes, range, theme }, locale)),
      ...detailsControl(`/compare ${codes.join(', ')} ${range}`, locale),
    ];
    const offered = [...choices, ...controls];
    return {
      content: [comparisonBrief(comparison, audience, now), ...questions, ...gaps, ...failure].join('\n\n'),
      details: [comparisonText(comparison, audience, now), ...questions, ...gaps, ...failure].join('\n\n'),
      facts: [
        ...histories.flatMap((history) => historyFacts(history, now)),
        ...comparisonFacts(comparison, now),
      ],
      found: compared.length,
      cards: {
        items: [comparisonCard(comparison, audience, now)],
        text: [...questions, ...gaps, ...failure].join('\n\n'),
      },
      ...(offered.length > 0 && { choices: offered }),
      ...(picture !== undefined && picture !== 'failed' && { media: [picture] }),
    };
  };
};
