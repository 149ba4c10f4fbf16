import { describe, expect, it } from 'vitest';
import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import { allMessages, leaves, ONE_OF_EACH, saidIn } from '#test/support/all-messages.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';

const HANGUL = /[\uac00-\ud7af]/u;
const NOT_TEXT = /undefined|\[object|NaN/;

const parametersOf = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/«(\w+)»/gu)].map((match) => match[1] ?? ''))].toSorted();

/** What each sentence tells. */
const toldIn = (sentences: ReadonlyMap<string, string>): readonly string[] =>
  [...sentences].map(([key, text]) => `${key}: ${parametersOf(text).join(' ')}`).toSorted();

/** What is written alike in both languages: signs and names of figures. */
const ALIKE: ReadonlySet<string> = new Set([
  'backup.line',
  'market.fundamentals.metrics.priceToBook',
  'market.fundamentals.metrics.returnOnEquity',
  'market.overview.percent',
  'market.overview.short.^GSPC',
  'page.sources.aws-secrets',
  'performance.chartChange',
  'performance.classes.etf',
  'performance.drawdownDates',
  'performance.pair',
  'performance.valueAtRiskMeaning',
  'voice.heard',
  'voice.inStatus',
  'portfolio.accounts.isa',
  'portfolio.defaultMark',
  'portfolio.recordOther',
  'quote.percentPoints',
  'rebalance.trade',
  'symbol.kinds.etf',
]);

const ko = saidIn('ko');
const en = saidIn('en');

