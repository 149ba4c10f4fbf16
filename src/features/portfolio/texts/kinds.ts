export interface Named {
  readonly name: string;
}

interface TradeParams extends Named {
  readonly quantity: string;
  readonly price: string;
  readonly total: string;
}

interface SplitParams extends Named {
  readonly isReverse: boolean;
  readonly before: string;
  readonly after: string;
}

export interface AmountParams {
  readonly amount: string;
}

/** `name` is empty for a tax of the account. */
interface TaxParams extends AmountParams, Named {
  readonly isRefund: boolean;
}

/** `quantity` is empty if the fraction is unknown. */
interface LieuParams extends AmountParams, Named {
  readonly quantity: string;
}

interface PiecesParams extends Named {
  readonly quantity: string;
}

/** `amount` is empty for shares, and name and quantity for money. */
interface TransferParams extends PiecesParams, AmountParams {
  readonly other: string;
}

const movedEn = (p: TransferParams): string => (p.amount === '' ? `${p.quantity} ${p.name}` : p.amount);
const movedKo = (p: TransferParams): string => (p.amount === '' ? `${p.name} ${p.quantity}` : p.amount);

interface ExchangeParams extends Named {
  /** Empty if none were given up. */
  readonly quantity: string;
  readonly toName: string;
  readonly toQuantity: string;
  /** Empty for a merger. */
  readonly percent: string;
  /** Money received besides; empty if none. */
  readonly amount: string;
}

const exchangedEn = (p: ExchangeParams): string =>
  `${p.toQuantity} ${p.toName}${p.quantity === '' ? '' : ` for ${p.quantity} ${p.name}`}${p.percent === '' ? '' : `, ${p.percent}% of its cost`}${p.amount === '' ? '' : `, and ${p.amount}`}`;
const exchangedKo = (p: ExchangeParams): string =>
  `${p.name}${ofKo(p.quantity)} → ${p.toName} ${p.toQuantity}${p.percent === '' ? '' : `, 원가의 ${p.percent}%`}${p.amount === '' ? '' : `, 현금 ${p.amount}`}`;
const forEn = ({ quantity }: { readonly quantity: string }): string =>
  quantity === '' ? '' : ` for ${quantity}`;

const onEn = (name: string): string => (name === '' ? '' : ` on ${name}`);
const ofKo = (name: string): string => (name === '' ? '' : ` ${name}`);

/** Names of the kinds of entries, and an entry as one line. */
export const portfolioKindsEn = {
  /** As nouns within a sentence. */
  kinds: {
    buy: 'purchase',
    sell: 'sale',
    dividend: 'dividend',
    fee: 'fee',
    split: 'split',
    deposit: 'deposit',
    withdrawal: 'withdrawal',
    fx: 'exchange',
    interest: 'interest',
    tax: 'tax',
    'cash-in-lieu': 'cash in lieu',
    rights: 'rights or bonus issue',
    'spin-off': 'spin-off',
    merger: 'merger',
    'capital-return': 'return of capital',
    'transfer-out': 'transfer out',
    'transfer-in': 'transfer in',
  },
  /** A recorded entry. */
  entry: {
    buy: (p: TradeParams) => `Bought ${p.quantity} ${p.name} at ${p.price} = ${p.total}`,
    opening: (p: TradeParams) => `Held: ${p.quantity} ${p.name}, average ${p.price} = ${p.total}`,
    sell: (p: TradeParams) => `Sold ${p.quantity} ${p.name} at ${p.price} = ${p.total}`,
    dividend: (p: AmountParams & Named) => `Dividend of ${p.name}: ${p.amount} before tax`,
    fee: (p: AmountParams) => `Account fee: ${p.amount}`,
    split: (p: SplitParams) =>
      `${p.isReverse ? 'Reverse split' : 'Split'} of ${p.name}: ${p.before} → ${p.after}`,
    deposit: (p: AmountParams) => `Deposit: ${p.amount}`,
    withdrawal: (p: AmountParams) => `Withdrawal: ${p.amount}`,
    fx: (p: AmountParams & { readonly toAmount: string }) => `Exchanged ${p.amount} for ${p.toAmount}`,
    interest: (p: AmountParams) => `Interest: ${p.amount} before tax`,
    tax: (p: TaxParams) => `${p.isRefund ? 'Tax refund' : 'Tax'}${onEn(p.name)}: ${p.amount}`,
    'cash-in-lieu': (p: LieuParams) =>
      `Cash in lieu of ${p.quantity === '' ? 'a fraction' : p.quantity} of ${p.name}: ${p.amount}`,
    rights: (p: TradeParams) => `Rights issue of ${p.name}: ${p.quantity} at ${p.price} = ${p.total}`,
    bonus: (p: PiecesParams) => `Bonus issue of ${p.name}: ${p.quantity} at no cost`,
    'spin-off': (p: ExchangeParams) => `Spin-off from ${p.name}: ${exchangedEn(p)}`,
    merger: (p: ExchangeParams) => `Merger of ${p.name}: ${exchangedEn(p)}`,
    'capital-return': (p: LieuParams) => `Return of capital of ${p.name}${forEn(p)}: ${p.amount}`,
    'transfer-out': (p: TransferParams) => `Transfer to **${p.other}**: ${movedEn(p)}`,
    'transfer-in': (p: TransferParams) => `Transfer from **${p.other}**: ${movedEn(p)}`,
  },
  /** An entry that is not recorded yet. */
  plan: {
    buy: (p: TradeParams) => `Record a purchase: ${p.quantity} ${p.name} at ${p.price} = ${p.total}`,
    opening: (p: TradeParams) => `Record as held: ${p.quantity} ${p.name}, average ${p.price} = ${p.total}`,
    sell: (p: TradeParams) => `Record a sale: ${p.quantity} ${p.name} at ${p.price} = ${p.total}`,
    dividend: (p: AmountParams & Named) => `Record a dividend of ${p.name}: ${p.amount} before tax`,
    fee: (p: AmountParams) => `Record an account fee: ${p.amount}`,
    split: (p: SplitParams) =>
      `Record a ${p.isReverse ? 'reverse split' : 'split'} of ${p.name}: ${p.before} → ${p.after}`,
    deposit: (p: AmountParams) => `Record a deposit: ${p.amount}`,
    withdrawal: (p: AmountParams) => `Record a withdrawal: ${p.amount}`,
    fx: (p: AmountParams & { readonly toAmount: string }) =>
      `Record an exchange: ${p.amount} for ${p.toAmount}`,
    interest: (p: AmountParams) => `Record interest: ${p.amount} before tax`,
    tax: (p: TaxParams) => `Record a ${p.isRefund ? 'tax refund' : 'tax'}${onEn(p.name)}: ${p.amount}`,
    'cash-in-lieu': (p: LieuParams) =>
      `Record cash in lieu of ${p.quantity === '' ? 'a fraction' : p.quantity} of ${p.name}: ${p.amount}`,
    rights: (p: TradeParams) =>
      `Record a rights issue of ${p.name}: ${p.quantity} at ${p.price} = ${p.total}`,
    bonus: (p: PiecesParams) => `Record a bonus issue of ${p.name}: ${p.quantity} at no cost`,
    'spin-off': (p: ExchangeParams) => `Record a spin-off from ${p.name}: ${exchangedEn(p)}`,
    merger: (p: ExchangeParams) => `Record a merger of ${p.name}: ${exchangedEn(p)}`,
    'capital-return': (p: LieuParams) => `Record a return of capital of ${p.name}${forEn(p)}: ${p.amount}`,
    'transfer-out': (p: TransferParams) => `Record a transfer to **${p.other}**: ${movedEn(p)}`,
    'transfer-in': (p: TransferParams) => `Record a transfer from **${p.other}**: ${movedEn(p)}`,
  },
};

