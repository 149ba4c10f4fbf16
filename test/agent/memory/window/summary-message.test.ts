import { describe, expect, it } from 'vitest';
import {
  factsOf,
  readSummaries,
  stepsText,
  type Summary,
  summaryMessage,
} from '#src/agent/memory/window/summary-message.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
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

describe('factsOf', () => {
  it('keeps made-up facts only, the newest of each kind, and not without end', () => {
    const many = Array.from({ length: 50 }, (_, i) => factOf(`S${i}`));
    const facts = factsOf(
      entriesOf([
        withFacts(factOf('AAPL', { value: '1' }), factOf('REAL', { isSample: false })),
        withFacts(...many, factOf('AAPL', { value: '2' })),
      ]),
    );
    expect(facts).toHaveLength(40);
    expect(facts.at(-1)).toEqual(factOf('AAPL', { value: '2' }));
    expect(facts.some(({ entity }) => entity === 'S0')).toBe(false);
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
