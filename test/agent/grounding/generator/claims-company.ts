import { say } from './draft.ts';
import { behind, type Claim, topic } from './writer.ts';

const SIZES = ['marketCap', 'revenue', 'freeCashFlow', 'sharesOutstanding'];
const MULTIPLES = ['peTrailing', 'peForward', 'priceToBook'];
const FIGURES = [
  'epsTrailing',
  'epsForward',
  'dividendYield',
  'dividendRate',
  'grossMargin',
  'operatingMargin',
  'profitMargin',
  'returnOnEquity',
  'debtToEquity',
  'beta',
];

const figureOf =
  (metrics: readonly string[]): Claim =>
  (writer) => {
    const of = writer.share();
    const metric = writer.chances.pick(metrics);
    const slot = of && writer.value(writer.factOf(of.symbol, metric));
    return of && slot && writer.statement(writer.name(of), writer.word(metric), slot);
  };

export const size: Claim = figureOf(SIZES);
export const multiple: Claim = figureOf(MULTIPLES);
export const figure: Claim = figureOf(FIGURES);

export const growth: Claim = (writer) => {
  const of = writer.share();
  const fact = of && writer.factOf(of.symbol, 'revenueGrowth');
  const slot = writer.value(fact, { sign: '' });
  if (!of || !fact || !slot || Number(fact.value) === 0) return undefined;
  const name = writer.name(of);
  const isUp = Number(fact.value) > 0;
  const direction = (up: string, down: string) => (isUp ? up : down);
  return writer.isKorean
    ? say`${name}의 매출은 전년 대비 ${slot} ${direction('증가', '감소')}했습니다.`
    : say`${name}'s revenue ${direction('grew', 'shrank')} ${slot} year over year.`;
};

/** Two multiples in one sentence. */
export const valuation: Claim = (writer) => {
  const of = writer.share();
  if (!of) return undefined;
  const name = writer.name(of);
  const pe = writer.value(writer.factOf(of.symbol, 'peTrailing'));
  const pb = writer.value(writer.factOf(of.symbol, 'priceToBook'));
  const cap = writer.value(writer.factOf(of.symbol, 'marketCap'));
  if (!pe || !pb || !cap) return undefined;
  return writer.isKorean
    ? writer.chances.pick([
        say`${name}의 PER은 ${pe}, PBR은 ${behind(pb, ['이며', '이며'])} 시가총액은 ${cap}입니다.`,
        say`${topic(name, ['은', '는'])} 시총 ${cap}, PER ${pe}, PBR ${pb}에 거래됩니다.`,
      ])
    : writer.chances.pick([
        say`${name} trades at a P/E of ${pe} and a P/B of ${pb}, with a market cap of ${cap}.`,
        say`With a market cap of ${cap}, ${name} has a P/E ratio of ${pe} and a P/B ratio of ${pb}.`,
      ]);
};

export const average: Claim = (writer) => {
  const of = writer.instrument();
  const fact = of && writer.chances.maybePick(writer.factsOf(of.symbol, 'sma', 'ema'));
  const slot = writer.value(fact);
  if (!of || of.assetClass === 'fx' || !slot || fact?.parameter === undefined) return undefined;
  const { chances } = writer;
  const name = writer.name(of);
  const days = fact.parameter;
  if (fact.metric === 'ema')
    return writer.isKorean
      ? chances.pick([
          say`${name}의 EMA ${days}은 ${slot}입니다.`,
          say`${name} ${days}일 지수이동평균: ${slot}`,
        ])
      : chances.pick([say`${name}'s ${days}-day EMA is ${slot}.`, say`EMA ${days} of ${name}: ${slot}`]);
  return writer.isKorean
    ? chances.pick([
        say`${name}의 ${days}일 이동평균선은 ${slot}입니다.`,
        say`${name} SMA ${days}: ${slot}`,
        say`${name}의 ${days}일선은 ${slot}에 있습니다.`,
        say`${name}의 SMA(${days})은 ${slot}입니다.`,
      ])
    : chances.pick([
        say`${name}'s ${days}-day moving average is ${slot}.`,
        say`The ${days}-day SMA of ${name} is at ${slot}.`,
        say`${name} SMA(${days}): ${slot}`,
      ]);
};

/** How far the price is from an average. */
export const distance: Claim = (writer) => {
  const of = writer.instrument();
  const fact = of && writer.chances.maybePick(writer.factsOf(of.symbol, 'distanceFromSma'));
  const slot = writer.value(fact, { sign: '' });
  if (!of || !fact || !slot || fact.parameter === undefined || Number(fact.value) === 0) return undefined;
  const name = writer.name(of);
  const isUp = Number(fact.value) > 0;
  const direction = (up: string, down: string) => (isUp ? up : down);
  return writer.isKorean
    ? say`${topic(name, ['은', '는'])} ${fact.parameter}일 이동평균선보다 ${slot} ${direction('위', '아래')}에 있습니다.`
    : say`${name} is ${slot} ${direction('above', 'below')} its ${fact.parameter}-day moving average.`;
};

export const oscillator: Claim = (writer) => {
  const of = writer.instrument(({ assetClass }) => assetClass !== 'fx');
  if (!of) return undefined;
  const { chances } = writer;
  const name = writer.name(of);
  const rsi = writer.value(writer.factOf(of.symbol, 'rsi'));
  const macd = writer.value(writer.factOf(of.symbol, 'macd'));
  const signal = writer.value(writer.factOf(of.symbol, 'macdSignal'));
  const atr = writer.value(writer.factOf(of.symbol, 'atr'));
  if (!rsi || !macd || !signal || !atr) return undefined;
  return writer.isKorean
    ? chances.pick([
        say`${name}의 RSI(14)는 ${rsi}로 과매수·과매도 구간(70/30)이 아닙니다.`,
        say`${name} RSI 14: ${rsi}`,
        say`${name}의 RSI는 ${rsi}입니다.`,
        say`${name}의 MACD는 ${macd}, 시그널은 ${signal}입니다.`,
        say`${name}의 ATR(14)은 ${atr}입니다.`,
      ])
    : chances.pick([
        say`${name}'s RSI (14) is ${rsi}, between 30 and 70.`,
        say`RSI 14 of ${name}: ${rsi}`,
        say`The 14-day RSI of ${name} reads ${rsi}.`,
        say`${name}'s MACD is ${macd} with the signal line at ${signal}.`,
        say`${name}'s 14-day ATR is ${atr}.`,
      ]);
};

export const bands: Claim = (writer) => {
  const of = writer.instrument(({ assetClass }) => assetClass !== 'fx');
  if (!of) return undefined;
  const [upper, middle, lower] = ['bollingerUpper', 'bollingerMiddle', 'bollingerLower'].map((metric) =>
    writer.value(writer.factOf(of.symbol, metric)),
  );
  if (!upper || !middle || !lower) return undefined;
  const name = writer.name(of);
  return writer.isKorean
    ? writer.chances.pick([
        say`${name}의 볼린저 밴드는 상단 ${upper}, 중심선 ${middle}, 하단 ${lower}입니다.`,
        say`${name} 볼린저 밴드 상단은 ${upper}, 하단은 ${lower}입니다.`,
      ])
    : writer.chances.pick([
        say`${name}'s Bollinger Bands: upper ${upper}, middle ${middle}, lower ${lower}.`,
        say`The upper Bollinger band of ${name} is at ${upper} and the lower band at ${lower}.`,
      ]);
};
