import type { Range } from './layout.ts';

/** `네, 삼성전자는 현재 20만 원입니다`: the sentence says it of now. */
const OF_NOW = /현재|지금|오늘|^\s*(?:네|예|맞)(?![가-힣])|맞(?:습니다|아요)/u;
const STATED_AFTER = /^\s?(?:입니다|이에요|예요|이고|이며|인데|에\s?(?:거래|마감))/u;
/** `Yes, Apple is currently trading at $300`. */
const STATED_BEFORE =
  /(?:\btrad(?:ing|es) at|\bis (?:currently |now )?(?:at|priced at|worth)|\bclosed at|\bprice (?:is|of)) (?:about |around )?$/iu;
/** `20만 원에 거래되고 있습니다` says that it is so now. */
const TRADED_AFTER = /^\s?에\s?거래되고\s?있/u;
/** `투자금은 1,000만 원입니다`: what somebody paid, invested or ordered is no price. */
const OF_MONEY =
  /투자|원금|예산|예수금|현금|금액|매수|매입|평단|단가|주문|수수료|invest|budget|\bcash\b|\bcost|\bpaid\b|\border\b|\bstake\b|\bposition\b/iu;
const REACH = 40;

/** Whether a sentence says of a number of the person that it is so now. To repeat what they paid or plan is no such thing. */
export const isConfirmed = (text: string, sentence: Range, { start, end }: Range): boolean => {
  const before = text.slice(sentence.start, start);
  const after = text.slice(end, end + REACH);
  if (OF_MONEY.test(before)) return false;
  return (
    TRADED_AFTER.test(after) ||
    STATED_BEFORE.test(before.slice(-REACH)) ||
    (OF_NOW.test(before) && STATED_AFTER.test(after))
  );
};