describe('texts', () => {
  it('has the same keys in both languages', () => {
    expect([...ko.keys()].toSorted()).toEqual([...en.keys()].toSorted());
    expect(en.size).toBeGreaterThan(40);
  });

  it('says everything in Korean', () => {
    const wrong = [...ko].filter(
      ([key, text]) => !ALIKE.has(key) && (!HANGUL.test(text) || NOT_TEXT.test(text)),
    );
    expect(wrong).toEqual([]);
  });

  it('says everything in English', () => {
    const wrong = [...en].filter(([key, text]) => {
      // A Korean name may stand in an example, which is in a code span.
      const words = text.replaceAll(/`[^`]*`/g, '');
      return !ALIKE.has(key) && (!/[A-Za-z]{2}/.test(words) || HANGUL.test(words) || NOT_TEXT.test(text));
    });
    expect(wrong).toEqual([]);
  });

  it('tells the same things in both languages', () => {
    expect(toldIn(ko)).toEqual(toldIn(en));
  });

  it('counts one thing in the singular', () => {
    const plural =
      /(?<![\d.,:#])1 (?:[a-z]+ )?(?!(?:is|was|has|as|its|this|times|days|weekends)\b)[a-z]+s\b/u;
    const wrong = leaves(allMessages('en'), '', ONE_OF_EACH).filter(([, text]) => plural.test(text));
    expect(wrong).toEqual([]);
  });

  it.each(['ko', 'en'] as const)('gives the error id in every failure sentence (%s)', (locale) => {
    const pipelineTimeout = failureTexts(locale).pipelineTimeout;
    const executionFailed = failureTexts(locale).executionFailed;
    const deliveryFailed = failureTexts(locale).deliveryFailed;
    const internalError = failureTexts(locale).internalError;
    for (const sentence of [pipelineTimeout, executionFailed, deliveryFailed, internalError]) {
      expect(sentence({ errorId: 'deadbeef' })).toContain('deadbeef');
    }
  });

  it.each(['ko', 'en'] as const)('marks samples with the word SAMPLE (%s)', (locale) => {
    expect(marketNoteTexts(locale).sampleMark()).toContain('SAMPLE');
  });
});

describe.each(['ko', 'en'] as const)('the question to a person in %s', (locale) => {
  const { ask } = approvalTexts(locale);
  const question = {
    summary: '> do_it',
    why: 'Because.',
    minutes: 3,
    requester: undefined,
    isRepeated: false,
  };

  it('names nobody where nobody else reads along', () => {
    expect(ask(question)).not.toMatch(/undefined|null/);
    expect(ask({ ...question, requester: 'Mina' })).toContain('Mina');
  });

  it('has what would be done on lines of its own, between why and how long', () => {
    for (const requester of [undefined, 'Mina'])
      for (const isRepeated of [false, true]) {
        const lines = ask({ ...question, requester, isRepeated }).split('\n');
        expect(lines).toEqual([
          expect.stringContaining('Because.'),
          '> do_it',
          expect.stringMatching(/^_.*3.*_$/),
        ]);
      }
  });

  it('says that it was put before only where it was', () => {
    const [first, again] = [false, true].map((isRepeated) => ask({ ...question, isRepeated }).split('\n')[0]);
    expect(again?.startsWith(first ?? '?')).toBe(true);
    expect(again?.length).toBeGreaterThan((first?.length ?? 0) + 10);
  });
});

describe('detectLocale', () => {
  everyRow<[string, Locale | undefined, Locale]>([
    // Korean text, whatever the platform says
    ['삼성전자 지금 얼마야?', undefined, 'ko'],
    ['삼성전자 지금 얼마야?', 'en', 'ko'],
    ['Apple 주가 알려줘', 'en', 'ko'],
    ['ㅋㅋ', 'en', 'ko'],
    ['삼성'.normalize('NFD'), 'en', 'ko'],
    ['삼성전자 price', 'en', 'ko'],
    ['삼성전자 price please', 'en', 'ko'],
    // English sentences
    ['How is Apple doing today?', 'ko', 'en'],
    ["what's up", 'ko', 'en'],
    ['price of\nTSLA please', 'ko', 'en'],
    // One Korean name does not make a sentence Korean
    ['How is 삼성전자 doing today?', 'ko', 'en'],
    ['What do you think about 카카오 and 네이버 this week?', 'ko', 'en'],
    // Commands say nothing about the language: names, indicators and looks are the same words for everybody
    ['/price 삼성전자', 'en', 'en'],
    ['/price RSI', 'ko', 'ko'],
    ['/price apple, tesla, nvidia, meta, bitcoin', 'ko', 'ko'],
    ['/chart TSLA macd rsi bollinger weekly log dark', 'ko', 'ko'],
    ['/chart 삼성전자 볼린저 다크', 'en', 'en'],
    // Only where the platform knows none, and by their Korean name
    ['/price 삼성전자', undefined, 'ko'],
    ['/시세 AAPL', 'en', 'ko'],
    ['/price AAPL', 'ko', 'ko'],
    ['/price AAPL MSFT', 'ko', 'ko'],
    ['  /help price', 'ko', 'ko'],
    ['/help price', undefined, 'en'],
    ['!price AAPL chart', 'ko', 'ko'],
    ['/portfolio add AAPL --quantity=10 --price=190', 'ko', 'ko'],
    ['/alert AAPL rsi below 30 repeat', 'ko', 'ko'],
    // Nor do the names of their options, or rows that were pasted below them
    ['/portfolio add 삼성전자 --quantity=10 --price=70000 --fee=10', 'ko', 'ko'],
    ['/alert 삼성전자 rsi below 30 repeat dm', 'ko', 'ko'],
    ['/portfolio 가져오기\ndate,kind,symbol,price\n2026-01-02,buy,aapl,190', undefined, 'ko'],
    ['/portfolio import\n날짜,종류,종목\n2026-01-02,매수,삼성전자', 'en', 'en'],
    ['/portfolio import\ndate,kind,symbol,quantity,price,fee', 'ko', 'ko'],
    // Nor does a sentence in one
    ['/ask what do you think about 카카오 this week', 'ko', 'ko'],
    // Neither do tickers, numbers, symbols
    ['AAPL', 'ko', 'ko'],
    ['AAPL', 'en', 'en'],
    ['AAPL', undefined, 'en'],
    ['AAPL TSLA', 'ko', 'ko'],
    ['$TSLA?', 'ko', 'ko'],
    ['005930', 'ko', 'ko'],
    ['BTC-USD', 'ko', 'ko'],
    ['🚀🚀🌕', 'ko', 'ko'],
    ['🚀🚀🌕', undefined, 'en'],
    ['', 'ko', 'ko'],
    ['   ', undefined, 'en'],
    // Scripts we have no texts for
    ['مرحبا كيف حالك', 'ko', 'ko'],
    ['שלום עולם', undefined, 'en'],
    ['東京 株価', 'ko', 'ko'],
  ])('%j from a platform that says %s is %s', (text, platform, locale) => {
    expect(detectLocale(text, platform, 'auto')).toBe(locale);
  });

  it.each<[Locale, string, Locale]>([
    ['ko', 'How is Apple doing today?', 'en'],
    ['en', '삼성전자 지금 얼마야?', 'ko'],
  ])('is always %s when the configuration fixes it', (fixed, text, platform) => {
    expect(detectLocale(text, platform, fixed)).toBe(fixed);
  });

  it('finds the language of a very long text without hanging', () => {
    const startedMs = cpuMs();
    expect(detectLocale('a'.repeat(200_000), 'ko', 'auto')).toBe('ko');
    expect(detectLocale(`a${' '.repeat(200_000)}1`, 'ko', 'auto')).toBe('ko');
    expect(detectLocale('漢'.repeat(200_000), 'ko', 'auto')).toBe('ko');
    expect(detectLocale(`${'漢1'.repeat(100_000)}가`, 'en', 'auto')).toBe('ko');
    expect(cpuMs() - startedMs).toBeLessThan(2_000);
  });
});
