import { describe, expect, it } from 'vitest';
import { describeCondition } from '#src/features/alerts/conditions/describe-condition.ts';
import { readAlert } from '#src/features/alerts/conditions/read-condition.ts';
import { resolveAlertName, settleCondition } from '#src/features/alerts/conditions/resolve-condition.ts';
import { conditionText } from '#src/features/alerts/condition-input.ts';
import { Decimal } from '#src/kernel/money.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';
import { symbols } from '#test/support/sample-market.ts';

/** What somebody wrote, as it is understood; the price of the moment is 100. */
const understood = async (text: string): Promise<string> => {
  const read = readAlert(text);
  if (read.status === 'unclear') return 'unclear';
  if (read.status === 'range') return `${read.name}: ${read.low} to ${read.high}`;
  const resolved = await resolveAlertName(read, symbols, 'en', (code) => code, new AbortController().signal);
  if (resolved.status === 'missed') return `which ${read.name}?`;
  const { instrument } = resolved;
  const settled = settleCondition(resolved.draft, instrument, new Decimal(100), 'en');
  if (settled.status === 'problem') return 'refused';
  const options = Object.entries(read.options).map(([name, value]) => `${name}=${value}`);
  return [instrument.symbol, describeCondition({ ...settled, instrument }, 'en'), ...options].join(' | ');
};

describe('a range', () => {
  it.each([
    ['AAPL between 190 and 210', 'AAPL: 190 to 210'],
    ['alert me when AAPL is between $190 and $210', 'AAPL: $190 to $210'],
    ['AAPL leaves the range 210 to 190', 'AAPL: 190 to 210'],
    ['삼성전자 8만원에서 9만원 사이', '삼성전자: 8만원 to 9만원'],
    ['AAPL 190~210', 'AAPL: 190 to 210'],
  ])('has two levels, each for an alert of its own: "%s"', async (text, range) => {
    expect(await understood(text)).toBe(range);
    const [name = '', low = '', high = ''] = range.split(/: | to /u);
    expect(await understood(`${name} below ${low}`)).toMatch(/(?:190|80,000)/u);
    expect(await understood(`${name} ${high} 이상`)).toMatch(/(?:210|90,000)/u);
  });
});

