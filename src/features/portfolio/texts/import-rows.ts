import { counted, localized } from '#src/kernel/locale.ts';

interface Typed {
  readonly typed: string;
}

interface Reorganised {
  readonly name: string;
  readonly count: string;
  /** The company that was divided. */
  readonly old: string;
  readonly date: string;
}

const FIX_LINE = 'correct the line, or leave it out';

/** The reasons why a line of a file is not recorded. */
const importRowsEn = {
  'no-kind': () =>
    'It does not say what happened; write buy, sell, dividend, interest, tax, split, rights, deposit, withdrawal, fx or fee.',
  'unknown-kind': (p: Typed) =>
    `“${p.typed}” is not a kind of transaction that I know; write buy, sell, dividend, interest, tax, split, rights, deposit, withdrawal, fx or fee.`,
  'no-date': (p: Typed) => `“${p.typed}” is not a date; write it as 2026-11-13.`,
  'early-date': (p: Typed) => `“${p.typed}” is before 1970; check the year.`,
  'no-number': (p: Typed) => `“${p.typed}” is not a number; write it as 1234.50.`,
  formula: (p: Typed) => `“${p.typed}” is a formula, and formulas are not read; write the value itself.`,
  asset: (p: Typed) => `A portfolio here cannot hold “${p.typed}”; ${FIX_LINE}.`,
  sign: (p: { readonly kind: string }) => `A number has the wrong sign for a ${p.kind}; ${FIX_LINE}.`,
  'fee-currency': (p: Typed) =>
    `The fee is in ${p.typed}, another currency than the trade; record it as a fee of its own.`,
  columns: (p: { readonly count: number; readonly expected: number }) =>
    `It has ${counted(p.count, 'cell')}, but there are ${counted(p.expected, 'column heading')}; separate the cells with commas or tabs.`,
  'shares-in': () =>
    'Shares or coins came from another account, and the file does not say what they cost. From a portfolio of yours: `/portfolio transfer NAME QUANTITY from A to B DATE`, which takes the cost along; else `/portfolio add NAME QUANTITY PRICE DATE`.',
  'shares-out': () =>
    'Shares or coins went to another account; to a portfolio of yours: `/portfolio transfer NAME QUANTITY from A to B DATE`; else type `/portfolio sell NAME QUANTITY PRICE DATE` with what they cost.',
  option: () =>
    'Options and futures are not held here; to keep the cash right type `/portfolio deposit AMOUNT DATE` or `/portfolio withdraw AMOUNT DATE`.',
  bond: () =>
    'Bonds and repos are not held here; to keep the cash right type `/portfolio withdraw AMOUNT DATE` and, when it is paid back, `/portfolio deposit AMOUNT DATE`.',
  oldName: () => 'OLD',
  quantity: () => 'QUANTITY',
  reorganisation: {
    'spin-off': (p: Reorganised) =>
      `A spin-off, and the file does not say what part of the cost moves. The company publishes it (US: Form 8937; Korea: the ratio of the division); type it: \`/portfolio spin-off ${p.old} ${p.name} ${p.count} PERCENT% ${p.date}\`.`,
    merger: (p: Reorganised) =>
      `A merger of which the file says too little. Type it: \`/portfolio merger OLD QUANTITY NEW QUANTITY ${p.date}\`, with \`cash AMOUNT price PRICE\` if money came besides. If only money came: \`/portfolio sell ${p.name} ${p.count} PRICE ${p.date}\`.`,
    'capital-return': (p: Reorganised) =>
      `Shares that the company took back; type the money with them: \`/portfolio capital-return ${p.name} ${p.count} ${Number(p.count) === 1 ? 'share' : 'shares'} AMOUNT ${p.date}\`.`,
    rename: (p: Reorganised) =>
      `A change of name or of shares. If they became others, type it as a merger: \`/portfolio merger OLD QUANTITY NEW QUANTITY ${p.date}\`. Under the same name nothing is to be done.`,
  },
  cancelled: () =>
    'It cancels another line; leave both lines out of the file, or undo the entry with `/portfolio undo NUMBER`.',
  subscription: () =>
    'The lines on which the money of this subscription went out and came back do not add up to quantity × price; correct them or leave them out, and import the file again.',
  'fx-leg': () =>
    'The other side of this exchange is not in the file; type both: `/portfolio fx 1450000 KRW 1000 USD DATE`.',
  'split-leg': () =>
    'The other side of this split is not in the file; type the ratio: `/portfolio split NAME 5:1 DATE`.',
  'no-ratio': () =>
    'The ratio of the split is not known, because nothing is held before it; record the purchases first, or type it: `/portfolio split NAME 5:1 DATE`.',
  'no-currency': () =>
    'It does not say in which currency; add a column “currency” with its code, such as USD.',
  'amounts-apart': () =>
    'Quantity × price is not the amount, so they are perhaps in two currencies; fill in the amount in the currency of the price, or leave it out.',
  'dividend-costs': () =>
    'It does not say whether the costs of this dividend are a tax or a fee; record it by hand: `/portfolio dividend NAME AMOUNT tax AMOUNT DATE`.',
  'no-name': () => 'It does not say what was traded; fill in the symbol.',
  ambiguous: (p: Typed & { readonly choices: string }) =>
    `“${p.typed}” can be several: ${p.choices}; write the code of the one you mean.`,
  disagree: (p: Typed & { readonly choices: string }) =>
    `“${p.typed}”: its code, name and ISIN are not of one instrument (I know ${p.choices}); leave only the right one in the line.`,
  'money-column': (p: Typed) =>
    `I do not know what the column “${p.typed}” is about, and the line is in another currency; record it by hand, or delete that column if it does not matter.`,
  'unknown-name': (p: Typed & { readonly choices: string }) =>
    p.choices === ''
      ? `I do not know “${p.typed}”; write its code.`
      : `I do not know “${p.typed}”; did you mean ${p.choices}?`,
  'unchecked-name': (p: Typed) =>
    `“${p.typed}” was not looked up, because too many other names in the file are unknown; correct those first.`,
  'unchecked-line': () =>
    'It was not checked, because too many other lines do not fit; correct those, or import a shorter period.',
  'already-held': (p: { readonly name: string; readonly held: string }) =>
    `${p.name} is already recorded with another quantity (${p.held}). Record the difference with \`/portfolio add\` or \`/portfolio sell\`.`,
  'breaks-later': (p: { readonly date: string }) =>
    `With it the entry of ${p.date}, which is recorded, would not be possible any more; ${FIX_LINE}.`,
};

