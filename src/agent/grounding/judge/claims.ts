import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import { clauseStart, type Effect } from '#src/reading/claims/words.ts';
import { englishEffects } from '#src/reading/claims/english.ts';
import { koreanEffects } from '#src/reading/claims/korean.ts';

export interface Claim {
  readonly start: number;
  readonly end: number;
  readonly effect: ChangeReceipt['effect'];
}

/** People say `saved` of an alert and `set` of a note, so receipts cover the neighbours of what they say. */
const COVERED_BY: Readonly<Record<Effect, readonly Effect[]>> = {
  recorded: ['recorded', 'set', 'changed'],
  set: ['recorded', 'set', 'changed'],
  removed: ['removed', 'changed'],
  sent: ['sent'],
  changed: ['recorded', 'set', 'removed', 'sent', 'changed'],
};

const DONE_ALONE =
  /^[^\p{L}]*(?:(?:네|넵|예|좋아요|알겠습니다)[ ,.!]*)?(?:(?:all |it['’]s (?:all )?|that['’]s |and )?done|(?:it['’]s )?(?:recorded|logged|saved|added|deleted|removed|updated|sent)|(?:you['’]re |everything['’]s |everything is |it['’]s )?all set|(?:모두 |다 |전부 |요청 ?)?(?:완료(?:했어요|했습니다|됐어요|됐습니다|되었습니다|입니다|예요|요|)|다 됐(?:어요|습니다|어)))[^\p{L}]*$/iu;

const ALONE: readonly (readonly [RegExp, Effect])[] = [
  [/recorded|logged|saved|added/iu, 'recorded'],
  [/deleted|removed/iu, 'removed'],
  [/\bsent\b/iu, 'sent'],
];

/** What is asked claims nothing, but what stands before the question may. */
const statedPart = (sentence: string): string =>
  /[?？][^?？\p{L}\p{N}]{0,8}$/u.test(sentence) ? sentence.slice(0, clauseStart(sentence)) : sentence;

const QUOTED = /"[^"\n]{1,60}(?:"|$)|“[^“”\n]{1,60}”|「[^「」\n]{1,60}」|‘[^‘’\n]{1,60}’(?!\p{L})/gu;

const SENTENCE_END = /\n|(?<![.!?。！？…])[.!?。！？…]{1,8}(?=\s|["'”’)]|$)|(?<=[다요죠])[.!?](?=[가-힣])/gu;

const effectsIn = (sentence: string): readonly Effect[] => {
  if (!/\p{L}{2}/u.test(sentence) || /^\P{L}*noted\P{L}*$/iu.test(sentence)) return [];
  if (DONE_ALONE.test(sentence)) return [ALONE.find(([word]) => word.test(sentence))?.[1] ?? 'changed'];
  const stated = statedPart(sentence.replaceAll(QUOTED, (quoted) => `'${' '.repeat(quoted.length - 2)}'`));
  return [...koreanEffects(stated), ...englishEffects(stated)];
};

/** Every match is read with what stands around it, so a text without sentences must not be read as one. */
const MAX_SENTENCE = 300;

/** The sentences that claim a change is done, which no receipt of the turn confirms. */
export const falseClaimsIn = (text: string, done: readonly Effect[]): readonly Claim[] => {
  const claims: Claim[] = [];
  let from = 0;
  for (const end of [
    ...[...text.matchAll(SENTENCE_END)].map((each) => each.index + each[0].length),
    text.length,
  ]) {
    const written = text.slice(from, end);
    const start = from + written.length - written.trimStart().length;
    const sentence = written.trim().slice(0, MAX_SENTENCE);
    const effect = effectsIn(sentence).find(
      (each) => !COVERED_BY[each].some((other) => done.includes(other)),
    );
    if (effect) claims.push({ start, end: start + sentence.length, effect });
    from = end;
  }
  return claims;
};
