import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import type { KnownFact } from '#src/agent/grounding/verdict.ts';
import { QUOTES } from './answers/market-facts.ts';
import { WITH_HEADLINES } from './beside.ts';

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

describe('numbers that differ from those of now on purpose', () => {
  it.each([
    '삼성전자 주가가 93,500원 아래로 내려가면 알려 드릴게요.',
    '네! 삼성전자 주가 121,500원 알림을 설정해 드릴까요?',
    '애플 주가 지지선은 265달러입니다.',
    'Some analysts see Apple at $325.',
    'Your limit order for Apple at $265 is open.',
    '삼성전자 거래량은 보통 1,530만 주입니다.',
    '2018년 액면분할 전 삼성전자 주가는 265만 원이었습니다.',
    '삼성전자는 201,300원이 아니라 102,300원입니다.',
    '제가 삼성전자 현재가를 201,300원으로 잘못 안내했습니다.',
  ])('are never struck: %s', (answer) => {
    const { numbers } = checkAnswer(answer, {
      facts: QUOTES.facts,
      ownText: '',
      looseText: '',
      today: Temporal.PlainDate.from(QUOTES.today),
    });
    expect(numbers.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
  });
});

const inContext = (answer: string): readonly string[] =>
  checkAnswer(answer, {
    facts: QUOTES.facts,
    ownText: '',
    looseText: '',
    contextText: '<context>\n2026-11-13 15:30 KST\nAlert: 삼성전자 98,700원 이하\n</context>',
    today: Temporal.PlainDate.from(QUOTES.today),
  }).numbers.flatMap(({ text, verdict }) => (verdict === 'unsupported' ? [text.trim()] : []));

const HEADLINE_EVIDENCE = {
  facts: [],
  ownText: '',
  looseText: '',
  headlineText: WITH_HEADLINES.headlineText ?? '',
  today: Temporal.PlainDate.from(QUOTES.today),
};
const besideHeadlines = (answer: string): readonly string[] =>
  checkAnswer(answer, HEADLINE_EVIDENCE).numbers.map(({ text, verdict }) => `${text.trim()} ${verdict}`);

describe('headlines', () => {
  it('support the same number, but nothing follows from them', () => {
    expect(besideHeadlines('오늘 미국 10년물 금리는 4.12%입니다.')).toEqual(['4.12% quoted']);
    expect(besideHeadlines('오늘 미국 10년물 금리는 2.52%입니다.')).toEqual(['2.52% unsupported']);
  });

  it('leave an explanation without a need for sources', () => {
    expect(besideHeadlines('시가총액은 912조 원입니다.')).toEqual(['912조 원 exempt']);
  });
});

describe('what the program says at the end of a message', () => {
  it('supports the same number, but nothing follows from it', () => {
    expect(inContext('등록된 알림은 98,700원입니다.')).toEqual([]);
    expect(inContext('삼성전자의 배당수익률은 3.1%입니다.')).toEqual(['3.1%']);
  });
});
