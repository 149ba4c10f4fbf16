import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import { missesIn } from '#src/agent/grounding/mark-answer.ts';
import { HISTORY, INDICATORS, QUOTES } from './answers/market-facts.ts';
import { CURRENCIES } from './answers/money-facts.ts';
import { PORTFOLIO_FACTS } from './answers/portfolio-facts.ts';
import type { FactSet } from './answers/written-answer.ts';

const MARKET: FactSet = { today: QUOTES.today, facts: [...QUOTES.facts, ...INDICATORS.facts] };

/** The numbers of an answer that are struck or marked. */
const doubted = (answer: string, { facts, today }: FactSet = MARKET, ownText = ''): readonly string[] =>
  missesIn(checkAnswer(answer, { facts, ownText, looseText: '', today: Temporal.PlainDate.from(today) })).map(
    ({ text, verdict }) => `${text} ${verdict}`,
  );

/** Words of a fall, with a bar between them. */
const DOWN =
  'dipped|eased|sank|slumped|plummeted|crashed|retreated|pulled back|gave up|is losing|is off|is tumbling|is dropping|is sliding|is declining|shed'.split(
    '|',
  );
const DOWN_KOREAN =
  '폭락했습니다|추락했습니다|빠지며 마감했습니다|빠지는 등 부진했습니다|미끄러졌습니다|주저앉았습니다|밀린 401.99달러입니다|내림세입니다|내리고 있습니다|약보합입니다|곤두박질쳤습니다'.split(
    '|',
  );

describe('the words of a direction', () => {
  it.each(DOWN)('are known: %s', (word) => {
    expect(doubted(`Tesla ${word} 6.64%.`)).toEqual([]);
    expect(doubted(`Samsung Electronics ${word} 0.29%.`)).toEqual(['0.29% contradicted']);
  });

  it.each(DOWN_KOREAN)('are known in Korean: %s', (word) => {
    expect(doubted(`테슬라는 6.64% ${word}.`)).toEqual([]);
    expect(doubted(`삼성전자는 0.29% ${word}.`)).toContain('0.29% contradicted');
  });

  it('may be arrows behind the number', () => {
    expect(doubted('삼성전자 0.29%↑, 테슬라 6.64%↓')).toEqual([]);
    expect(doubted('삼성전자 0.29%↓, 테슬라 6.64%↑')).toHaveLength(2);
  });

  it.each([
    '오른 종목은 삼성전자(0.29%) 하나뿐이고, SK하이닉스(1.92%)와 테슬라(6.64%)는 내렸습니다.',
    '상승률 1위는 삼성전자(0.29%), 하락률 1위는 테슬라(6.64%)입니다.',
    '코스피는 급등락 끝에 3.81% 하락했습니다.',
    '테슬라의 하락률은 6.64%로 애플의 0.19%보다 높습니다.',
    "Tesla's drop of 6.64% is higher than Apple's 0.19%.",
    'Lower rates lifted Samsung 0.29%.',
    '유가 하락에 삼성전자가 0.29%를 기록했습니다.',
    '어제 내린 삼성전자가 오늘 0.29% 올랐습니다.',
    '삼성전자는 0.29% 오른 반면, SK하이닉스와 애플은 각각 1.92%와 0.19% 내렸습니다.',
  ])('are not those of something else: %s', (answer) => {
    expect(doubted(answer)).toEqual([]);
  });

  it.each([
    '상승: 삼성전자 0.29%\n하락: SK하이닉스 1.92%, 테슬라 6.64%, 애플 0.19%',
    '**상승 종목**\n- 삼성전자 0.29%\n\n**하락 종목**\n- SK하이닉스 1.92%\n- 테슬라 6.64%',
    '| 종목 | 방향 | 비율 |\n|---|---|---|\n| 삼성전자 | 상승 | 0.29% |\n| SK하이닉스 | 하락 | 1.92% |',
    '삼성전자만 0.29% 상승했고 나머지는 모두 하락했습니다: SK하이닉스 1.92%, 애플 0.19%, 테슬라 6.64%.',
    '낙폭이 큰 순서: 테슬라 6.64%, 코스피 3.81%, SK하이닉스 1.92%, 애플 0.19%',
    'SK hynix, Apple and Tesla fell 1.92%, 0.19% and 6.64% respectively, while Samsung rose 0.29%.',
    'Gainers: Samsung Electronics 0.29%. Losers: SK hynix 1.92%, Tesla 6.64%, Apple 0.19%.',
  ])('may be said once for a list: %s', (answer) => {
    expect(doubted(answer)).toEqual([]);
  });
});

