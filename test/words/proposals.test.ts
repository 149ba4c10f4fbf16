import { describe, expect, it } from 'vitest';
import type { EarlierCall } from '#src/kernel/agent/sentence.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { buildClassifier } from '#src/words/classifier.ts';
import { examplesIn, parseExamples } from '#src/words/examples.ts';
import { parseGlossary } from '#src/words/glossary.ts';
import { cpuMs } from '#test/support/cpu-time.ts';

const today = Temporal.PlainDate.from('2026-11-16');
const symbols = createSymbolSearch();
const readSentence = createReadSentence(symbols, () => true);
const read = (text: string, calls: readonly EarlierCall[] = []) =>
  readSentence(
    { text, calls, today, locale: /\p{Script=Hangul}/u.test(text) ? 'ko' : 'en' },
    new AbortController().signal,
  );
const toolsOf = async (text: string, calls: readonly EarlierCall[] = []) =>
  (await read(text, calls)).calls.map(({ tool }) => tool);

/** Nothing that the patterns read; written for this test and not among the examples. */
const WISHES: readonly (readonly [text: string, ...tools: readonly string[]])[] = [
  ['에코프로 왜 이리 빠졌냐', 'get_quote', 'get_news'],
  ['엔비디아 떡상했냐 지금', 'get_quote'],
  ['내 종목들 합치면 전부 얼마임', 'get_portfolio'],
  ['카카오 30주 5만원에 들어갔음', 'record_transaction'],
];

const TALKS: readonly (readonly [text: string, talk: string, ...commands: readonly string[]])[] = [
  ['이거 실시간 시세 맞음?', 'sample'],
  ['are these prices real or fake', 'sample'],
  ['너 공짜야?', 'free', '/usage'],
  ['where do i enter my api key', 'key', '/keys', '/model'],
  ['무슨 AI 모델 쓰는 거야', 'model', '/model', '/keys'],
  ['how much money did the ai cost us', 'cost', '/usage'],
  ['나에 대한 정보 싹 다 지워줘', 'delete', '/privacy', '/privacy delete'],
  ['change my time zone please', 'zone', '/profile timezone'],
  ['주식이 처음인데 뭐부터 해야 하나요', 'start', '/market', '/portfolio', '/help'],
  ['운영자 페이지는 어디서 여나요', 'operator', '/dashboard'],
];

