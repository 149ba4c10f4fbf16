import type { Fact } from '#src/kernel/market/fact.ts';
import type { ValueSlot } from './draft.ts';
import { say } from './draft.ts';
import { valueOf } from './printed.ts';
import { behind, type Claim, topic, type Writer } from './writer.ts';

/** Printed with all digits, so that what follows from it fits. */
const EXACT = { within: 1e-9 } as const;

/** A number that no tool gave: it follows from others of the answer. */
const derived = (
  writer: Writer,
  value: number,
  unit: string,
  { entity, asOf, source, isSample }: Fact,
): ValueSlot | undefined =>
  writer.value(
    { entity, metric: 'other', value: String(value), unit, asOf, source, isSample },
    { within: 0.02, sign: '' },
  );

const two = (writer: Writer, metric: string) => {
  const [one, other] = writer.shares(2);
  if (!one || !other) return undefined;
  const [first, second] = [one, other].map(({ symbol }) => writer.factOf(symbol, metric));
  const [slot, otherSlot] = [writer.value(first, EXACT), writer.value(second, EXACT)];
  if (!first || !second || !slot || !otherSlot || first.unit !== second.unit) return undefined;
  return { names: [writer.name(one), writer.name(other)] as const, first, slot, otherSlot };
};

export const difference: Claim = (writer) => {
  const both = two(writer, writer.chances.pick(['price', 'marketCap']));
  if (!both) return undefined;
  const { names, first, slot, otherSlot } = both;
  const result = derived(
    writer,
    Math.abs(valueOf(slot.printed) - valueOf(otherSlot.printed)),
    first.unit,
    first,
  );
  if (!result) return undefined;
  const word = writer.word(first.metric);
  return writer.isKorean
    ? say`${topic(names[0], ['은', '는'])} ${word} ${slot}, ${topic(names[1], ['은', '는'])} ${word} ${behind(otherSlot, ['으로', '로'])} 차이는 ${result}입니다.`
    : say`${names[0]} has a ${word} of ${slot} and ${names[1]} a ${word} of ${otherSlot}, a difference of ${result}.`;
};

export const ratio: Claim = (writer) => {
  const both = two(writer, writer.chances.pick(['marketCap', 'price', 'volume']));
  if (!both) return undefined;
  const { names, first, slot, otherSlot } = both;
  const times = valueOf(slot.printed) / valueOf(otherSlot.printed);
  const result = times > 1.05 && times < 100 ? derived(writer, times, 'x', first) : undefined;
  if (!result) return undefined;
  const word = writer.word(first.metric);
  return writer.isKorean
    ? say`${names[0]}의 ${topic(word, ['은', '는'])} ${slot}, ${names[1]}의 ${topic(word, ['은', '는'])} ${behind(otherSlot, ['으로', '로'])} 약 ${result} 차이입니다.`
    : say`The ${word} of ${names[0]} (${slot}) is ${result} that of ${names[1]} (${otherSlot}).`;
};

export const mean: Claim = (writer) => {
  const both = two(writer, writer.chances.pick(['peTrailing', 'price', 'returnOnEquity']));
  if (!both) return undefined;
  const { names, first, slot, otherSlot } = both;
  const result = derived(writer, (valueOf(slot.printed) + valueOf(otherSlot.printed)) / 2, first.unit, first);
  if (!result) return undefined;
  const word = writer.word(first.metric);
  return writer.isKorean
    ? say`${names[0]}의 ${topic(word, ['은', '는'])} ${slot}, ${names[1]}의 ${topic(word, ['은', '는'])} ${behind(otherSlot, ['이고', '이고'])} 두 종목 평균은 ${result}입니다.`
    : say`${names[0]}'s ${word} is ${slot} and ${names[1]}'s ${word} is ${otherSlot}, for an average of ${result}.`;
};

/** From one close to another. */
export const between: Claim = (writer) => {
  const of = writer.instrument();
  if (!of) return undefined;
  const dated = writer
    .factsOf(of.symbol, 'close')
    .filter(({ day }) => day?.length === 10)
    .toSorted((one, other) => ((one.day ?? '') < (other.day ?? '') ? -1 : 1));
  const [from, to] = [dated[0], dated.at(-1)];
  const [start, end] = [writer.value(from, EXACT), writer.value(to, EXACT)];
  if (!from || !to || !start || !end || from.day === undefined || to.day === undefined || from.day === to.day)
    return undefined;
  const percent = (valueOf(end.printed) / valueOf(start.printed) - 1) * 100;
  const result = Math.abs(percent) < 0.2 ? undefined : derived(writer, percent, '%', to);
  if (!result) return undefined;
  const isUp = percent > 0;
  const direction = (up: string, down: string) => (isUp ? up : down);
  const name = writer.name(of);
  const [first, last] = [writer.day(from.day), writer.day(to.day)];
  return writer.isKorean
    ? say`${topic(name, ['은', '는'])} ${first} 종가 ${start}에서 ${last} 종가 ${end}까지 ${result} ${direction('올랐습니다', '내렸습니다')}.`
    : say`${name} went from a close of ${start} on ${first} to a close of ${end} on ${last}, ${direction('a gain of', 'a loss of')} ${result}.`;
};

/** A price in another currency, at a rate that the answer gives. */
export const inWon: Claim = (writer) => {
  const of = writer.instrument(({ currency }) => currency === 'USD');
  const rateFact = writer.session.facts.findLast(
    ({ metric, entity }) =>
      (metric === 'exchangeRate' && entity === 'USD/KRW') || (metric === 'price' && entity === 'USDKRW=X'),
  );
  const priceFact = of && writer.factOf(of.symbol, 'price');
  const [price, rate] = [writer.value(priceFact, EXACT), writer.value(rateFact, EXACT)];
  if (!of || !priceFact || !price || !rate) return undefined;
  const result = derived(writer, valueOf(price.printed) * valueOf(rate.printed), 'KRW', priceFact);
  if (!result) return undefined;
  const name = writer.name(of);
  return writer.isKorean
    ? say`${topic(name, ['은', '는'])} 현재 ${behind(price, ['이고', '이고'])}, 환율 ${behind(rate, ['을', '를'])} 적용하면 ${result}입니다.`
    : say`${name} trades at ${price}; at an exchange rate of ${rate} that is ${result}.`;
};

/** How far the price is above its low of the year. */
export const aboveLow: Claim = (writer) => {
  const of = writer.share();
  if (!of) return undefined;
  const [now, low] = ['price', 'yearLow'].map((metric) => writer.factOf(of.symbol, metric));
  const [price, bottom] = [writer.value(now, EXACT), writer.value(low, EXACT)];
  if (!now || !price || !bottom) return undefined;
  const percent = (valueOf(price.printed) / valueOf(bottom.printed) - 1) * 100;
  const result = percent < 1 ? undefined : derived(writer, percent, '%', now);
  if (!result) return undefined;
  const name = writer.name(of);
  return writer.isKorean
    ? say`${topic(name, ['은', '는'])} 현재 ${behind(price, ['으로', '로'])} 52주 최저가 ${bottom}보다 ${result} 높습니다.`
    : say`At ${price}, ${name} is ${result} above its 52-week low of ${bottom}.`;
};
