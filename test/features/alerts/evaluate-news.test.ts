import { describe, expect, it } from 'vitest';
import type { NewsItem } from '#src/kernel/finance.ts';
import { evaluateNews } from '#src/features/alerts/evaluate-news.ts';
import { APPLE } from '#test/platform/storage/alerts-fixture.ts';

const at = (time: string) => Temporal.Instant.from(`2026-11-16T${time}:00Z`);
const headline = (title: string, publishedAt: Temporal.Instant): NewsItem => ({
  title,
  url: '',
  publisher: 'Reuters',
  publishedAt,
  symbols: [],
});

/** A repeating alert on recalls, set at three, that is looked at again and again. */
const createAlert = () => {
  const terms = {
    instrument: APPLE,
    condition: { kind: 'news', keyword: 'recall' },
    isRepeating: true,
    cooldownMinutes: 60,
    usesExtendedHours: false,
  } as const;
  let state: Parameters<typeof evaluateNews>[1] = { side: 'unknown', memory: '{}', createdAt: at('15:00') };
  return (now: Temporal.Instant, items: readonly NewsItem[]): readonly string[] => {
    const outcome = evaluateNews(terms, state, items, now);
    if (outcome.kind === 'same') return [];
    const { memory } = outcome;
    if (outcome.kind === 'quiet') state = { ...state, side: outcome.side, memory };
    else state = { ...state, side: 'met', memory, lastFiredAt: now };
    return (outcome.headlines ?? []).map(({ title }) => title);
  };
};

describe('headlines with the words of an alert', () => {
  it('are each told of once: those that come together, that waited for the cooldown, and that are listed late', () => {
    const look = createAlert();
    const items = [headline('Recall of phones', at('15:01')), headline('Recall of chargers', at('15:02'))];
    expect(look(at('15:05'), items)).toEqual(['Recall of chargers', 'Recall of phones']);
    items.unshift(headline('Recall of cars', at('15:10')), headline('A shop opens', at('15:11')));
    expect(look(at('15:15'), items)).toEqual([]);
    items.push(headline('Recall of toys', at('15:00').add({ seconds: 1 })));
    expect(look(at('16:05'), items)).toEqual(['Recall of cars', 'Recall of toys']);
    expect(look(at('18:00'), items)).toEqual([]);
  });

  it('are not told of where they came before it, are of a time to come, or are a week old', () => {
    const look = createAlert();
    const items = [headline('Recall before', at('15:00')), headline('Recall of tonight', at('23:00'))];
    expect(look(at('15:05'), items)).toEqual([]);
    expect(look(at('23:30'), items)).toEqual(['Recall of tonight']);
    const late = at('15:05').add({ hours: 8 * 24 });
    expect(look(late, [headline('Old recall', at('15:04'))])).toEqual([]);
  });
});
