import { describe, expect, it } from 'vitest';
import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { HoursRequest } from '#src/features/hours/hours.ts';
import { hoursAnswer } from '#src/features/hours/hours.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inFull } from '#test/support/in-full.ts';

const SUNDAY = '2026-11-15T06:40:00Z';
const SEOUL: Audience = { locale: 'ko', timeZone: 'Asia/Seoul' };
const SEOUL_EN: Audience = { locale: 'en', timeZone: 'Asia/Seoul' };
const NEW_YORK: Audience = { locale: 'en', timeZone: 'America/New_York' };

const listed = (exchange: string): Instrument => ({
  symbol: 'X',
  ticker: 'X',
  name: { ko: 'X', en: 'X' },
  exchange,
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
});
const EXCHANGES: Readonly<Record<string, string>> = { 삼성전자: 'KOSPI', tesla: 'NASDAQ' };
const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query) => {
    const exchange = EXCHANGES[query];
    return exchange
      ? { status: 'found', instrument: listed(exchange) }
      : { status: 'unknown', suggestions: [] };
  },
};

const ask = (request: HoursRequest, audience: Audience, now = SUNDAY) =>
  inFull(
    hoursAnswer({ symbols, clock: new ManualClock(now) })(request, audience, new AbortController().signal),
  );

