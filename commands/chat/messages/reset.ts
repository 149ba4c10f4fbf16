import { localized } from '#src/kernel/locale.ts';

/** `/reset`. */
const resetEn = {
  done: () => 'This conversation starts over; I no longer use what was said before.',
  doneBy: (p: { readonly name: string }) =>
    `${p.name} started this conversation over; I no longer use what was said before.`,
  notTakenPart: () =>
    'Only people who took part in this conversation, and server admins, can start it over. Ask one of them to send `/reset`.',
  managersOnly: () =>
    'This conversation is shared by the whole channel. Only server admins and bot administrators can start it over: please ask one of them.',
  notYours: () =>
    'Somebody else has an answer under way here, or a question that is not decided yet. Only a bot administrator or a server admin can start this conversation over now.',
  nothing: () => 'There was nothing to reset: this conversation is already empty.',
};

const resetKo: typeof resetEn = {
  done: () => '대화를 초기화했습니다. 이전 내용은 더 이상 참고하지 않습니다.',
  doneBy: (p) => `${p.name} 님이 대화를 초기화했습니다. 이전 내용은 더 이상 참고하지 않습니다.`,
  notTakenPart: () =>
    '이 대화에 참여한 사람이나 서버 관리자만 초기화할 수 있습니다. 그분들께 `/reset` 을 요청해 주세요.',
  managersOnly: () =>
    '채널 전체가 함께 쓰는 대화입니다. 서버(워크스페이스) 관리자나 봇 관리자만 초기화할 수 있으니 그분들께 요청해 주세요.',
  notYours: () =>
    '다른 분의 질문에 답변하는 중이거나 승인을 기다리는 요청이 있습니다. 지금은 봇 관리자나 서버 관리자만 이 대화를 초기화할 수 있습니다.',
  nothing: () => '초기화할 내용이 없습니다. 이미 새 대화입니다.',
};

export const resetMessages = localized({ en: resetEn, ko: resetKo });
