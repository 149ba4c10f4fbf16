import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Part } from './draft.ts';
import { say } from './draft.ts';
import { behind, type Claim, predicate, topic, type Writer } from './writer.ts';

/** `현재`, the day of the quote in words, or nothing. */
const dayOf = (asOf: string): string => asOf.slice(0, 10);

const isMoney = ({ assetClass }: Instrument): boolean => assetClass !== 'index' && assetClass !== 'rate';

export const price: Claim = (writer) => {
  const of = writer.instrument();
  const fact = of && writer.factOf(of.symbol, 'price');
  if (!of || !fact) return undefined;
  const name = writer.name(of);
  const { chances } = writer;
  const bare = writer.value(fact);
  const slot = writer.value(fact);
  if (!slot || !bare) return undefined;
  const day = writer.day(dayOf(fact.asOf));
  if (of.assetClass === 'fx')
    return writer.isKorean
      ? chances.pick([
          say`현재 ${topic(name, ['은', '는'])} ${slot}입니다.`,
          say`${day} 기준 ${name}: ${slot}`,
        ])
      : chances.pick([say`${name} is trading at ${slot}.`, say`As of ${day}, ${name} stands at ${slot}.`]);
  if (writer.isKorean)
    return chances.pick([
      say`${topic(name, ['은', '는'])} 현재 ${slot}에 거래되고 있습니다.`,
      say`${topic(name, ['은', '는'])} ${bare}입니다.`,
      say`${name}: ${bare}`,
      say`${day} 기준 ${topic(name, ['은', '는'])} ${slot}입니다.`,
      say`${day} 종가는 ${topic(name, ['이', '가'])} ${behind(slot, ['이었습니다', '였습니다'])}.`,
      say`말씀하신 ${name}의 현재 가격을 확인해 보니 ${behind(slot, ['이에요', '예요'])}.`,
      ...(isMoney(of) ? [say`${name} 시세는 ${behind(slot, ['이에요', '예요'])}.`] : []),
    ]);
  return chances.pick([
    say`${name} is currently trading at ${slot}.`,
    say`${name} is at ${bare}.`,
    say`${name}: ${bare}`,
    say`As of ${day}, ${name} is trading at ${slot}.`,
    say`${name} closed at ${slot} on ${day}.`,
    ...(of.assetClass === 'equity' ? [say`Shares of ${name} last traded at ${slot}.`] : []),
  ]);
};

/** The price and its change, as most answers begin. */
export const change: Claim = (writer) => {
  const of = writer.instrument();
  if (!of) return undefined;
  const { chances } = writer;
  const [now, percent, difference] = ['price', 'changePercent', 'change'].map((metric) =>
    writer.factOf(of.symbol, metric),
  );
  const name = writer.name(of);
  const slot = writer.value(now);
  const bare = writer.value(now);
  const directed = writer.directed(percent);
  const signed = writer.signed(percent);
  const amount = writer.signed(difference);
  if (!slot || !bare || !directed || !signed || !amount) return undefined;
  if (writer.isKorean)
    return chances.pick([
      say`${topic(name, ['은', '는'])} 전일 대비 ${directed}.`,
      say`${topic(name, ['은', '는'])} 현재 ${behind(slot, ['으로', '로'])}, 전일보다 ${directed}.`,
      say`${name} ${bare} (${signed})`,
      say`${name}: ${bare}, 전일 대비 ${amount} (${signed})`,
      say`${name}의 등락률은 ${signed}입니다.`,
      say`오늘 ${topic(name, ['은', '는'])} ${directed}. 현재가는 ${slot}입니다.`,
    ]);
  return chances.pick([
    say`${name}: ${bare} (${signed})`,
    say`${name} is trading at ${slot}, ${signed} on the day.`,
    say`${name} is at ${bare}, a change of ${amount} (${signed}) from the previous close.`,
    say`${name}'s daily change is ${signed}.`,
    say`${name} ${predicate(directed)} today and trades at ${slot}.`,
  ]);
};

