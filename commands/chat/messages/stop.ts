import { localized } from '#src/kernel/locale.ts';

/** `/stop`. */
const stopEn = {
  done: () => 'I stopped the answer.',
  nothing: () => 'There is nothing to stop: no answer is under way.',
  notYours: () => 'Only the person who asked, or an administrator, can stop this answer.',
  gaveUp: (p: { readonly count: number }) =>
    `I gave up what was waiting for a decision (${p.count.toLocaleString('en-US')}); it will not be done.`,
  waitsForOthers: () =>
    'No answer is under way. What waits for a decision here can be given up only by the person who asked, or by an administrator.',
};

const stopKo: typeof stopEn = {
  done: () => '답변을 중단했습니다.',
  nothing: () => '지금 진행 중인 답변이 없습니다.',
  notYours: () => '이 답변은 질문하신 분이나 관리자만 중단할 수 있습니다.',
  gaveUp: (p) =>
    `결정을 기다리던 작업 ${p.count.toLocaleString('ko-KR')}건을 취소했습니다. 이 작업은 하지 않습니다.`,
  waitsForOthers: () =>
    '지금 진행 중인 답변이 없습니다. 결정을 기다리는 작업은 요청하신 분이나 관리자만 취소할 수 있습니다.',
};

export const stopMessages = localized({ en: stopEn, ko: stopKo });
