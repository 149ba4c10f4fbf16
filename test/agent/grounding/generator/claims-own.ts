import type { Fact } from '#src/kernel/market/fact.ts';
import { say } from './draft.ts';
import { GAINS } from './words.ts';
import { behind, type Claim, topic, type Writer } from './writer.ts';

const isPortfolio = ({ entity }: Fact): boolean => entity.startsWith('portfolio:');

const held = (writer: Writer) =>
  writer.instrument(({ symbol }) => writer.factOf(symbol, 'averageCost') !== undefined);

/** A holding: quantity, average cost, value. */
export const holding: Claim = (writer) => {
  const of = held(writer);
  if (!of) return undefined;
  const { chances } = writer;
  const name = writer.name(of);
  const [quantity, cost, value] = ['quantity', 'averageCost', 'marketValue'].map((metric) =>
    writer.value(writer.factOf(of.symbol, metric)),
  );
  if (!quantity || !cost || !value) return undefined;
  if (writer.isKorean)
    return chances.pick([
      say`${name} ${behind(quantity, ['을', '를'])} 평균 단가 ${cost}에 보유하고 계시며 평가금액은 ${value}입니다.`,
      say`${name}: ${quantity} · 평단가 ${cost} · 평가액 ${value}`,
      say`보유하신 ${name}의 평균 매입가는 ${cost}입니다.`,
    ]);
  return chances.pick([
    say`You hold ${quantity} of ${name} at an average cost of ${cost}, worth ${value}.`,
    say`${name}: ${quantity}, average cost ${cost}, market value ${value}`,
    say`Your average cost for ${name} is ${cost}.`,
  ]);
};

const gainWord = ({ chances, locale }: Writer, fact: Fact) => {
  const [up, down] = chances.pick(GAINS[locale]);
  return Number(fact.value) > 0 ? up : down;
};

/** What a holding or the portfolio has gained. */
export const gain: Claim = (writer) => {
  const of = held(writer);
  if (!of) return undefined;
  const { chances } = writer;
  const name = writer.name(of);
  const [sum, percent] = ['unrealisedGain', 'unrealisedGainPercent'].map((metric) =>
    writer.factOf(of.symbol, metric),
  );
  if (!sum || !percent || Number(sum.value) === 0) return undefined;
  const [signedSum, signedPercent] = [writer.signed(sum), writer.signed(percent)];
  const unsigned = writer.value(sum, { sign: '' });
  if (!signedSum || !signedPercent || !unsigned) return undefined;
  const direction = gainWord(writer, sum);
  return writer.isKorean
    ? chances.pick([
        say`${name}의 평가손익은 ${signedSum}(${signedPercent})입니다.`,
        say`${name}에서 ${unsigned}의 ${direction}을 보고 계십니다.`,
      ])
    : chances.pick([
        say`${name}'s unrealized P&L is ${signedSum} (${signedPercent}).`,
        say`You have an unrealized ${direction} of ${unsigned} on ${name}.`,
      ]);
};

const TOTALS: readonly (readonly [metric: string, ko: string, en: string])[] = [
  ['totalValue', '총 평가금액', 'total value'],
  ['cashValue', '현금', 'cash'],
  ['unrealisedGain', '평가손익', 'unrealized gain'],
  ['unrealisedGainPercent', '평가손익률', 'unrealized return'],
  ['realisedGain', '실현손익', 'realized gain'],
  ['dividends', '배당금', 'dividends received'],
  ['sharpe', '샤프 지수', 'Sharpe ratio'],
  ['largestShare', '최대 비중', 'largest position'],
  ['timeWeightedReturn', '시간가중수익률', 'time-weighted return'],
  ['maxDrawdown', '최대 낙폭', 'maximum drawdown'],
];

/** The portfolio as a whole. */
export const total: Claim = (writer) => {
  const { chances, session } = writer;
  const own = session.facts.filter(isPortfolio);
  const [metric, ko, en] = chances.pick(TOTALS);
  const fact = own.findLast((each) => each.metric === metric);
  const slot = writer.value(fact);
  if (!slot) return undefined;
  return writer.isKorean
    ? chances.pick([
        say`포트폴리오의 ${topic(ko, ['은', '는'])} ${slot}입니다.`,
        say`내 포트폴리오 ${ko}: ${slot}`,
      ])
    : chances.pick([say`Your portfolio's ${en} is ${slot}.`, say`Portfolio – ${en}: ${slot}`]);
};

/** A conversion, with its rate or without. */
export const conversion: Claim = (writer) => {
  const { chances, session } = writer;
  const fact = chances.maybePick(session.facts.filter(({ metric }) => metric === 'converted'));
  const [from = ''] = fact?.entity.split('/') ?? [];
  const [given] = fact?.operands ?? [fact?.parameter ?? ''];
  const amount = Number.parseFloat(given ?? '');
  const slot = writer.value(fact);
  if (!fact || !slot || !Number.isFinite(amount)) return undefined;
  const written = writer.value({ ...fact, value: String(amount), unit: from }, { within: 0 });
  const rate = session.facts.findLast(
    ({ metric, entity }) => metric === 'exchangeRate' && entity === fact.entity,
  );
  const rateSlot = writer.value(rate);
  if (!written) return undefined;
  if (writer.isKorean)
    return chances.pick([
      say`${behind(written, ['은', '는'])} ${slot}입니다.`,
      say`${behind(written, ['을', '를'])} 환산하면 ${behind(slot, ['이에요', '예요'])}.`,
      ...(rateSlot ? [say`환율 ${rateSlot} 기준으로 ${behind(written, ['은', '는'])} ${slot}입니다.`] : []),
    ]);
  return chances.pick([
    say`${written} is ${slot}.`,
    say`${written} converts to ${slot}.`,
    ...(rateSlot ? [say`At a rate of ${rateSlot}, ${written} comes to ${slot}.`] : []),
  ]);
};

/** The result of a calculation. */
export const calculation: Claim = (writer) => {
  const { chances, session } = writer;
  const fact = chances.maybePick(session.facts.filter(({ metric }) => metric === 'calculation'));
  const slot = writer.value(fact);
  if (!slot) return undefined;
  return writer.isKorean
    ? chances.pick([say`계산 결과는 ${slot}입니다.`, say`계산하면 ${slot}이 나옵니다.`])
    : chances.pick([say`The result is ${slot}.`, say`That works out to ${slot}.`]);
};
