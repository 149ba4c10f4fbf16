import type { Instrument } from '#src/kernel/market/finance.ts';
import { joined, type Part, say } from './draft.ts';
import { plain } from './forms.ts';
import { behind, type Claim, predicate, topic, type Writer } from './writer.ts';

const COLUMNS: readonly (readonly [metric: string, ko: string, en: string])[] = [
  ['price', '현재가', 'Price'],
  ['changePercent', '등락률', 'Change'],
  ['volume', '거래량', 'Volume'],
  ['previousClose', '전일 종가', 'Previous close'],
  ['yearHigh', '52주 최고', '52-week high'],
  ['yearLow', '52주 최저', '52-week low'],
  ['marketCap', '시가총액', 'Market cap'],
  ['peTrailing', 'PER', 'P/E'],
  ['priceToBook', 'PBR', 'P/B'],
  ['dividendYield', '배당수익률', 'Dividend yield'],
  ['returnOnEquity', 'ROE', 'ROE'],
];

const SIGNED: ReadonlySet<string> = new Set(['changePercent', 'change']);

const cell = (writer: Writer, symbol: string, metric: string): readonly Part[] => {
  const slot = (SIGNED.has(metric) ? writer.signed : writer.value)(writer.factOf(symbol, metric));
  return slot ? [slot] : ['–'];
};

/** Units that stand in the head of a column instead of in each cell. */
const HEAD_UNITS: Readonly<Record<string, readonly [ko: string, en: string, decimals: number]>> = {
  KRW: ['(원)', '(KRW)', 0],
  USD: ['(달러)', '(USD)', 2],
  '%': ['(%)', '(%)', 2],
  x: ['(배)', '(x)', 2],
};

/** A table of bare numbers: each column has its unit in its head. */
export const bareTable: Claim = (writer) => {
  const [first, ...others] = writer.shares(4);
  const shares = first ? [first, ...others.filter(({ currency }) => currency === first.currency)] : [];
  if (shares.length < 2) return undefined;
  const columns = chosenColumns(writer, 3).flatMap((column) => {
    const facts = shares.map(({ symbol }) => writer.factOf(symbol, column[0]));
    const unit = facts.find((fact) => fact)?.unit ?? '';
    const [ko, en, decimals] = HEAD_UNITS[unit] ?? [];
    if (ko === undefined || decimals === undefined) return [];
    const form = plain(decimals, ['', '']);
    const head = `${label(writer, column)}${writer.isKorean ? ko : ` ${en}`}`;
    const isSigned = SIGNED.has(column[0]);
    const slots = facts.map((fact) => (isSigned ? writer.signed : writer.value)(fact, { form }));
    return slots.some((slot) => slot) ? [{ head, slots }] : [];
  });
  const head = row([[writer.isKorean ? '종목' : 'Company'], ...columns.map((column) => [column.head])]);
  const rows = shares.map((share, index) =>
    row([[writer.name(share)], ...columns.map(({ slots }): readonly Part[] => [slots[index] ?? '–'])]),
  );
  return columns.length === 0 ? undefined : tableOf([head, ...rows], columns.length + 1);
};

const row = (cells: readonly (readonly Part[])[]): readonly Part[] => ['| ', ...joined(cells, ' | '), ' |'];

const label = ({ isKorean }: Writer, [, ko, en]: (typeof COLUMNS)[number]): string => (isKorean ? ko : en);

const chosenColumns = ({ chances }: Writer, most: number) => {
  const [price, ...others] = COLUMNS;
  const some = chances.shuffled(others).slice(0, 1 + chances.below(most));
  return price ? [price, ...some] : some;
};

const tableOf = (rows: readonly (readonly Part[])[], columns: number): readonly Part[] => {
  const [head = [], ...rest] = rows;
  return joined([head, row(Array.from({ length: columns }, () => ['---'])), ...rest], '\n');
};

