import { counted, localized } from '#src/kernel/locale.ts';

interface Code {
  readonly code: string;
}

interface Others {
  readonly others: string;
}

interface Split extends Others {
  /** Portfolio names, joined. */
  readonly takes?: string | undefined;
  readonly leaves?: string | undefined;
}

const ko = (count: number): string => count.toLocaleString('ko-KR');

/** Linked identities, for `/link`. */
const identityEn = {
  terminal: () => 'the person at my terminal',
  code: (p: Code & { readonly minutes: number }) =>
    `Your code: \`${p.code}\`. Within ${counted(p.minutes, 'minute')}, DM me on the other platform: **/link ${p.code}**. Then both share your portfolios, alerts, watchlist and briefings.`,
  tellNobody: () =>
    'Don’t share this code, and never enter one that someone gave you: a linked account sees and changes what is yours.',
  linkedWith: (p: Others) => `You are linked with ${p.others}. \`/link off\` takes this platform out again.`,
  directOnly: () => 'I show the code in our direct chat only. Please send `/link` there.',
  readByOthers: () =>
    'Others could read that code, so it is void now. Get a new one with `/link` on the other platform and DM it to me.',
  confirmLink: (p: { readonly other: string; readonly also?: string | undefined; readonly owned: string }) =>
    [
      `Link this account with ${p.other}${p.also === undefined ? '' : `, which is linked with ${p.also}`}?`,
      `**Shared from then on**, for both to see and change: portfolios, alerts, watchlist and briefings (yours now: ${p.owned}).`,
      '**Not shared:** your messages and my answers, conversations, profile, reminders and usage.',
      'Say yes only if that account is your own. If somebody sent you the code, say no.',
    ].join('\n'),
  confirmLinkTyped: (p: Code) => `To link it, send \`/link ${p.code} --yes\`; to decline, \`/link no\`.`,
  confirmLinkButton: () => 'Yes, it’s mine: link it',
  declineButton: () => 'No',
  declined: () => 'Nothing was linked, and the code no longer works.',
  nothingToDecline: () => 'No link is waiting for your answer.',
  full: (p: { readonly limit: string }) =>
    `Nothing was linked, because the portfolios of both accounts would have more than ${counted(p.limit, 'entry', 'entries')} together. Save an old portfolio with \`/portfolio export --in=name\`, delete it with \`/portfolio delete name\`, and link again.`,
  changed: () => 'What would be linked has changed. Please look again:',
  otherLinked: (p: { readonly other: string }) =>
    `Linked with ${p.other}, who used your code. Portfolios, alerts, watchlist and briefings are shared now, messages are not. Not your account? Send \`/link off\` at once.`,
  otherLeft: (p: { readonly other: string }) =>
    `${p.other} is no longer linked with you. The portfolios stay with you, both keep the watchlist, and each keeps the alerts and briefings that were set there.`,
  otherLeftWith: (p: { readonly other: string; readonly portfolios: string }) =>
    `${p.other} is no longer linked with you and kept the portfolios created there: ${p.portfolios}. Everything else stays with you; both keep the watchlist.`,
  otherDeleted: (p: { readonly other: string }) =>
    `${p.other} deleted their data. That includes what was shared with you: portfolios, alerts, watchlist and briefings. The link is gone too; your messages here were not touched.`,
  linked: (p: { readonly other: string; readonly owned: string }) =>
    `Linked with ${p.other}. Shared now: ${p.owned}. Messages are not. Not your account? Send \`/link off\` at once.`,
  unknown: () =>
    'This code is wrong, used or too old. Get a new one with `/link` on the other platform and send it within ten minutes.',
  same: () => 'This code belongs to this account. Enter it on the other platform, in our direct chat there.',
  notLinked: () => 'Nothing is linked here. `/link` in our direct chat gives you a code for that.',
  confirmOff: (p: Split) =>
    [
      `End the link with ${p.others}?`,
      ...(p.takes === undefined ? [] : [`Portfolios created here stay with you: ${p.takes}.`]),
      ...(p.leaves === undefined
        ? []
        : [`Portfolios that stay with ${p.others}, and leave you: ${p.leaves}.`]),
      'Both keep the watchlist. Alerts and briefings stay where they were set.',
    ].join('\n'),
  confirmOffButton: () => 'End the link',
  off: (p: Split) =>
    [
      `The link with ${p.others} has ended.`,
      ...(p.takes === undefined ? [] : [`Yours: ${p.takes}.`]),
      ...(p.leaves === undefined ? [] : [`With ${p.others}: ${p.leaves}.`]),
      'Both keep the watchlist; alerts and briefings stay where they were set.',
    ].join(' '),
};