describe('what people write', () => {
  everyRow([
    ['AAPL > 200', 'AAPL | at $200.00 or above'],
    ['AAPL>=200.125', 'AAPL | at $200.125 or above'],
    ['aapl above $200', 'AAPL | at $200.00 or above'],
    ['AAPL crosses above 200', 'AAPL | crosses above $200.00'],
    ['AAPL drops below 1.5k', 'AAPL | at $1,500.00 or below'],
    ['AAPL 200', 'AAPL | at $200.00 or above'],
    ['AAPL 90', 'AAPL | at $90.00 or below'],
    ['삼성전자 8만원 이상', '005930.KS | at ₩80,000 or above'],
    ['삼성전자가 8만 5천원 넘으면 알려줘', '005930.KS | at ₩85,000 or above'],
    ['삼성전자 80000 돌파', '005930.KS | crosses above ₩80,000'],
    ['삼전 7만 이하', '005930.KS | at ₩70,000 or below'],
    ['삼성전자 8만원 아래로 떨어지면', '005930.KS | at ₩80,000 or below'],
    ['KOSPI 200 > 400', '^KS200 | at 400.00 points or above'],
    ['달러 1,450원 돌파', 'USDKRW=X | crosses above ₩1,450.00'],
    ['^TNX > 4.5%', '^TNX | at 4.500% or above'],
    ['삼성전자 5%', '005930.KS | up or down 5% from the previous close'],
    ['AAPL +5%', 'AAPL | up 5% from the previous close'],
    ['AAPL -3% from now', 'AAPL | down 3% from $100.00'],
    ['비트코인 10% 하락', 'BTC-USD | down 10% from the previous close'],
    ['AAPL 5% up or down', 'AAPL | up or down 5% from the previous close'],
    ['AAPL rsi < 30', 'AAPL | RSI(14) at 30 or below'],
    ['삼성전자 RSI 70 이상', '005930.KS | RSI(14) at 70 or above'],
    ['NVDA golden cross', 'NVDA | the 50-day average crosses above the 200-day average (golden cross)'],
    ['NVDA 20/60 데드크로스', 'NVDA | the 20-day average crosses below the 60-day average'],
    ['AAPL ma60 > ma20', 'AAPL | the 20-day average crosses below the 60-day average'],
    [
      '삼성전자 20일선이 60일선을 상향 돌파하면',
      '005930.KS | the 20-day average crosses above the 60-day average',
    ],
    ['AAPL crosses 200 day average', 'AAPL | the price crosses above its 200-day average'],
    ['NVDA ma 20 60 golden cross', 'NVDA | the 20-day average crosses above the 60-day average'],
    ['AAPL ma 20 60 cross', 'AAPL | the 20-day average crosses above the 60-day average'],
    ['AAPL rsi 14 > 70', 'AAPL | RSI(14) at 70 or above'],
    ['삼성전자 RSI 9일 30 이하', '005930.KS | RSI(9) at 30 or below'],
    ['AAPL crosses 200', 'AAPL | at $200.00 or above'],
    ['삼성전자 5퍼 하락', '005930.KS | down 5% from the previous close'],
    ['AAPL > 200 until Friday', 'AAPL | at $200.00 or above | expires=Friday'],
    ['삼성전자 8만원 이상 금요일까지', '005930.KS | at ₩80,000 or above | expires=금요일까지'],
    ['AAPL > 200 every time', 'AAPL | at $200.00 or above | isRepeating=true'],
    ['alert me whenever AAPL > 200', 'AAPL | at $200.00 or above | isRepeating=true'],
    ['AAPL > 200 매일', 'AAPL | at $200.00 or above | isRepeating=true | cooldown=1d'],
    ['AAPL price > ma200', 'AAPL | the price crosses above its 200-day average'],
    ['AAPL 52w high', 'AAPL | a new 52-week high'],
    ['테슬라 52주 신저가', 'TSLA | a new 52-week low'],
    ['AAPL volume 3x', 'AAPL | volume 3 times its 20-day average'],
    ['삼성전자 거래량 2.5배', '005930.KS | volume 2.5 times its 20-day average'],
    ['AAPL news "product recall"', 'AAPL | a new headline with "product recall"'],
    ['삼성전자 유상증자 뉴스', '005930.KS | a new headline with "유상증자"'],
    [
      'AAPL > 200 repeat cooldown 2h expires 30d extended --dm',
      'AAPL | at $200.00 or above | isRepeating=true | cooldown=2h | expires=30d | usesExtendedHours=true | place=direct',
    ],
    [
      '삼성전자 8만원 이상 반복 2시간마다 2026-12-31까지 시간외',
      '005930.KS | at ₩80,000 or above | isRepeating=true | cooldown=2시간 | expires=2026-12-31까지 | usesExtendedHours=true',
    ],
    ['SK > 200', 'which SK?'],
    ['AAPL > 200 here', 'AAPL | at $200.00 or above | place=here'],
    ['애플 200달러 이상 여기서', 'AAPL | at $200.00 or above | place=here'],
    ['xqzzt > 200', 'which xqzzt?'],
  ])('%s', async (text, meaning) => {
    expect(await understood(text)).toBe(meaning);
  });

  it.each([
    'AAPL',
    '',
    'AAPL > 25bp',
    '미국 10년물 25bp 이상',
    'AAPL > NaN',
    'AAPL > Infinity',
    'the weather tomorrow',
    '> 200',
  ])('is no condition: "%s"', async (text) => expect(await understood(text)).toBe('unclear'));

  everyRow([
    'AAPL > 0',
    'AAPL > -5',
    'AAPL > 1e30',
    'AAPL > 10000000000000000000000000000000',
    'AAPL 5000%',
    'AAPL 0%',
    'AAPL -100%',
    'AAPL < 5%',
    'AAPL rsi > 150',
    'AAPL rsi(0) > 50',
    'AAPL ma20 > ma20',
    'AAPL ma20 > ma2000',
    'AAPL volume 0x',
    'AAPL volume > 1000000',
    'AAPL > 80000원',
    '삼성전자 > $100',
    'KOSPI > 4000원',
    `AAPL news ${'x'.repeat(51)}`,
  ])('makes no sense: "%s"', async (text) => expect(await understood(text)).toBe('refused'));

  it('has nothing in it that cannot be seen', async () => {
    const told = await understood('AAPL news \u202Eevil\u200B\u2066x');
    expect(told).toBe('AAPL | a new headline with "evil x"');
  });

  it('is read in no time, however it is written', () => {
    const startedMs = cpuMs();
    for (const piece of ['AAPL ', '1,', '% ', '> ', '일선 ', 'up or ', '까지 '])
      readAlert(`AAPL ${piece.repeat(300)}`.slice(0, 300));
    expect(cpuMs() - startedMs).toBeLessThan(500);
  });
});

describe('what the model fills in', () => {
  everyRow([
    [{ condition: 'above', value: '200' }, 'at $200.00 or above'],
    [{ condition: 'crosses_below', value: '200' }, 'crosses below $200.00'],
    [{ condition: 'rises_percent', value: '5%', fromNow: true }, 'up 5% from $100.00'],
    [{ condition: 'falls_percent', value: '-3' }, 'down 3% from the previous close'],
    [{ condition: 'moves_percent', value: '3' }, 'up or down 3% from the previous close'],
    [{ condition: 'rsi_below', value: '30', days: '9' }, 'RSI(9) at 30 or below'],
    [{ condition: 'death_cross', days: '20/60' }, 'the 20-day average crosses below the 60-day average'],
    [{ condition: 'price_above_average', value: '200' }, 'the price crosses above its 200-day average'],
    [{ condition: 'year_low' }, 'a new 52-week low'],
    [{ condition: 'volume_times', value: '3' }, 'volume 3 times its 20-day average'],
    [{ condition: 'news', keyword: 'recall' }, 'a new headline with "recall"'],
    [{ condition: 'news' }, 'any new headline'],
  ] as const)('%j', async (asked, meaning) => {
    expect(await understood(conditionText({ symbol: 'AAPL', ...asked }))).toBe(`AAPL | ${meaning}`);
  });
});
