import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import { markAnswer, repairNote } from '#src/agent/grounding/mark-answer.ts';
import type { KnownFact } from '#src/agent/grounding/verdict.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { INDICATORS, QUOTES } from './answers/market-facts.ts';
import { FUNDAMENTALS } from './answers/money-facts.ts';

const FACTS = [...QUOTES.facts, ...INDICATORS.facts];

const checkOf = (answer: string, facts: readonly KnownFact[] = FACTS) =>
  checkAnswer(answer, {
    facts,
    ownText: '',
    looseText: '',
    today: Temporal.PlainDate.from(QUOTES.today),
  });

/** The answer as people see it, and what the lines below it say. */
const marked = (answer: string, locale: Locale, facts?: readonly KnownFact[]): readonly string[] =>
  markAnswer(answer, checkOf(answer, facts), locale).split(/\n+/u);

const CORRECTED = { ko: '⚠️ 조회한 데이터와 달라 바로잡은 수치: ', en: '⚠️ Corrected to match the data: ' };

describe('a right number with a word of the wrong direction', () => {
  it.each([
    [
      '삼성전자는 0.29% 하락했습니다.',
      '삼성전자는 0.29% ~~하락했습니다~~ 상승했습니다.',
      '0.29% 하락했습니다 → 상승했습니다',
    ],
    [
      '삼성전자는 0.3% 내렸습니다.',
      '삼성전자는 0.3% ~~내렸습니다~~ 올랐습니다.',
      '0.3% 내렸습니다 → 올랐습니다',
    ],
    [
      'SK하이닉스는 1.92% 오른 561,000원입니다.',
      'SK하이닉스는 1.92% ~~오른~~ 내린 561,000원입니다.',
      '1.92% 오른 → 내린',
    ],
    [
      'SK하이닉스는 **1.92% 상승**한 561,000원입니다.',
      'SK하이닉스는 **1.92% ~~상승~~ 하락**한 561,000원입니다.',
      '1.92% 상승 → 하락',
    ],
    [
      '애플은 20일 이동평균보다 2.29% 아래에 있습니다.',
      '애플은 20일 이동평균보다 2.29% ~~아래에~~ 위에 있습니다.',
      '2.29% 아래에 → 위에',
    ],
  ])('has the word struck in Korean: %s', (answer, shown, said) => {
    expect(marked(answer, 'ko')).toEqual([shown, `${CORRECTED.ko}${said} (yahoo)`]);
  });

  it.each([
    ['Samsung Electronics fell 0.29%.', 'Samsung Electronics ~~fell~~ rose 0.29%.', 'fell 0.29% → rose'],
    ['Apple is up 0.19% at $272.95.', 'Apple is ~~up~~ down 0.19% at $272.95.', 'up 0.19% → down'],
    [
      'Apple saw an increase of 0.19% today.',
      'Apple saw ~~an increase~~ a decrease of 0.19% today.',
      'an increase of 0.19% → a decrease',
    ],
    [
      'Apple is 2.29% below its 20-day average.',
      'Apple is 2.29% ~~below~~ above its 20-day average.',
      '2.29% below → above',
    ],
  ])('has the word struck in English: %s', (answer, shown, said) => {
    expect(marked(answer, 'en')).toEqual([shown, `${CORRECTED.en}${said} (yahoo)`]);
  });

  it.each([
    ['삼성전자는 0.29% 밀려났습니다.', '삼성전자는 0.29% ~~밀려났습니다~~ 올랐습니다.'],
    ['삼성전자는 0.29% 내려앉았습니다.', '삼성전자는 0.29% ~~내려앉았습니다~~ 올라섰습니다.'],
    ['삼성전자는 0.29% 줄어들었습니다.', '삼성전자는 0.29% ~~줄어들었습니다~~ 늘어났습니다.'],
    ['삼성전자는 0.29% 빠지며 마감했습니다.', '삼성전자는 0.29% ~~빠지며~~ 오르며 마감했습니다.'],
    ['SK하이닉스는 1.92% 반등에 성공했습니다.', 'SK하이닉스는 1.92%(실제로는 -1.92%) 반등에 성공했습니다.'],
    ['SK하이닉스는 -1.92% 상승했습니다.', 'SK하이닉스는 -1.92% ~~상승했습니다~~ 하락했습니다.'],
  ])('has a word in its place that Korean has: %s', (answer, shown) => {
    expect(marked(answer, 'ko')[0]).toBe(shown);
  });

  it.each([
    ['Apple has climbed 0.19%.', 'Apple has ~~climbed~~ fallen 0.19%.'],
    [
      'Samsung Electronics has steadily declined 0.29%.',
      'Samsung Electronics has steadily ~~declined~~ risen 0.29%.',
    ],
    ['Apple UP 0.19% today.', 'Apple ~~UP~~ DOWN 0.19% today.'],
    ['Apple is rallying 0.19%.', 'Apple is ~~rallying~~ falling 0.19%.'],
  ])('has a word in its place in the same form: %s', (answer, shown) => {
    expect(marked(answer, 'en')[0]).toBe(shown);
  });

  it.each([
    ['삼성전자는 300원(0.29%) 하락했습니다.', '삼성전자는 300원(0.29%) ~~하락했습니다~~ 상승했습니다.'],
    ['삼성전자는 300원 하락한 102,300원입니다.', '삼성전자는 300원 ~~하락한~~ 상승한 102,300원입니다.'],
    [
      'SK하이닉스와 테슬라, 애플은 각각 1.92%, 6.64%, 0.19% 상승했습니다.',
      'SK하이닉스와 테슬라, 애플은 각각 1.92%, 6.64%, 0.19% ~~상승했습니다~~ 하락했습니다.',
    ],
    ['Apple is up $0.52 (0.19%).', 'Apple is ~~up~~ down $0.52 (0.19%).'],
    [
      'Both Apple and Tesla rose, by 0.19% and 6.64% respectively.',
      'Both Apple and Tesla ~~rose~~ fell, by 0.19% and 6.64% respectively.',
    ],
    ['Apple: $272.95 (+0.19%)', 'Apple: $272.95 (~~+0.19%~~ -0.19%)'],
    ['삼성전자 102,300원 ▼300원', '삼성전자 102,300원 ~~▼~~ ▲300원'],
  ])('is not said to have no source: %s', (answer, shown) => {
    const [first, ...notes] = marked(answer, 'en');
    expect(first).toBe(shown);
    expect(notes).toEqual([expect.stringContaining(CORRECTED.en)]);
  });

  it('keeps a word that is right about another number, and has its own sign beside it', () => {
    expect(marked('코스피와 삼성전자는 각각 3.81%, 0.29% 하락했습니다.', 'ko')).toEqual([
      '코스피와 삼성전자는 각각 3.81%, 0.29%(실제로는 +0.29%) 하락했습니다.',
      `${CORRECTED.ko}0.29% → +0.29% (yahoo)`,
    ]);
  });

  it('is named as such to the model', () => {
    expect(repairNote(checkOf('삼성전자는 0.3% 내렸습니다.'))).toContain(
      'the direction in the answer is wrong',
    );
    expect(repairNote(checkOf('삼성전자 주가는 201,300원입니다.'))).not.toContain('direction');
  });
});

