import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import { QUOTES } from './answers/market-facts.ts';

const entityOfDay = (answer: string): string | undefined =>
  checkAnswer(answer, {
    facts: QUOTES.facts,
    ownText: '',
    looseText: '',
    today: Temporal.PlainDate.from(QUOTES.today).add({ days: 2 }),
  }).numbers.find(({ text }) => text.includes('11'))?.known?.fact.entity;

describe('the day as of which an answer speaks', () => {
  it.each([
    ['삼성전자는 11월 13일 기준 102,300원입니다.', '005930.KS'],
    ['애플은 11월 13일 기준 272.95달러입니다.', 'AAPL'],
    ['Apple Inc. (AAPL, NASDAQ)\n$272.95\nas of 2026-11-13 21:00 UTC', 'AAPL'],
  ])('is explained by a fact about its own subject: %s', (answer, entity) => {
    expect(entityOfDay(answer)).toBe(entity);
  });
});