describe('a message that no pattern reads', () => {
  it('is answered by the tool of the examples that it resembles', async () => {
    const read = await Promise.all(WISHES.map(async ([text]) => [text, ...(await toolsOf(text))]));
    expect(read).toEqual(WISHES);
  });

  it.each([
    ['can you cancel my tesla alert', '/alerts'],
    ['매일 저녁 7시에 내 종목들 정리해서 보내줘', '/briefing 19:00 매일 dm'],
    ['카톡으로 알려줘 삼전 9만원 넘으면', '/alert 삼전 above 90000 KRW'],
    ['how come nvidia dropped so hard', '/news nvidia'],
  ])('is offered as a button where it changes something or is not sure: %s', async (text, command) => {
    const { calls, choices = [] } = await read(text);
    expect(calls).toEqual([]);
    expect(choices.map((each) => each.command)).toContain(command);
  });

  it('about the bot gets its answer, with the commands as buttons', async () => {
    const readings = await Promise.all(TALKS.map(async ([text]) => ({ text, ...(await read(text)) })));
    expect(
      readings.map(({ text, talk, choices = [] }) => [text, talk, ...choices.map(({ command }) => command)]),
    ).toEqual(TALKS);
  });

  it('of small talk gets its answer', async () => {
    const said = {
      greeting: ['hello', 'Hello!', 'hi', 'hey', 'good morning', '안녕', '안녕하세요', '하이'],
      help: ['help', 'What can you do?', '도움말', '뭐 할 수 있어?', '도와줘'],
      thanks: ['고마워', '고맙습니다', '감사합니다', 'thanks!', 'thank you so much'],
      who: ['who are you?', '너는 누구야?', 'who made you'],
      language: ['영어로 대답해줘', 'answer in Korean please'],
    };
    for (const [talk, texts] of Object.entries(said)) {
      const readings = await Promise.all(texts.map((text) => read(text)));
      expect(readings.map((reading) => reading.talk)).toEqual(texts.map(() => talk));
    }
  });

  it('that is near to several wishes gets them as buttons, and does nothing by itself', async () => {
    const { calls, talk, choices = [] } = await read('하닉 살말?');
    expect({ calls, talk }).toEqual({ calls: [], talk: 'guess' });
    expect(choices.map(({ command }) => command)).toContain('/price 하닉');
    expect(choices.length).toBeLessThanOrEqual(3);
  });

  it.each(['내 고양이가 아파', 'zxcv qwer asdf', 'ㅁㄴㅇㄹ ㅂㅈㄷㄱ'])(
    'and resembles no example is not answered about something else: %s',
    async (text) => {
      expect(await read(text)).toMatchObject({ calls: [], talk: 'unknown' });
    },
  );

  it.each([
    // A value is missing, imagined, declined or one of several.
    '카카오 들어갔음',
    '카카오 30주 들어갔음',
    '카카오 5만원에 30주 들어갔으면 어땠을까',
    'should i have bought 10 apple at 100?',
    'picked up some apple',
    '카카오 30주랑 네이버 20주 5만원에 들어갔음',
    '삼전 9만원 알림 걸지 마',
  ])('records and sets nothing without all its values: %s', async (text) => {
    const tools = await toolsOf(text);
    expect(tools.filter((tool) => tool === 'record_transaction' || tool === 'set_alert')).toEqual([]);
  });

  it('says that messages go nowhere else', async () => {
    expect(await read('카톡으로 알려줘 삼전 9만원 넘으면')).toMatchObject({ talk: 'elsewhere' });
  });

  it('explains a term, with what shows it live', async () => {
    const { calls, talk, said } = await read('whats a p/e ratio', [
      { tool: 'get_quote', input: { symbols: ['MSFT'] } },
    ]);
    expect({ calls, talk }).toEqual({ calls: [], talk: 'term' });
    expect(said).toMatch(/earnings[\s\S]*→ "/u);
  });
});

describe('a correction', () => {
  const trade = { kind: 'buy', symbol: '카카오', quantity: '20', price: '50000', currency: 'KRW' };
  const asked: EarlierCall = { tool: 'record_transaction', input: trade };

  it.each([
    ['아 잘못 썼다 35주야', { quantity: '35' }],
    ['아니 4만9천원이야', { price: '49000' }],
    ['no, 35', { quantity: '35' }],
  ])('changes one value of the trade that is asked about: %s', async (text, changed) => {
    expect((await read(text, [asked])).calls).toEqual([{ ...asked, input: { ...trade, ...changed } }]);
  });

  it('never records a trade once more that is recorded already', async () => {
    const reading = await read('아 35주야', [{ ...asked, isDone: true }]);
    expect(reading).toMatchObject({ calls: [], talk: 'recorded' });
  });

  it('that fits no value of the trade is none', async () => {
    expect((await read('no, 3', [asked])).calls).toEqual([]);
  });

  it('sets an alert with the other value, and says that the first one stays', async () => {
    const input = { symbol: 'AAPL', condition: 'above', value: '320' };
    const reading = await read('make it 330', [{ tool: 'set_alert', input, isDone: true }]);
    expect(reading).toMatchObject({
      calls: [{ tool: 'set_alert', input: { ...input, value: '330' } }],
      talk: 'also-set',
    });
  });
});

describe('the examples', () => {
  it.each(['ko', 'en'] as const)('of %s are read back as their own action', async (locale) => {
    const { rank } = await examplesIn(locale);
    const texts = { ko: '{name} 얼마야', en: 'price of {name}' };
    expect(rank(texts[locale]).guesses[0]?.action).toBe('get_quote');
    expect(rank('xyzzy plugh').likeness).toBeLessThan(0.3);
  });

  it('tell wishes apart by how they are spelt, also with typos and other endings', () => {
    const { rank } = atOnce(
      buildClassifier(
        parseExamples('# get_quote\n{name} 얼마야\n{name} 시세 알려줘\n# get_news\n{name} 뉴스\n{name} 소식'),
      ),
    );
    expect(rank('{name} 얼마인가요').guesses[0]?.action).toBe('get_quote');
    expect(rank('{name} 뉴스좀').guesses[0]?.action).toBe('get_news');
  });

  it('are searched in less than ten milliseconds', async () => {
    const { rank } = await examplesIn('ko');
    const times = 20;
    const before = cpuMs();
    for (let time = 0; time < times; time += 1) rank('매일 저녁 {time}에 내 종목 요약해줘');
    expect((cpuMs() - before) / times).toBeLessThan(10);
  });
});

it('a glossary finds the longest term of a question, with particles behind it', () => {
  const glossary = parseGlossary('# ETF\nA.\n# leveraged ETF; 레버리지\nB.\n> TQQQ price');
  expect(glossary.explain('ETF가 뭐야')).toBe('A.');
  expect(glossary.explain('what is a leveraged etf')).toBe('B.\n→ "TQQQ price"');
  expect(glossary.explain('오늘 날씨')).toBeUndefined();
});