describe('a wrong number with a word of the wrong direction', () => {
  it('has both struck', () => {
    expect(marked('삼성전자의 전일 대비 등락률은 3.1% 하락입니다.', 'ko')).toEqual([
      '삼성전자의 전일 대비 등락률은 ~~3.1%~~ 0.29% ~~하락입니다~~ 상승입니다.',
      `${CORRECTED.ko}3.1% 하락입니다 → 0.29% 상승입니다 (yahoo)`,
    ]);
  });
});

const quoted = (of: Partial<Fact>): readonly KnownFact[] =>
  QUOTES.facts.slice(0, 1).map(({ fact, tool }) => ({ tool, fact: { ...fact, ...of } }));

describe('the number in place of a wrong one', () => {
  it.each([
    ['삼성전자의 시가총액은 912조 원입니다.', '삼성전자의 시가총액은 ~~912조 원~~ 605.6조 원입니다.'],
    ['애플의 시가총액은 3.1조 달러입니다.', '애플의 시가총액은 ~~3.1조 달러~~ 4.033조 달러입니다.'],
    ["Apple's market cap is $3.1 trillion.", "Apple's market cap is ~~$3.1 trillion~~ $4.03T."],
    ['삼성전자 상장주식수는 50억 주입니다.', '삼성전자 상장주식수는 ~~50억 주~~ 59.2억 주입니다.'],
  ])('is written as the other was: %s', (answer, shown) => {
    expect(marked(answer, /[가-힣]/u.test(answer) ? 'ko' : 'en', FUNDAMENTALS.facts)[0]).toBe(shown);
  });

  it('stands beside words that the model has struck itself', () => {
    expect(marked('삼성전자 주가는 ~~100,000원~~ 201,300원입니다.', 'ko')[0]).toBe(
      '삼성전자 주가는 ~~100,000원~~ ~~201,300원~~ 102,300원입니다.',
    );
  });
});

describe('the source of a correction', () => {
  it.each([
    ['ko', { source: 'Yahoo Finance' }, 'Yahoo Finance'],
    ['ko', { source: 'sample', isSample: true }, '샘플 데이터'],
    ['en', { source: 'sample', isSample: true }, 'sample data'],
    ['ko', { source: 'ledger + Yahoo Finance' }, '거래 기록 + Yahoo Finance'],
    ['en', { source: 'ledger' }, 'transaction records'],
  ] as const)('has a name for people (%s, %o), and is no tool', (locale, of, name) => {
    const [, line = ''] = marked('삼성전자 주가는 201,300원입니다.', locale, quoted(of));
    expect(line).toBe(`${CORRECTED[locale]}201,300원 → 102,300원 (${name})`);
  });

  it('is left out where it is unknown, and cannot break the line', () => {
    expect(marked('삼성전자 주가는 201,300원입니다.', 'ko', quoted({ source: '' }))[1]).toBe(
      `${CORRECTED.ko}201,300원 → 102,300원`,
    );
    expect(marked('삼성전자 주가는 201,300원입니다.', 'ko', quoted({ source: '**x**\n<b>' }))).toHaveLength(
      2,
    );
  });
});

describe('behind eighty numbers that nobody knows', () => {
  const unknown = Array.from({ length: 80 }, (_, nth) => `- 항목: ${3_127 + nth * 37}.${nth + 11}점`).join(
    '\n',
  );
  const verdictOf = (sentence: string) => checkOf(`${unknown}\n\n${sentence}`).numbers.at(-1)?.verdict;

  it('a wrong price beside its name is still struck', () => {
    expect(verdictOf('삼성전자의 주가는 201,300원입니다.')).toBe('contradicted');
  });

  it('a number that may be calculated is marked, because its formula was not looked for', () => {
    const change = '삼성전자의 등락률은 3.07%입니다.';
    expect(checkOf(change).numbers.at(-1)?.verdict).toBe('contradicted');
    expect(verdictOf(change)).toBe('unsupported');
  });
});
