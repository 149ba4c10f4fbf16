import { createHash } from 'node:crypto';
import type { AlertRecord } from '#src/kernel/alert.ts';
import type { NewsItem } from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { readMemory, writeMemory } from './alert-memory.ts';
import { type AlertTerms, isCoolingDown, type Outcome } from './evaluate-condition.ts';

export type NewsOutcome = Outcome & { readonly headlines?: readonly NewsItem[] };

/** What a source lists for the first time a week later is no news. */
const NEWS_HOURS = 7 * 24;
/** More than a source lists at once, so that nothing that is still listed is told of again. */
const MAX_TOLD = 60;

const keyOf = (text: string): string => text.normalize('NFKC').toLowerCase();

const markOf = ({ title }: NewsItem): string =>
  createHash('sha256').update(keyOf(title)).digest('base64url').slice(0, 8);

const isAfter = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) > 0;

/** All words of it, in any order; none: every headline. */
const holds = (title: string, keyword: string): boolean => {
  const words = keyOf(keyword).split(/\s+/u);
  const text = keyOf(title);
  return words.every((word) => text.includes(word));
};

/**
 * Headlines with the words that were not told of yet, all of them together, in whichever order a source lists them;
 * what came before the alert never. While it cools down they wait.
 */
export const evaluateNews = (
  terms: AlertTerms,
  state: Pick<AlertRecord, 'side' | 'memory' | 'lastFiredAt' | 'createdAt'>,
  items: readonly NewsItem[],
  now: Timestamp,
): NewsOutcome => {
  const { condition } = terms;
  if (condition.kind !== 'news') return { kind: 'same' };
  const { told = [] } = readMemory(state.memory);
  const oldest = now.subtract({ hours: NEWS_HOURS });
  const since = isAfter(oldest, state.createdAt) ? oldest : state.createdAt;
  const headlines = items
    .filter(({ publishedAt }) => isAfter(publishedAt, since) && !isAfter(publishedAt, now))
    .filter((item) => holds(item.title, condition.keyword) && !told.includes(markOf(item)))
    .toSorted((a, b) => Temporal.Instant.compare(b.publishedAt, a.publishedAt));
  if (headlines.length === 0)
    return state.side === 'unmet' ? { kind: 'same' } : { kind: 'quiet', side: 'unmet', memory: state.memory };
  if (isCoolingDown(terms, state, now)) return { kind: 'same' };
  const memory = writeMemory({ told: [...headlines.map(markOf), ...told].slice(0, MAX_TOLD) });
  return { kind: 'fires', memory, headlines };
};
