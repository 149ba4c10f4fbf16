import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openFeatures } from '#src/features/open/open-features.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import type { SentenceCall } from '#src/kernel/agent/sentence.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';
import { missingNumbers } from '#test/support/printed-numbers.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { topicsIn } from '../../scripts/try/lines.ts';

const signal = new AbortController().signal;
const LINES = ['markets', 'natural'].map((name) => join(import.meta.dirname, `../golden/lines/${name}.txt`));
/** Of the golden record. */
const NOW = '2026-11-16T01:00:00Z';

/** The most words of an answer in either language, by kind. What is a list has more for each row. */
const BUDGETS: Readonly<Record<string, number>> = {
  price: 20,
  chart: 15,
  compare: 40,
  hours: 25,
  figure: 15,
  fx: 15,
  earnings: 15,
  history: 20,
  'history of days': 30,
  market: 45,
  crypto: 45,
};

interface Answer {
  readonly line: string;
  readonly kind: string;
  readonly text: string;
  readonly facts: readonly Fact[];
  readonly words: number;
}

const KINDS: Readonly<Record<string, (input: SentenceCall['input']) => string>> = {
  get_quote: ({ symbols }) => (Array.isArray(symbols) && symbols.length > 1 ? 'prices' : 'price'),
  make_chart: ({ symbols }) => (Array.isArray(symbols) && symbols.length > 1 ? 'charts' : 'chart'),
  compare: ({ symbols }) => (Array.isArray(symbols) && symbols.length > 2 ? 'compare more' : 'compare'),
  get_market_hours: () => 'hours',
  get_fundamentals: ({ only }) => (only === undefined ? 'figures' : 'figure'),
  convert_currency: () => 'fx',
  get_market_overview: ({ of }) => (of === 'crypto' ? 'crypto' : 'market'),
  get_news: () => 'news',
  get_earnings_calendar: ({ symbols }) => (symbols === undefined ? 'earnings of many' : 'earnings'),
  get_history: ({ from }) => (from === undefined ? 'history' : 'history of days'),
  get_indicators: () => 'indicators',
  search_symbol: () => 'search',
};

const wordsIn = (text: string): number => text.match(/[^\s|]*[\p{L}\p{N}][^\s|]*/gu)?.length ?? 0;

/** What people read in answer to the lines of the golden record that ask one thing about markets. */
const answers = async (): Promise<readonly Answer[]> => {
  const clock = new ManualClock(NOW);
  const features = openFeatures({
    settings: { mode: 'sample', hasLiveSetup: false },
    personal: personalDepsOn((await sqliteStorage()).storage, clock),
    files: createSentFiles({ dataDir: temporaryDir(), clock }),
    clock,
    logger: recordingLogger().logger,
  });
  onTestFinished(features.stop);
  const tools = new Map(features.tools.map((tool) => [tool.definition.name, tool]));
  const found: Answer[] = [];
  const topics = LINES.flatMap((path) => topicsIn(readFileSync(path, 'utf8')));
  for (const { name, lines } of topics) {
    const calls: SentenceCall[] = [];
    for (const { text: line } of lines) {
      const locale = detectLocale(line, undefined, name.endsWith('ko') ? 'ko' : 'auto');
      const today = clock.now().toZonedDateTimeISO('Asia/Seoul').toPlainDate();
      const reading = await features.readSentence({ text: line, locale, today, calls }, signal);
      const [call, another] = reading.calls;
      calls.push(...reading.calls);
      const kind = call && KINDS[call.tool]?.(call.input);
      if (line.startsWith('/') || line.startsWith('▸') || !call || another || kind === undefined) continue;
      const context = toolContextOf({ locale, inboxId: asId<InboxId>(`inbox-${found.length}`) });
      const result = await tools.get(call.tool)?.invoke(call.input, context, signal);
      if (!result || result.isError) continue;
      const { content, facts = [] } = result;
      const text = result.brief ?? content;
      found.push({ line, kind, text, facts, words: wordsIn(text) });
    }
  }
  return found;
};

it('the answers to questions about markets are short, and each number in them is a fact', async () => {
  const all = await answers();
  const kinds = Map.groupBy(all, ({ kind }) => kind);
  expect(Object.keys(BUDGETS).filter((kind) => !kinds.has(kind))).toEqual([]);
  const tooLong = all.filter(({ kind, words }) => words > (BUDGETS[kind] ?? Infinity));
  expect(tooLong.map(({ kind, words, line, text }) => `${kind}, ${words} words: ${line}\n${text}`)).toEqual(
    [],
  );
  const unknown = all.flatMap(({ line, text, facts }) =>
    missingNumbers({ content: text, facts }).map((number) => `${line}: ${number}`),
  );
  expect(unknown).toEqual([]);
});
