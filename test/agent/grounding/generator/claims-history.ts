import type { Fact } from '#src/kernel/market/fact.ts';
import { say } from './draft.ts';
import { behind, type Claim, predicate, topic, type Writer } from './writer.ts';
import { PERIOD_WORDS } from './words.ts';

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/u;

const isDated = ({ day }: Fact): boolean => day !== undefined && ISO_DAY.test(day);
const hasPeriod = ({ period }: Fact): boolean => period !== undefined && PERIOD_WORDS[period] !== undefined;

const periodWord = ({ chances, locale }: Writer, { period = '' }: Fact): string =>
  chances.pick(PERIOD_WORDS[period]?.[locale] ?? [period]);

/** The close of one day. */
export const close: Claim = (writer) => {
  const of = writer.instrument();
  const fact = of && writer.chances.maybePick(writer.factsOf(of.symbol, 'close').filter(isDated));
  const slot = writer.value(fact);
  if (!of || !slot || fact?.day === undefined) return undefined;
  const { chances, session } = writer;
  const name = writer.name(of);
  const day = writer.day(fact.day);
  const isYesterday = session.evidence.today.subtract({ days: 1 }).equals(Temporal.PlainDate.from(fact.day));
  if (writer.isKorean)
    return chances.pick([
      say`${name}의 ${day} 종가는 ${slot}입니다.`,
      say`${day}에 ${topic(name, ['은', '는'])} ${behind(slot, ['으로', '로'])} 마감했습니다.`,
      say`${name} ${day} 종가: ${slot}`,
      say`${topic(name, ['은', '는'])} ${day} ${slot}에 장을 마쳤습니다.`,
      ...(isYesterday ? [say`어제 ${name}의 종가는 ${slot}입니다.`] : []),
    ]);
  return chances.pick([
    say`${name} closed at ${slot} on ${day}.`,
    say`On ${day}, ${name} finished at ${slot}.`,
    say`${name}'s close on ${day} was ${slot}.`,
    say`${name} – ${day} close: ${slot}`,
    ...(isYesterday ? [say`${name} closed at ${slot} yesterday.`] : []),
  ]);
};

/** The closes of several days, one a line. */
export const closes: Claim = (writer) => {
  const of = writer.instrument();
  if (!of) return undefined;
  const facts = new Map(
    writer
      .factsOf(of.symbol, 'close')
      .filter(isDated)
      .map((fact) => [fact.day, fact]),
  );
  if (facts.size < 2) return undefined;
  const name = writer.name(of);
  const lines = writer.chances
    .shuffled([...facts.values()])
    .slice(0, 4)
    .toSorted((one, other) => ((one.day ?? '') < (other.day ?? '') ? -1 : 1))
    .flatMap((fact) => {
      const slot = writer.value(fact);
      return slot ? say`\n- ${writer.day(fact.day ?? '')}: ${slot}` : [];
    });
  return [...(writer.isKorean ? say`**${name}** 종가 추이` : say`**${name}** closing prices`), ...lines];
};

/** Highs and lows of a period, some with their days. */
export const extremes: Claim = (writer) => {
  const of = writer.instrument();
  const high = of && writer.chances.maybePick(writer.factsOf(of.symbol, 'periodHigh').filter(hasPeriod));
  const same = (metric: string): Fact | undefined =>
    of && writer.factsOf(of.symbol, metric).find(({ period }) => period === high?.period);
  const [lowFact, highDay] = [same('periodLow'), same('periodHighDay')];
  const [top, bottom] = [writer.value(high), writer.value(lowFact)];
  if (!of || !high || !top || !bottom) return undefined;
  const { chances } = writer;
  const name = writer.name(of);
  const over = periodWord(writer, high);
  const at = highDay && ISO_DAY.test(highDay.value) ? writer.day(highDay.value) : undefined;
  if (writer.isKorean)
    return chances.pick([
      say`${name}의 ${over} 최고가는 ${top}, 최저가는 ${bottom}입니다.`,
      say`${topic(name, ['은', '는'])} ${over} ${bottom} ~ ${top} 범위에서 움직였습니다.`,
      ...(at ? [say`${name}의 ${over} 고점은 ${at}의 ${top}입니다.`] : []),
    ]);
  return chances.pick([
    say`${name} reached a high of ${top} and a low of ${bottom} ${over}.`,
    say`${name} ranged from ${bottom} to ${top} ${over}.`,
    ...(at ? [say`${name}'s high ${over} was ${top} on ${at}.`] : []),
  ]);
};

/** The change over a period. */
export const performance: Claim = (writer) => {
  const of = writer.instrument();
  const fact = of && writer.chances.maybePick(writer.factsOf(of.symbol, 'changePercent').filter(hasPeriod));
  const directed = writer.directed(fact);
  const signed = writer.signed(fact);
  if (!of || !fact || !directed || !signed) return undefined;
  const { chances } = writer;
  const name = writer.name(of);
  const over = periodWord(writer, fact);
  if (writer.isKorean)
    return chances.pick([
      say`${topic(name, ['은', '는'])} ${over} ${directed}.`,
      say`${name}의 ${over} 수익률은 ${signed}입니다.`,
      say`${name} ${over} 등락률: ${signed}`,
    ]);
  return chances.pick([
    say`${name}: ${signed} ${over}`,
    say`${name}'s return ${over} is ${signed}.`,
    say`${name} ${predicate(directed)} ${over}.`,
  ]);
};

/** Risk figures of a comparison. */
export const risk: Claim = (writer) => {
  const of = writer.share();
  if (!of) return undefined;
  const { chances } = writer;
  const fact = chances.maybePick(
    writer.factsOf(of.symbol, 'volatility', 'maxDrawdown', 'averageVolume').filter(hasPeriod),
  );
  if (!fact) return undefined;
  const isFall = fact.metric === 'maxDrawdown';
  const slot = writer.value(fact, isFall && chances.happens(0.4) ? { sign: '' } : undefined);
  if (!slot) return undefined;
  const name = writer.name(of);
  const over = periodWord(writer, fact);
  const words: Readonly<Record<string, readonly [ko: string, en: string]>> = {
    volatility: ['변동성(연환산)', 'annualized volatility'],
    maxDrawdown: ['최대 낙폭', 'maximum drawdown'],
    averageVolume: ['평균 거래량', 'average volume'],
  };
  const [ko, en] = words[fact.metric] ?? ['', ''];
  return writer.isKorean
    ? say`${name}의 ${over} ${topic(ko, ['은', '는'])} ${slot}입니다.`
    : say`${name}'s ${en} ${over} is ${slot}.`;
};

/** How two move together. */
export const correlation: Claim = (writer) => {
  const fact = writer.chances.maybePick(
    writer.session.facts.filter(({ metric }) => metric === 'correlation'),
  );
  const both = fact?.entity.split('/') ?? [];
  const [one, other] = both.map((symbol) =>
    writer.session.instruments.find((each) => each.symbol === symbol),
  );
  const slot = writer.value(fact);
  if (!one || !other || !slot) return undefined;
  return writer.isKorean
    ? say`${topic(writer.name(one), ['과', '와'])} ${writer.name(other)}의 상관계수는 ${slot}입니다.`
    : say`The correlation between ${writer.name(one)} and ${writer.name(other)} is ${slot}.`;
};