/** One row a company. */
export const companyTable: Claim = (writer) => {
  const shares = writer.shares(2 + writer.chances.below(3));
  if (shares.length < 2) return undefined;
  const columns = chosenColumns(writer, 3);
  const head = row([
    [writer.isKorean ? '종목' : 'Company'],
    ...columns.map((column) => [label(writer, column)]),
  ]);
  const rows = shares.map((share) =>
    row([[writer.name(share)], ...columns.map(([metric]) => cell(writer, share.symbol, metric))]),
  );
  const intro = writer.isKorean ? '요청하신 종목을 비교했습니다.\n\n' : 'Here is how they compare:\n\n';
  return [intro, ...tableOf([head, ...rows], columns.length + 1)];
};

/** One row a metric, one column a company. */
export const metricTable: Claim = (writer) => {
  const shares = writer.shares(1 + writer.chances.below(3));
  if (shares.length === 0) return undefined;
  const columns = chosenColumns(writer, 4);
  const head = row([[writer.isKorean ? '항목' : 'Metric'], ...shares.map((share) => [writer.name(share)])]);
  const rows = columns.map((column) =>
    row([[label(writer, column)], ...shares.map(({ symbol }) => cell(writer, symbol, column[0]))]),
  );
  return tableOf([head, ...rows], shares.length + 1);
};

const heading = (writer: Writer, share: Instrument): string =>
  writer.chances.pick([
    `### ${writer.name(share)}`,
    `**${writer.name(share)}**`,
    `## ${writer.name(share)}\n`,
  ]);

/** Bullets below the name of a company. */
export const bullets: Claim = (writer) => {
  const shares = writer.shares(1 + writer.chances.below(2));
  if (shares.length === 0) return undefined;
  const blocks = shares.map((share) => {
    const lines = chosenColumns(writer, 4).flatMap((column): readonly (readonly Part[])[] => {
      const parts = cell(writer, share.symbol, column[0]);
      const isBold = writer.chances.happens(0.4);
      const name = label(writer, column);
      return parts[0] === '–' ? [] : [say`- ${isBold ? `**${name}**` : name}: ${parts}`];
    });
    return joined([[heading(writer, share)], ...lines], '\n');
  });
  return joined(blocks, '\n\n');
};

/** Two companies and two numbers. */
export const respectively: Claim = (writer) => {
  const [one, other] = writer.shares(2);
  if (!one || !other) return undefined;
  const metric = writer.chances.pick(['price', 'marketCap', 'peTrailing', 'yearHigh', 'volume']);
  const [first, second] = [one, other].map(({ symbol }) => writer.value(writer.factOf(symbol, metric)));
  if (!first || !second) return undefined;
  const [name, otherName, word] = [writer.name(one), writer.name(other), writer.word(metric)];
  return writer.isKorean
    ? writer.chances.pick([
        say`${topic(name, ['과', '와'])} ${otherName}의 ${topic(word, ['은', '는'])} 각각 ${first}, ${second}입니다.`,
        say`${name}, ${otherName}의 ${topic(word, ['은', '는'])} 각각 ${behind(first, ['과', '와'])} ${second}입니다.`,
      ])
    : writer.chances.pick([
        say`The ${word} of ${name} and ${otherName} is ${first} and ${second}, respectively.`,
        say`${name} and ${otherName} have a ${word} of ${first} and ${second} respectively.`,
      ]);
};

/** A numbered list of prices. */
export const ranking: Claim = (writer) => {
  const shares = writer.shares(2 + writer.chances.below(3));
  const lines = shares.map((share, index) => {
    const price = cell(writer, share.symbol, 'price');
    const change = cell(writer, share.symbol, 'changePercent');
    return say`${String(index + 1)}. ${writer.name(share)}: ${price} (${change})`;
  });
  return lines.length < 2 ? undefined : joined(lines, '\n');
};

/** Two companies against each other in one sentence. */
export const contrast: Claim = (writer) => {
  const [one, other] = writer.shares(2);
  if (!one || !other) return undefined;
  const changes = [one, other].map(({ symbol }) => writer.directed(writer.factOf(symbol, 'changePercent')));
  const [first, second] = changes;
  if (!first || !second) return undefined;
  const [name, otherName] = [writer.name(one), writer.name(other)];
  return writer.isKorean
    ? say`${topic(name, ['은', '는'])} 전일 대비 ${first}. 반면 ${topic(otherName, ['은', '는'])} ${second}.`
    : say`${name} ${predicate(first)} today, while ${otherName} ${predicate(second)}.`;
};
