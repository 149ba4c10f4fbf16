import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import type { KnownFact } from '#src/agent/grounding/verdict.ts';
import { QUOTES } from './answers/market-facts.ts';

const INSTRUMENTS: ReadonlySet<string> = new Set(['삼성전자', 'Apple', '비트코인']);

const doubtedIn = (
  answer: string,
  facts: readonly KnownFact[] = [],
  ownText = '',
  looseText = '',
): readonly string[] =>
  checkAnswer(answer, {
    facts,
    ownText,
    looseText,
    today: Temporal.PlainDate.from(QUOTES.today),
    isInstrument: (name) => INSTRUMENTS.has(name),
  })
    .numbers.filter(({ verdict }) => verdict === 'unsupported' || verdict === 'contradicted')
    .map(({ text }) => text.trim());

describe('numbers of explanations', () => {
  it.each([
    '해외 주식 양도소득세는 22%이고, 연 250만 원까지 공제됩니다.',
    'PER은 주가를 주당순이익으로 나눈 값입니다. 예를 들어 주가가 50,000원이고 EPS가 5,000원이면 PER은 10배입니다.',
    '72의 법칙: 연 6% 복리면 원금이 두 배가 되는 데 약 12년이 걸립니다.',
    'ETF는 보통 연 0.05~0.5%의 보수를 받습니다.',
    'A P/E of 15 means investors pay $15 for each $1 of earnings.',
    'Dollar-cost averaging: invest $500 a month for 12 months, i.e. $6,000 in total.',
    'RSI가 70을 넘으면 과매수, 30 아래면 과매도로 봅니다. 기간은 보통 14일을 씁니다.',
  ])('need no source: %s', (answer) => {
    expect(doubtedIn(answer)).toEqual([]);
  });

  it.each([
    ['삼성전자는 201,300원입니다.', ['201,300원']],
    ['Apple earned $7.47 a share.', ['$7.47 a share']],
    ['비트코인이 보통 주말에 3.2% 빠집니다.', ['3.2%']],
    ['현재 금값은 온스당 4,312달러입니다.', ['4,312달러']],
    ['The index closed at 4,011.57.', ['4,011.57']],
    ['보유하신 주식의 수익률은 12.4%입니다.', ['12.4%']],
  ])('need one if they are about an instrument, a moment or holdings: %s', (answer, doubted) => {
    expect(doubtedIn(answer)).toEqual(doubted);
  });

  it('need one if the question names an instrument, or if something was quoted or read', () => {
    const answer = '시가총액은 912조 원입니다.';
    expect(doubtedIn(answer)).toEqual([]);
    expect(doubtedIn(answer, [], '삼성전자 시총은?')).toEqual(['912조 원']);
    expect(doubtedIn(answer, [], '', '다른 사람의 말')).toEqual(['912조 원']);
  });

  it('need one in a sentence that also states a fact', () => {
    const answer = '삼성전자는 102,300원이라 보통 배당수익률은 4.7%입니다.';
    expect(doubtedIn(answer, QUOTES.facts)).toEqual(['4.7%']);
    expect(doubtedIn('해외 주식 양도소득세율은 22%입니다.', QUOTES.facts)).toEqual([]);
  });
});