export const range: Claim = (writer) => {
  const of = writer.instrument();
  if (!of) return undefined;
  const { chances } = writer;
  const name = writer.name(of);
  const isDay = chances.happens(0.5);
  const low = writer.value(writer.factOf(of.symbol, isDay ? 'dayLow' : 'yearLow'));
  const high = writer.value(writer.factOf(of.symbol, isDay ? 'dayHigh' : 'yearHigh'));
  if (!low || !high) return undefined;
  if (writer.isKorean) {
    const span = isDay ? chances.pick(['오늘', '당일', '장중']) : '52주';
    return chances.pick([
      say`${name} ${span} 저가 ${low} ~ 고가 ${high}`,
      say`${topic(name, ['은', '는'])} ${span} ${low}에서 ${high} 사이에서 움직였습니다.`,
      say`${name}의 ${span} 범위는 ${low}~${high}입니다.`,
      say`${name}의 ${span} 최저가는 ${low}, 최고가는 ${high}입니다.`,
    ]);
  }
  const span = isDay ? "day's" : '52-week';
  return chances.pick([
    say`${name}'s ${span} range is ${low} – ${high}.`,
    say`${name} has traded between ${low} and ${high} ${isDay ? 'today' : 'over the past 52 weeks'}.`,
    say`${name}'s ${span} low is ${low} and its ${span} high is ${high}.`,
    say`${name}: ${span} range ${low} to ${high}`,
  ]);
};

export const volume: Claim = (writer) => {
  const of = writer.share();
  const slot = of && writer.value(writer.factOf(of.symbol, 'volume'));
  if (!of || !slot) return undefined;
  const name = writer.name(of);
  const { chances } = writer;
  if (writer.isKorean)
    return chances.pick([
      say`${name}의 오늘 거래량은 ${slot}입니다.`,
      say`${topic(name, ['은', '는'])} ${behind(slot, ['이', '가'])} 거래됐습니다. (거래량 기준)`,
      say`${name} 거래량: ${slot}`,
    ]);
  return chances.pick([
    say`${name}'s volume today is ${slot}.`,
    say`Volume in ${name} came to ${slot}.`,
    say`${name} – volume: ${slot}`,
  ]);
};

/** Metrics of a quote by name. */
export const named: Claim = (writer) => {
  const of = writer.instrument();
  const metric = writer.chances.pick(['previousClose', 'dayLow', 'dayHigh', 'yearLow', 'yearHigh', 'price']);
  if (!of || of.assetClass === 'fx') return undefined;
  const slot = writer.value(writer.factOf(of.symbol, metric));
  // Only shares have a share price.
  const word =
    metric === 'price' && of.assetClass !== 'equity'
      ? writer.isKorean
        ? '현재가'
        : 'price'
      : writer.word(metric);
  return slot && writer.statement(writer.name(of), word, slot);
};

/** The metrics of one instrument, sentence after sentence, the name only once. */
export const paragraph = (writer: Writer): readonly Part[] | undefined => {
  const of = writer.share();
  if (!of) return undefined;
  const { chances } = writer;
  const slots = new Map(
    ['price', 'volume', 'yearHigh', 'yearLow', 'marketCap', 'peTrailing', 'previousClose'].map(
      (metric) => [metric, writer.value(writer.factOf(of.symbol, metric))] as const,
    ),
  );
  const percent = writer.directed(writer.factOf(of.symbol, 'changePercent'));
  const first = slots.get('price');
  if (!first || !percent) return undefined;
  const name = writer.name(of);
  const further = chances
    .shuffled([...slots.entries()].filter(([metric, slot]) => metric !== 'price' && slot))
    .slice(0, 1 + chances.below(3));
  const rest = further.flatMap(([metric, slot], index): readonly Part[] => {
    if (!slot) return [];
    const word = writer.word(metric);
    if (writer.isKorean)
      return index === further.length - 1
        ? say` ${topic(word, ['은', '는'])} ${slot}입니다.`
        : say` ${topic(word, ['은', '는'])} ${behind(slot, ['이고', '이고'])},`;
    return say` ${chances.pick(['Its', 'The'])} ${word} is ${slot}.`;
  });
  const opening = writer.isKorean
    ? say`${topic(name, ['은', '는'])} 현재 ${first}에 거래되고 있으며 전일 대비 ${percent}.`
    : say`${name} is currently trading at ${first} (${percent} on the day).`;
  return [...opening, ...rest];
};
