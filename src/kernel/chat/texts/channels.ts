import { localized } from '#src/kernel/locale.ts';

interface Decided {
  /** A mention or a name. */
  readonly who: string;
  /** A time in the platform's notation. */
  readonly when: string;
}

/** Messages that channels send themselves. */
const channelsEn = {
  approve: () => 'Approve',
  deny: () => 'Deny',
  approved: (p: Decided) => `✅ Approved by ${p.who}, ${p.when}`,
  denied: (p: Decided) => `⛔ Denied by ${p.who}, ${p.when}`,
  expired: (p: { readonly when: string }) => `⌛ Nobody decided in time, so it was not done (${p.when})`,
  givenUp: (p: { readonly when: string }) => `⏹ Given up, so it was not done (${p.when})`,
  /** For an interaction that a gate dropped silently. */
  notHere: () => 'I do not answer here. Please ask whoever runs this bot where you can use it.',
  notStored: () =>
    'I could not store your message just now, so it will not be answered. Please send it again.',
  /** For a message that somebody asks about in its menu. */
  nothingToRead: () => 'There is no text and no file in this message.',
  /** Posted in the chat when the answer went to the direct chat. */
  onlyForYou: () => 'I sent you the answer directly: it is for your eyes only.',
  directClosed: () =>
    'The answer is for your eyes only, and I cannot write to you directly. Please allow direct messages from me and ask again.',
  fileMissing: (p: { readonly name: string }) => `(The file ${p.name} could not be sent.)`,
  fileInDirect: (p: { readonly name: string }) => `(The file ${p.name} is in your direct messages with me.)`,
  formGone: () => 'This form is too old. Please call the command again.',
  refresh: () => 'Refresh',
  /** Two buttons below an answer. */
  goodAnswer: () => 'Good answer',
  badAnswer: () => 'Bad answer',
  /** For a button that has expired. */
  choiceGone: () => 'This button no longer works. Please ask again.',
  /** The two buttons of the question before something is deleted. */
  delete: () => 'Delete',
  keep: () => 'Keep it',
  /** For somebody who presses what would delete another person's. */
  notYourButton: () => 'This button is for the person who asked. Nothing was done.',
};

const channelsKo: typeof channelsEn = {
  approve: () => '승인',
  deny: () => '거절',
  approved: (p) => `✅ ${p.who} 님이 승인했습니다 (${p.when})`,
  denied: (p) => `⛔ ${p.who} 님이 거절했습니다 (${p.when})`,
  expired: (p) => `⌛ 시간 안에 결정이 없어 실행하지 않았습니다 (${p.when})`,
  givenUp: (p) => `⏹ 취소되어 실행하지 않았습니다 (${p.when})`,
  notHere: () => '여기서는 답하지 않습니다. 어디서 쓸 수 있는지 봇 운영자에게 물어봐 주세요.',
  notStored: () => '방금 메시지를 저장하지 못해 답할 수 없습니다. 다시 보내 주세요.',
  nothingToRead: () => '이 메시지에는 읽을 글이나 파일이 없습니다.',
  onlyForYou: () => '본인만 볼 수 있는 내용이라 다이렉트 메시지로 보냈습니다.',
  directClosed: () =>
    '본인만 볼 수 있는 내용인데 다이렉트 메시지를 보낼 수 없습니다. 저의 다이렉트 메시지를 허용한 뒤 다시 요청해 주세요.',
  fileMissing: (p) => `(${p.name} 파일을 보내지 못했습니다.)`,
  fileInDirect: (p) => `(${p.name} 파일은 다이렉트 메시지로 보냈습니다.)`,
  formGone: () => '양식이 너무 오래되었습니다. 명령을 다시 실행해 주세요.',
  refresh: () => '새로고침',
  goodAnswer: () => '좋은 답변',
  badAnswer: () => '아쉬운 답변',
  choiceGone: () => '이 버튼은 더 이상 쓸 수 없습니다. 다시 요청해 주세요.',
  delete: () => '삭제',
  keep: () => '그대로 두기',
  notYourButton: () => '요청하신 분만 누를 수 있는 버튼입니다. 아무것도 바뀌지 않았습니다.',
};

export const channelTexts = localized({ en: channelsEn, ko: channelsKo });