describe('a right number', () => {
  it.each([
    '삼성전자는 102,000원에서 102,300원으로 상승했습니다.',
    '코스피가 4,170.63에서 4,011.57로 159.06포인트(3.81%) 하락했습니다.',
  ])('may be where the move of the day started: %s', (answer) => {
    expect(doubted(answer)).toEqual([]);
  });

  it('keeps its span where the next clause names another', () => {
    const answer = 'Apple rose from its low of $169.21 by 61.31%, and slipped 0.19% today.';
    expect(doubted(answer)).not.toContain('$169.21 contradicted');
  });

  it('in a table is not of the span that the sentence above it says of its own number', () => {
    const table =
      '| 종목 | 현재가 | 등락률 |\n|---|---:|---:|\n| 삼성전자 | 102,300원 | +0.29% |\n| 애플 | $272.95 | -0.19% |';
    expect(doubted(`SK하이닉스의 52주 최고가는 646,000원입니다.\n\n${table}`)).toEqual([]);
    expect(doubted(`최근 1년 시세\n\n${table}`)).not.toContain('-0.19% contradicted');
  });

  it.each([
    'Apple sits 2.29% above the 20-day average, 7.69% above the 50-day and 21.75% above the 200-day.',
    'Apple is trading above its 20-, 50- and 200-day averages ($266.84, $253.47 and $224.19).',
  ])('may be of the second of several averages: %s', (answer) => {
    expect(doubted(answer)).toEqual([]);
  });

  it('may stand in a column with a short name', () => {
    const table = '| Ticker | Last | Chg | % |\n|---|---|---|---|\n| AAPL | 272.95 | -0.52 | -0.19 |';
    expect(doubted(table)).toEqual([]);
  });

  it('may be a high or a low of a named day, without a word for it', () => {
    const answer = 'NVIDIA dropped to $86.62 on April 7 before rallying to $212.19 on October 29.';
    expect(doubted(answer, HISTORY)).toEqual([]);
  });

  it('is not what the topic of the sentence is compared with', () => {
    const answer =
      '유로 환율은 1,702.8원으로 0.21% 하락했습니다. 50만 원은 현재 환율(1,467.35원)로 약 340.75달러입니다.';
    expect(doubted(answer, CURRENCIES, '50만원 달러로')).toEqual([]);
  });
});

describe('a right move', () => {
  it.each([
    'The won fell 0.36% against the dollar, to ₩1,467.35.',
    '원화가 달러 대비 0.36% 약세를 보이며 환율이 1,467.35원으로 올랐습니다.',
    'The dollar rose 0.36% against the won.',
  ])('may be that of the other currency of a rate: %s', (answer) => {
    expect(doubted(answer, CURRENCIES)).toEqual([]);
  });

  it('is no move of the dollar', () => {
    expect(doubted('The dollar fell 0.36% against the won.', CURRENCIES)).toEqual(['0.36% contradicted']);
  });

  it.each([
    '엔비디아는 고점에서 저점까지 36.89% 빠졌다가 회복해 1년간 33.94% 상승했습니다.',
    'The worst drop of NVIDIA over the year was 36.89%.',
  ])('may be the largest fall: %s', (answer) => {
    expect(doubted(answer, HISTORY)).toEqual([]);
  });

  it.each([
    '기술 업종 비중이 76.41%로 높고, 달러 자산은 42.65%입니다.',
    "You're up 43.28% on Samsung, even though SK hynix lost 1.92% today.",
  ])('is said by its own clause: %s', (answer) => {
    expect(doubted(answer, PORTFOLIO_FACTS)).toEqual([]);
  });
});

describe('a right date', () => {
  it('is not of an event that the sentence before names', () => {
    const answer =
      "Samsung's peak of ₩112,400 came on November 4, so it is off its high. On Nov 10, NVDA closed at $193.16.";
    expect(doubted(answer, HISTORY)).toEqual([]);
    const recovered = '9월 18일에 회복했습니다. 2025년 7월 1일 이후 시간가중수익률은 38.42%입니다.';
    expect(doubted(recovered, PORTFOLIO_FACTS)).toEqual([]);
  });
});