const entriesKo = (mark: '' | ' 기록'): typeof portfolioKindsEn.entry => ({
  buy: (p) => `매수${mark}: ${p.name} ${p.quantity} × ${p.price} = ${p.total}`,
  opening: (p) => `보유${mark}: ${p.name} ${p.quantity} × 평단 ${p.price} = ${p.total}`,
  sell: (p) => `매도${mark}: ${p.name} ${p.quantity} × ${p.price} = ${p.total}`,
  dividend: (p) => `배당${mark}: ${p.name} 세전 ${p.amount}`,
  fee: (p) => `계좌 수수료${mark}: ${p.amount}`,
  split: (p) => `${p.isReverse ? '병합' : '분할'}${mark}: ${p.name} ${p.before}주 → ${p.after}주`,
  deposit: (p) => `입금${mark}: ${p.amount}`,
  withdrawal: (p) => `출금${mark}: ${p.amount}`,
  fx: (p) => `환전${mark}: ${p.amount} → ${p.toAmount}`,
  interest: (p) => `이자${mark}: 세전 ${p.amount}`,
  tax: (p) => `${p.isRefund ? '세금 환급' : '세금'}${mark}:${ofKo(p.name)} ${p.amount}`,
  'cash-in-lieu': (p) => `단주대금${mark}: ${p.name}${ofKo(p.quantity)} ${p.amount}`,
  rights: (p) => `유상증자${mark}: ${p.name} ${p.quantity} × ${p.price} = ${p.total}`,
  bonus: (p) => `무상증자${mark}: ${p.name} ${p.quantity}`,
  'spin-off': (p) => `인적분할${mark}: ${exchangedKo(p)}`,
  merger: (p) => `합병${mark}: ${exchangedKo(p)}`,
  'capital-return': (p) => `자본 환급${mark}: ${p.name}${ofKo(p.quantity)} ${p.amount}`,
  'transfer-out': (p) => `이체${mark}: ${movedKo(p)} → **${p.other}**`,
  'transfer-in': (p) => `이체${mark}: **${p.other}** → ${movedKo(p)}`,
});

export const portfolioKindsKo: typeof portfolioKindsEn = {
  kinds: {
    buy: '매수',
    sell: '매도',
    dividend: '배당',
    fee: '수수료',
    split: '분할',
    deposit: '입금',
    withdrawal: '출금',
    fx: '환전',
    interest: '이자',
    tax: '세금',
    'cash-in-lieu': '단주대금',
    rights: '유·무상증자',
    'spin-off': '인적분할',
    merger: '합병',
    'capital-return': '자본 환급',
    'transfer-out': '이체 출고',
    'transfer-in': '이체 입고',
  },
  entry: entriesKo(''),
  plan: entriesKo(' 기록'),
};