const LINE_FIX = '줄을 고치거나 빼 주세요';

const importRowsKo: typeof importRowsEn = {
  'no-kind': () =>
    '거래 종류가 없어요. 매수, 매도, 배당, 이자, 세금, 분할, 유상증자, 입금, 출금, 환전, 수수료 중 하나를 적어 주세요.',
  'unknown-kind': (p) =>
    `알 수 없는 거래 종류예요: “${p.typed}”. 매수, 매도, 배당, 이자, 세금, 분할, 유상증자, 입금, 출금, 환전, 수수료 중 하나로 적어 주세요.`,
  'no-date': (p) => `날짜로 읽을 수 없어요: “${p.typed}”. 2026-11-13처럼 적어 주세요.`,
  'early-date': (p) => `1970년 이전 날짜예요: “${p.typed}”. 연도를 확인해 주세요.`,
  'no-number': (p) => `숫자로 읽을 수 없어요: “${p.typed}”. 1234.50처럼 적어 주세요.`,
  formula: (p) => `수식은 읽지 않아요: “${p.typed}”. 값을 직접 적어 주세요.`,
  asset: (p) => `포트폴리오에 담을 수 없는 상품이에요: “${p.typed}”. ${LINE_FIX}.`,
  sign: (p) => `${p.kind} 거래인데 숫자의 부호가 맞지 않아요. ${LINE_FIX}.`,
  'fee-currency': (p) => `수수료의 통화(${p.typed})가 거래 통화와 달라요. 수수료를 따로 기록해 주세요.`,
  columns: (p) => `칸이 ${p.count}개인데 열 이름은 ${p.expected}개예요. 칸을 쉼표나 탭으로 나누어 주세요.`,
  'shares-in': () =>
    '다른 계좌에서 들어온 주식이나 코인인데 취득가가 파일에 없어요. 내 다른 포트폴리오에서 왔다면 `/portfolio 이체 종목 수량 A에서 B로 날짜`로 원가까지 옮기고, 아니면 `/portfolio 매수 종목 수량 단가 날짜`로 기록해 주세요.',
  'shares-out': () =>
    '다른 계좌로 나간 주식이나 코인이에요. 내 다른 포트폴리오로 갔다면 `/portfolio 이체 종목 수량 A에서 B로 날짜`로, 아니면 취득가로 `/portfolio 매도 종목 수량 단가 날짜`로 기록해 주세요.',
  option: () =>
    '옵션과 선물은 담을 수 없어요. 현금을 맞추시려면 `/portfolio 입금 금액 날짜` 또는 `/portfolio 출금 금액 날짜`로 기록해 주세요.',
  bond: () =>
    '채권과 RP는 담을 수 없어요. 현금을 맞추시려면 `/portfolio 출금 금액 날짜`로, 상환되면 `/portfolio 입금 금액 날짜`로 기록해 주세요.',
  oldName: () => '기존종목',
  quantity: () => '수량',
  reorganisation: {
    'spin-off': (p) =>
      `회사 분할인데 원가의 몇 %가 옮겨지는지 파일에 없어요. 회사가 공시한 분할 비율(미국은 Form 8937)로 기록해 주세요: \`/portfolio 인적분할 ${p.old} ${p.name} ${p.count}주 비율% ${p.date}\``,
    merger: (p) =>
      `합병인데 파일만으로는 알 수 없어요. \`/portfolio 합병 기존종목 수량 새종목 수량 ${p.date}\`로 기록해 주세요. 현금도 받으셨으면 \`현금 금액 가격 단가\`를 덧붙이고, 현금만 받으셨으면 \`/portfolio 매도 ${p.name} ${p.count}주 단가 ${p.date}\`로 기록해 주세요.`,
    'capital-return': (p) =>
      `회사가 주식을 거두어들인 내역이에요. 받은 금액과 함께 기록해 주세요: \`/portfolio 유상감자 ${p.name} ${p.count}주 금액 ${p.date}\``,
    rename: (p) =>
      `종목 변경이에요. 다른 종목으로 바뀌었다면 \`/portfolio 합병 기존종목 수량 새종목 수량 ${p.date}\`로 기록해 주세요. 이름만 바뀌었다면 그대로 두시면 돼요.`,
  },
  cancelled: () =>
    '다른 줄을 취소하는 줄이에요. 두 줄을 모두 빼시거나 `/portfolio undo 번호`로 기록을 되돌려 주세요.',
  subscription: () =>
    '이 청약의 대금이 나가고 돌아온 줄을 더하면 수량 × 단가와 맞지 않아요. 그 줄을 고치거나 빼고 다시 가져와 주세요.',
  'fx-leg': () =>
    '이 환전의 반대쪽 줄이 파일에 없어요. `/portfolio 환전 1450000 KRW 1000 USD 날짜`로 직접 기록해 주세요.',
  'split-leg': () =>
    '이 분할의 반대쪽 줄이 파일에 없어요. `/portfolio 분할 종목 5:1 날짜`로 비율을 기록해 주세요.',
  'no-ratio': () =>
    '분할 전 보유 수량이 없어 비율을 알 수 없어요. 매수부터 기록하시거나 `/portfolio 분할 종목 5:1 날짜`로 기록해 주세요.',
  'no-currency': () => '어느 통화인지 알 수 없어요. “통화” 열에 USD 같은 코드를 적어 주세요.',
  'amounts-apart': () =>
    '수량 × 단가가 금액과 달라 서로 다른 통화로 보여요. 금액을 단가와 같은 통화로 고치거나 빼 주세요.',
  'dividend-costs': () =>
    '이 배당의 비용이 세금인지 수수료인지 알 수 없어요. `/portfolio 배당 종목 금액 세금 금액 날짜`로 직접 기록해 주세요.',
  'no-name': () => '종목이 없어요. 종목코드를 적어 주세요.',
  ambiguous: (p) =>
    `“${p.typed}”에 해당하는 종목이 여럿이에요: ${p.choices}. 원하시는 종목의 코드를 적어 주세요.`,
  disagree: (p) =>
    `“${p.typed}”의 코드, 이름, ISIN이 같은 종목이 아니에요(아는 종목: ${p.choices}). 맞는 것만 남겨 주세요.`,
  'money-column': (p) =>
    `“${p.typed}” 열이 무엇인지 알 수 없고 거래 통화와도 달라요. 직접 기록하시거나, 필요 없는 열이면 지우고 다시 가져와 주세요.`,
  'unknown-name': (p) =>
    p.choices === ''
      ? `알 수 없는 종목이에요: “${p.typed}”. 종목코드를 적어 주세요.`
      : `알 수 없는 종목이에요: “${p.typed}”. 혹시 이 종목인가요? ${p.choices}`,
  'unchecked-name': (p) =>
    `파일에 알 수 없는 종목이 너무 많아 이 종목은 찾아보지 않았어요: “${p.typed}”. 다른 줄의 종목부터 고쳐 주세요.`,
  'unchecked-line': () =>
    '맞지 않는 줄이 너무 많아 이 줄은 확인하지 않았어요. 다른 줄부터 고치거나 기간을 나누어 가져와 주세요.',
  'already-held': (p) =>
    `이미 다른 수량으로 기록된 종목이에요: ${p.name} ${p.held}. 차이를 \`/portfolio 매수\`나 \`/portfolio 매도\`로 기록해 주세요.`,
  'breaks-later': (p) => `이 거래를 넣으면 이미 기록된 ${p.date} 거래가 성립하지 않아요. ${LINE_FIX}.`,
};

export const importRowTexts = localized({ en: importRowsEn, ko: importRowsKo });
