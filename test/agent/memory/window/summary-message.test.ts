import { describe, expect, it } from 'vitest';
import {
  factsOf,
  readSummaries,
  stepsText,
  type Summary,
  summaryMessage,
} from '#src/agent/memory/window/summary-message.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { called, entriesOf, factOf, resulted } from './support.ts';

const SUMMARY = {
  lines: ['AAPL at $1.25', 'user: NVDA'],
  steps: 'get_quote {"symbol":"TSLA"}',
  facts: [factOf('AAPL')],
  links: [{ from: 'headlines', urls: ['https://example.com/news'] }],
} satisfies Summary;

const withFacts = (...facts: readonly ReturnType<typeof factOf>[]): ConversationMessage => ({
  role: 'tool',
  content: resulted('x', 'a').content.map((block) => ({ ...block, facts })),
});

describe('a summary message', () => {
  it('is read as it was written', () => {
    expect(readSummaries(entriesOf([summaryMessage(SUMMARY)]))).toEqual(SUMMARY);
    const empty = { lines: [], steps: '', facts: [], links: [] };
    expect(readSummaries(entriesOf([summaryMessage(empty)]))).toEqual(empty);
    expect(summaryMessage(empty)).not.toHaveProperty('facts');
  });

  it('adds up with others, of which the last says what was called', () => {
    const other = { lines: ['likes tea'], steps: 'get_news {}', facts: [], links: [] };
    expect(readSummaries(entriesOf([SUMMARY, other].map(summaryMessage)))).toEqual({
      lines: ['AAPL at $1.25', 'user: NVDA', 'likes tea'],
      steps: 'get_news {}',
      facts: SUMMARY.facts,
      links: SUMMARY.links,
    });
  });

  it('is one text in the marks of the program', () => {
    const { content, role, isSummary } = summaryMessage(SUMMARY);
    expect([role, isSummary, content.length]).toEqual(['user', true, 1]);
    expect(content[0]).toMatchObject({
      text: expect.stringMatching(/^<context>\nSummary of.*\n- AAPL at \$1\.25\n/),
    });
  });
});

const live = (entity: string, special: Partial<Fact> = {}): Fact =>
  factOf(entity, { isSample: false, source: 'live', ...special });

describe('factsOf', () => {
  it('keeps the newest of each kind: of each day, period and parameter, and of each calculation', () => {
    const dated = live('AAPL', { metric: 'close', day: '2026-11-12' });
    const calculated = live('calculation', { metric: 'calculation', label: '1 + 1' });
    const others = [
      { ...dated, day: '2026-11-13' },
      { ...dated, period: '1wk' },
      live('AAPL', { metric: 'sma', parameter: '20' }),
      live('AAPL', { metric: 'sma', parameter: '50' }),
      { ...calculated, label: '2 + 2' },
    ];
    const facts = factsOf(
      entriesOf([withFacts(dated, calculated, ...others), withFacts({ ...dated, value: '2' })]),
    );
    expect(facts).toEqual([calculated, ...others, { ...dated, value: '2' }]);
  });

  it('keeps neither headlines nor more than a summary may weigh, the newest first', () => {
    const many = Array.from({ length: 400 }, (_, i) => live(`S${i}`));
    const headline = live('AAPL', { metric: 'headline', value: 'Apple rises', unit: 'text' });
    const facts = factsOf(entriesOf([withFacts(...many, headline)]));
    expect(facts).toEqual(many.slice(-150));
    const heavy = many.map((fact) => ({ ...fact, label: 'x'.repeat(900) }));
    const light = factsOf(entriesOf([withFacts(...heavy)]));
    expect(JSON.stringify(light).length).toBeLessThan(41_000);
    expect(light.at(-1)).toEqual(heavy.at(-1));
    expect(light.length).toBeGreaterThan(30);
  });

  it('keeps sample numbers however many others came after them', () => {
    const samples = Array.from({ length: 50 }, (_, i) => factOf(`S${i}`));
    const many = Array.from({ length: 400 }, (_, i) => live(`L${i}`, { label: 'x'.repeat(900) }));
    const facts = factsOf(entriesOf([withFacts(...samples), withFacts(...many)]));
    expect(facts.slice(0, 40)).toEqual(samples.slice(-40));
    expect(facts.length).toBeGreaterThan(60);
  });

  it('keeps what people call a subject once, even where the fact that said it is gone', () => {
    const names = ['삼성전자', 'Samsung Electronics'];
    const facts = factsOf(
      entriesOf([
        withFacts(live('005930.KS', { names }), live('005930.KS', { metric: 'volume', names })),
        withFacts(live('005930.KS', { value: '2' }), live('AAPL')),
      ]),
    );
    expect(facts).toEqual([
      live('005930.KS', { metric: 'volume', names }),
      live('005930.KS', { value: '2' }),
      live('AAPL'),
    ]);
  });

  it('takes facts whose metric is not in the list', () => {
    const stored = JSON.stringify({ ...factOf('AAPL'), metric: 'close@2025-01-02', isSample: false });
    const old: Fact = JSON.parse(stored);
    expect(factsOf(entriesOf([withFacts(old, { ...old, value: '2' })]))).toEqual([{ ...old, value: '2' }]);
  });
});

describe('stepsText', () => {
  it('names calls with what they were asked, shortly and on one line', () => {
    const long: ConversationMessage = {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'search', input: { q: `</context>\n${'📈'.repeat(99)}` } },
      ],
    };
    const steps = stepsText('get_news {}', entriesOf([called('AAPL'), long]));
    expect(steps).toMatch(/^get_news \{\}; get_quote \{"symbol":"AAPL"\}; search \{"q":"‹\/context›/);
    expect(steps).not.toContain('\n');
    expect(steps.isWellFormed()).toBe(true);
    expect(steps.length).toBeLessThan(160);
  });
});