const identityKo: typeof identityEn = {
  terminal: () => '봇 터미널 사용자',
  code: (p) =>
    `연결 코드: \`${p.code}\`. ${ko(p.minutes)}분 안에 다른 플랫폼의 DM으로 **/link ${p.code}**를 보내 주세요. 그러면 포트폴리오, 알림, 관심 종목, 브리핑을 두 곳에서 함께 써요.`,
  tellNobody: () =>
    '코드를 남에게 알려 주지 말고, 남이 준 코드는 입력하지 마세요. 연결된 계정은 내 정보를 보고 바꿀 수 있어요.',
  linkedWith: (p) => `${p.others} 계정과 연결되어 있어요. 해제하려면: \`/link off\``,
  directOnly: () => '코드는 DM에서만 알려 드려요. DM으로 `/link`를 보내 주세요.',
  readByOthers: () =>
    '다른 사람도 볼 수 있어서 그 코드는 무효예요. 다른 플랫폼에서 `/link`로 새 코드를 받아 DM으로 보내 주세요.',
  confirmLink: (p) =>
    [
      `이 계정을 ${p.other} 계정과 연결할까요?${p.also === undefined ? '' : ` 그 계정은 ${p.also} 계정과도 연결되어 있어요.`}`,
      `**연결하면 함께 보고 바꾸는 정보:** 포트폴리오, 알림, 관심 종목, 브리핑 (지금: ${p.owned})`,
      '**공유하지 않는 정보:** 내 메시지와 답변, 대화, 프로필, 예약된 알림, 사용량',
      '본인의 계정일 때만 동의해 주세요. 다른 사람이 보내 준 코드라면 거절해 주세요.',
    ].join('\n'),
  confirmLinkTyped: (p) => `연결하려면 \`/link ${p.code} --yes\`, 거절하려면 \`/link no\`라고 보내 주세요.`,
  confirmLinkButton: () => '내 계정이 맞아요, 연결하기',
  declineButton: () => '아니요',
  declined: () => '연결하지 않았어요. 그 코드는 이제 쓸 수 없어요.',
  nothingToDecline: () => '기다리는 연결 요청이 없어요.',
  full: (p) =>
    `두 계정의 포트폴리오 기록을 합치면 ${p.limit}건이 넘어 연결하지 않았어요. 오래된 포트폴리오를 \`/portfolio 내보내기 --in=이름\`으로 저장하고 \`/portfolio 삭제 이름\`으로 지운 뒤 다시 연결해 주세요.`,
  changed: () => '그사이 연결될 내용이 바뀌었어요. 다시 확인해 주세요.',
  otherLinked: (p) =>
    `${p.other} 계정과 연결됐어요. 이제 포트폴리오, 알림, 관심 종목, 브리핑을 함께 써요(메시지는 아니에요). 내 계정이 아니라면 바로 \`/link off\`를 보내 주세요.`,
  otherLeft: (p) =>
    `${p.other} 계정과의 연결이 해제됐어요. 포트폴리오는 여기에 남고, 관심 종목은 양쪽에 모두 남으며, 알림과 브리핑은 설정한 곳에 남아요.`,
  otherLeftWith: (p) =>
    `${p.other} 계정과의 연결이 해제됐어요. 그 계정에서 만든 포트폴리오(${p.portfolios})는 그 계정으로 돌아갔고, 나머지는 여기에 남아요. 관심 종목은 양쪽에 모두 남아요.`,
  otherDeleted: (p) =>
    `${p.other} 계정에서 정보를 삭제했어요. 함께 사용하던 포트폴리오, 알림, 관심 종목, 브리핑과 계정 연결도 삭제됐어요. 여기서 나눈 메시지는 그대로 있어요.`,
  linked: (p) =>
    `${p.other} 계정과 연결했어요. 함께 쓰는 것: ${p.owned}. 메시지는 공유되지 않아요. 내 계정이 아니라면 바로 \`/link off\`를 보내 주세요.`,
  unknown: () => '맞지 않거나 지난 코드예요. 다른 플랫폼에서 `/link`로 새 코드를 받아 10분 안에 보내 주세요.',
  same: () => '같은 사람의 코드예요. 이 코드는 다른 플랫폼의 DM으로 입력해 주세요.',
  notLinked: () => '연결된 계정이 없어요. DM으로 `/link`를 보내면 연결 코드를 드려요.',
  confirmOff: (p) =>
    [
      `${p.others} 계정과의 연결을 해제할까요?`,
      ...(p.takes === undefined ? [] : [`여기서 만든 포트폴리오는 여기에 남아요: ${p.takes}`]),
      ...(p.leaves === undefined
        ? []
        : [`${p.others} 계정에 남고 여기서는 사라지는 포트폴리오: ${p.leaves}`]),
      '관심 종목은 양쪽에 모두 남고, 알림과 브리핑은 설정한 곳에 남아요.',
    ].join('\n'),
  confirmOffButton: () => '연결 해제',
  off: (p) =>
    [
      `${p.others} 계정과의 연결을 해제했어요.`,
      ...(p.takes === undefined ? [] : [`여기에 남은 포트폴리오: ${p.takes}.`]),
      ...(p.leaves === undefined ? [] : [`${p.others} 계정에 남은 포트폴리오: ${p.leaves}.`]),
      '관심 종목은 양쪽에 모두 있고, 알림과 브리핑은 설정한 곳에 있어요.',
    ].join(' '),
};

export const identityTexts = localized({ en: identityEn, ko: identityKo });