describe('hours now', () => {
  it('tells of every market: state, today, what comes next and the exam day of the week, with the source', async () => {
    const { content, found } = await ask({}, SEOUL_EN);
    expect(found).toBe(5);
    const [korea = '', nextrade = '', us = '', fx = '', crypto = '', source] = content.split('\n\n');
    expect(korea.split('\n')).toEqual([
      '**Korea (KRX: KOSPI, KOSDAQ)** · closed',
      'Today (Sun 2026-11-15): closed for the weekend',
      'Next: opens Mon 2026-11-16 09:00 KST, in 17 h 20 min',
      expect.stringMatching(/^Coming up: Thu 2026-11-19 regular 10:00–16:30 KST, CSAT/),
    ]);
    expect(nextrade).toContain('Next: pre-market begins Mon 2026-11-16 08:00 KST');
    expect(us.split('\n').slice(2)).toEqual([
      'Next: pre-market begins Mon 2026-11-16 18:00 KST (Mon 04:00 EST), in 1 d 2 h',
      'Next: opens Mon 2026-11-16 23:30 KST (Mon 09:30 EST), in 1 d 7 h',
    ]);
    expect(fx).toContain('Open Mon 07:00 KST – Sat 07:00 KST');
    expect(fx).toContain('Next: opens Mon 2026-11-16 07:00 KST (Sun 17:00 EST), in 15 h 20 min');
    expect(crypto).toContain('· open');
    expect(source).toBe('Exchange calendar as of 2026-11-19');
  });

  it('says a half day in Korean, on both clocks, over midnight', async () => {
    const { content } = await ask({ market: '미국 증시' }, SEOUL, '2026-11-27T15:40:00Z');
    expect(content.split('\n')).toEqual([
      '**미국 (뉴욕증권거래소, 나스닥)** · 거래 중',
      '오늘 2026-11-27 (금): 장전 04:00–09:30 · 정규장 09:30–13:00 · 시간외 13:00–17:00 EST',
      '내 시간대: 장전 18:00–23:30 · 정규장 23:30–03:00 (+1) · 시간외 03:00 (+1)–07:00 (+1) KST',
      '참고: 추수감사절 다음 날 조기 마감',
      '다음: 2026-11-28 (토) 03:00 KST (금 13:00 EST) 시간외 거래 시작, 2시간 20분 뒤',
      '',
      '거래소 달력 (2026-11-19 기준)',
    ]);
  });

  it('tells the hours of Nextrade before KRX opens, and that shown prices are not its', async () => {
    const { content } = await ask({ market: '넥스트레이드' }, SEOUL, '2026-11-15T23:10:00Z');
    expect(content.split('\n')).toEqual([
      '**한국 대체거래소 (넥스트레이드, NXT)** · 장전 거래 중',
      '오늘 2026-11-16 (월): 장전 08:00–08:50 · 정규장 09:00:30–15:20 · 시간외 15:40–20:00 KST',
      '다음: 2026-11-16 (월) 08:50 KST 마감, 40분 뒤',
      '다음: 2026-11-16 (월) 09:00 KST 개장, 50분 뒤',
      expect.stringMatching(
        /^다가오는 일정: 2026-11-19 \(목\) 정규장 10:00:30–16:20 KST, 대학수학능력시험일 \(프리마켓 없음/,
      ),
      expect.stringContaining('시세는 KRX 기준이에요'),
      '',
      '거래소 달력 (2026-11-19 기준)',
    ]);
    const { content: onExamDay } = await ask({ market: 'nxt', date: '2026-11-19' }, SEOUL);
    expect(onExamDay).toContain('정규장 10:00:30–16:20 · 시간외 16:40–20:00 KST');
    expect((await ask({ market: 'NXT', date: '2025-01-15' }, SEOUL)).content).toContain('2025-03-04에 시작');
  });

  it('does not repeat hours for who lives by the clock of the exchange', async () => {
    const { content } = await ask({ market: 'us' }, NEW_YORK, '2026-11-27T15:40:00Z');
    expect(content).not.toContain('your time');
  });

  it('gives what can be checked as facts', async () => {
    const { facts } = await ask({ market: 'krx' }, SEOUL, '2026-11-13T02:00:00Z');
    expect(facts).toContainEqual({
      entity: 'KRX',
      metric: 'marketTime',
      parameter: 'nextChangeAt',
      value: '2026-11-13T06:30:00Z',
      unit: 'text',
      asOf: '2026-11-13T02:00:00Z',
      source: 'exchange calendar 2026-11-19',
      isSample: false,
    });
  });

  it.each([
    ['krx', 'Korea'],
    ['코스피', 'Korea'],
    ['한국 주식시장', 'Korea'],
    ['NASDAQ', 'United States'],
    ['the US stock market', 'United States'],
    ['미장', 'United States'],
    ['NYSE Arca', 'United States'],
    ['tesla', 'United States'],
    ['외환시장', 'Currencies'],
    ['코인', 'Crypto'],
  ])('knows what is meant by %s', async (market, title) => {
    const { content, found } = await ask({ market }, SEOUL_EN);
    expect(found).toBe(1);
    expect(content).toMatch(new RegExp(`^(?:.* trades here:\\n\\n)?\\*\\*${title}`, 'u'));
  });

  it('of a Korean share are those of KRX and of Nextrade, which trades before KRX opens', async () => {
    const { content } = await ask({ market: '삼성전자' }, SEOUL, '2026-11-15T23:10:00Z');
    const titles = content.split('\n').filter((line) => line.startsWith('**'));
    expect(titles).toEqual([
      '**한국 (KRX: 코스피, 코스닥)** · 장 닫힘',
      '**한국 대체거래소 (넥스트레이드, NXT)** · 장전 거래 중',
    ]);
  });

  it('of a company say which one was understood', async () => {
    expect((await ask({ market: 'tesla' }, SEOUL_EN)).content).toMatch(/^X \(X, .*\) trades here:/);
  });

  it.each(['프랑크푸르트', '상하이'])(
    'has no hours for %s, says so, and offers those it has',
    async (market) => {
      const { content, found, facts, choices } = await ask({ market }, SEOUL);
      expect({ found, facts }).toEqual({ found: 0, facts: [] });
      expect(content).toContain(market);
      expect(choices?.map(({ command }) => command)).toEqual([
        '/hours krx',
        '/hours nxt',
        '/hours us',
        '/hours fx',
        '/hours crypto',
      ]);
    },
  );

  it('past the calendar it does not know, and says what the calendar covers', async () => {
    const { content, found } = await ask({ market: 'krx' }, SEOUL_EN, '2028-11-15T06:40:00Z');
    expect(found).toBe(0);
    expect(content).toContain('· not known');
    expect(content).toContain('only covers 2025-01-01 to 2027-12-31');
    expect(content).not.toContain('Next: ');
  });
});

describe('hours on a date', () => {
  it.each([
    ['krx', '2026-11-19', 'regular 10:00–16:30 KST'],
    ['krx', '11월 19일', 'CSAT'],
    ['krx', '2026. 11. 19.', 'regular 10:00–16:30 KST'],
    ['krx', '내일', 'regular 09:00–15:30 · after hours 16:00–20:00 KST'],
    [
      'krx',
      '2027-05-03',
      'closed: Labor Day substitute holiday · expected, not yet confirmed by the exchange',
    ],
    ['krx', '2026-11-21', 'closed for the weekend'],
    ['us', '2026-11-26', 'closed: Thanksgiving Day'],
    ['fx', '2026-11-20', 'open until Fri 17:00 EST (Sat 2026-11-21 07:00 KST)'],
    ['fx', '2026-11-21', 'closed for the weekend'],
    ['crypto', '2026-12-25', 'Around the clock'],
    ['일본', '2026-12-30', 'regular 09:00–11:30 · regular 12:30–15:30 JST'],
    ['도쿄', '2026-12-31', 'closed: Year-end closure'],
    ['hong kong', '2026-12-24', 'regular 09:30–12:00 GMT+8'],
    ['런던', '2026-12-28', 'closed: Boxing Day substitute day'],
  ])('%s on %s: %s', async (market, date, text) => {
    const { content, found } = await ask({ market, date }, SEOUL_EN);
    expect(found).toBe(1);
    expect(content).toContain(text);
  });

  it.each(['2026-02-30', '2026-13-01', 'someday', '99', 'constructor'])(
    'takes %s for no date',
    async (date) => {
      const { content, found } = await ask({ market: 'krx', date }, SEOUL_EN);
      expect(found).toBe(0);
      expect(content).toContain(`"${date}" is no date`);
    },
  );

  it.each(['2024-12-31', '2028-01-03'])('does not know %s', async (date) => {
    const { content, found } = await ask({ market: 'krx', date }, SEOUL_EN);
    expect(found).toBe(0);
    expect(content).toContain('not known');
  });
});
