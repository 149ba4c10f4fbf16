import { localized } from '#src/kernel/locale.ts';
import type { AssetClass } from '#src/kernel/market/finance.ts';

interface Searched {
  readonly query: string;
}

const kindsEn: Readonly<Record<AssetClass, string>> = {
  equity: 'stock',
  etf: 'ETF',
  crypto: 'coin',
  fx: 'currency pair',
  index: 'index',
  rate: 'interest rate',
  commodity: 'commodity',
};

const kindsKo: typeof kindsEn = {
  equity: '주식',
  etf: 'ETF',
  crypto: '코인',
  fx: '환율',
  index: '지수',
  rate: '금리',
  commodity: '원자재',
};

/** Messages of the symbol search, in both languages. */
const symbolsEn = {
  kinds: kindsEn,
  usage: () => 'What are you looking for? Give a part of a name or a code, for example `/search hynix`.',
  hits: (p: Searched & { readonly count: number }) =>
    p.count === 1 ? `**"${p.query}"** is:` : `**"${p.query}"**: ${p.count} matches, the best first.`,
  /** Said if only similar names exist. */
  similar: (p: Searched) => `Nothing is called "${p.query}". Similar names:`,
  nothing: (p: Searched) =>
    `I found nothing for "${p.query}". Try a shorter part of the name, or the code (for example \`005930\` or \`AAPL\`).`,
  searching: (p: Searched) => `Searching for ${p.query}…`,
};

const symbolsKo: typeof symbolsEn = {
  kinds: kindsKo,
  usage: () => '무엇을 찾으시나요? 이름이나 코드의 일부를 적어 주세요. 예: `/search 하이닉스`',
  hits: (p) =>
    p.count === 1
      ? `**"${p.query}"** 검색 결과입니다.`
      : `**"${p.query}"** 검색 결과 ${p.count}개입니다. 가까운 것부터 보여 드립니다.`,
  similar: (p) => `"${p.query}"(이)라는 종목은 없습니다. 비슷한 이름입니다.`,
  nothing: (p) =>
    `"${p.query}"에 맞는 종목을 찾지 못했습니다. 이름을 더 짧게 적거나 코드(예: \`005930\`, \`AAPL\`)로 찾아 주세요.`,
  searching: (p) => `${p.query} 종목 검색 중…`,
};

export const symbolTexts = localized({ en: symbolsEn, ko: symbolsKo });
