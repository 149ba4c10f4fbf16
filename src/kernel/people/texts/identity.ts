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
    `Your code is \`${p.code}\`. Within ${counted(p.minutes, 'minute')}, write to me directly on the other platform: **/link ${p.code}**. From then on your portfolios, alerts, watchlist and briefings are the same on both.`,
  tellNobody: () =>
    'Don’t share this code with anyone, and never enter a code that someone else gave you: a linked account sees and changes your portfolios, alerts, watchlist and briefings.',
  linkedWith: (p: Others) => `You are linked with ${p.others}. \`/link off\` takes this platform out again.`,
  directOnly: () =>
    'The code gives access to your data, so I do not show it where others can read it. Please send `/link` in our direct chat.',
  readByOthers: () =>
    'Others could read that code here, so it is void now. Send `/link` on the other platform for a new one, and enter it in our direct chat.',
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
  nothingToDecline: () => 'No link is waiting for your answer, so nothing was linked.',
  full: (p: { readonly limit: string }) =>
    `Nothing was linked, because the portfolios of both accounts would have more than ${counted(p.limit, 'entry', 'entries')} together. Save an old portfolio with \`/portfolio export --in=name\`, delete it with \`/portfolio delete name\`, and link again.`,
  changed: () => 'What this code would link has changed since I asked. Please look at it again:',
  otherLinked: (p: { readonly other: string }) =>
    `${p.other} used your link code. Your portfolios, alerts, watchlist and briefings are shared with that account now; your messages are not. If it is not your own account, send \`/link off\` at once.`,
  otherLeft: (p: { readonly other: string }) =>
    `${p.other} is no longer linked with you. The portfolios stay with you, both keep the watchlist, and each keeps the alerts and briefings that were set there.`,
  otherLeftWith: (p: { readonly other: string; readonly portfolios: string }) =>
    `${p.other} is no longer linked with you and kept the portfolios created there: ${p.portfolios}. Everything else stays with you; both keep the watchlist.`,
  otherDeleted: (p: { readonly other: string }) =>
    `${p.other} deleted their data. That includes what was shared with you: portfolios, alerts, watchlist and briefings. The link is gone too; your messages here were not touched.`,
  linked: (p: { readonly other: string; readonly owned: string }) =>
    `Linked with ${p.other}. Shared now: ${p.owned}. Messages are not shared. If that is not your own account, send \`/link off\` at once.`,
  unknown: () =>
    'This code is wrong, used or too old. Send `/link` on the other platform for a new one, and enter it here within ten minutes.',
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
    `연결 코드는 \`${p.code}\`입니다. ${ko(p.minutes)}분 안에 다른 플랫폼의 다이렉트 메시지로 **/link ${p.code}**를 보내 주세요. 그때부터 포트폴리오, 가격 알림, 관심종목, 브리핑을 두 곳에서 함께 사용합니다.`,
  tellNobody: () =>
    '코드는 아무에게도 알려 주지 마시고, 다른 사람이 준 코드는 입력하지 마세요. 연결된 계정은 내 포트폴리오, 가격 알림, 관심종목, 브리핑을 보고 바꿀 수 있습니다.',
  linkedWith: (p) => `현재 ${p.others} 계정과 연결되어 있습니다. 해제하시려면 \`/link off\`를 보내 주세요.`,
  directOnly: () =>
    '연결 코드는 내 정보를 여는 열쇠와 같아서 다른 사람이 있는 곳에서는 알려 드리지 않습니다. 다이렉트 메시지로 `/link`를 보내 주세요.',
  readByOthers: () =>
    '다른 사람도 볼 수 있는 곳이어서 그 코드는 무효로 처리했습니다. 다른 플랫폼에서 `/link`로 새 코드를 받아 다이렉트 메시지로 입력해 주세요.',
  confirmLink: (p) =>
    [
      `이 계정을 ${p.other} 계정과 연결할까요?${p.also === undefined ? '' : ` 그 계정은 ${p.also} 계정과도 연결되어 있습니다.`}`,
      `**연결하면 함께 보고 바꾸는 정보:** 포트폴리오, 가격 알림, 관심종목, 브리핑 (현재 내 정보: ${p.owned})`,
      '**공유하지 않는 정보:** 내 메시지와 답변, 대화, 프로필, 예약된 알림, 사용량',
      '본인의 계정일 때만 동의해 주세요. 다른 사람이 보내 준 코드라면 거절해 주세요.',
    ].join('\n'),
  confirmLinkTyped: (p) =>
    `연결하시려면 \`/link ${p.code} --yes\`, 거절하시려면 \`/link no\`라고 보내 주세요.`,
  confirmLinkButton: () => '내 계정이 맞아요, 연결하기',
  declineButton: () => '아니요',
  declined: () => '연결하지 않았습니다. 그 코드는 더 이상 사용할 수 없습니다.',
  nothingToDecline: () => '확인을 기다리는 연결 요청이 없어 아무것도 연결하지 않았습니다.',
  full: (p) =>
    `두 계정의 포트폴리오 기록을 합치면 ${p.limit}건이 넘어 연결하지 않았습니다. 오래된 포트폴리오를 \`/portfolio 내보내기 --in=이름\`으로 저장하고 \`/portfolio 삭제 이름\`으로 지운 뒤 다시 연결해 주세요.`,
  changed: () => '확인을 요청드린 뒤에 이 코드로 연결될 계정이 바뀌었습니다. 다시 확인해 주세요.',
  otherLinked: (p) =>
    `${p.other} 계정이 내 연결 코드를 사용했습니다. 이제 포트폴리오, 가격 알림, 관심종목, 브리핑을 그 계정과 함께 사용합니다. 메시지는 공유되지 않습니다. 본인의 계정이 아니라면 바로 \`/link off\`를 보내 주세요.`,
  otherLeft: (p) =>
    `${p.other} 계정과의 연결이 해제되었습니다. 포트폴리오는 여기에 남고, 관심종목은 양쪽에 모두 남으며, 가격 알림과 브리핑은 설정한 곳에 남습니다.`,
  otherLeftWith: (p) =>
    `${p.other} 계정과의 연결이 해제되었습니다. 그 계정에서 만든 포트폴리오(${p.portfolios})는 그 계정으로 돌아갔고, 나머지는 여기에 남습니다. 관심종목은 양쪽에 모두 남습니다.`,
  otherDeleted: (p) =>
    `${p.other} 계정에서 정보를 삭제했습니다. 함께 사용하던 포트폴리오, 가격 알림, 관심종목, 브리핑과 계정 연결도 삭제되었습니다. 여기서 나눈 메시지는 그대로 있습니다.`,
  linked: (p) =>
    `${p.other} 계정과 연결했습니다. 이제 함께 사용하는 정보는 ${p.owned}입니다. 메시지는 공유되지 않습니다. 본인의 계정이 아니라면 바로 \`/link off\`를 보내 주세요.`,
  unknown: () =>
    '코드가 틀렸거나, 이미 사용되었거나, 시간이 지났습니다. 다른 플랫폼에서 `/link`로 새 코드를 받아 10분 안에 여기에 입력해 주세요.',
  same: () => '같은 사람의 코드입니다. 이 코드는 다른 플랫폼의 다이렉트 메시지로 입력해 주세요.',
  notLinked: () => '연결된 계정이 없습니다. 다이렉트 메시지로 `/link`를 보내시면 연결 코드를 드립니다.',
  confirmOff: (p) =>
    [
      `${p.others} 계정과의 연결을 해제할까요?`,
      ...(p.takes === undefined ? [] : [`여기서 만든 포트폴리오는 여기에 남습니다: ${p.takes}`]),
      ...(p.leaves === undefined
        ? []
        : [`${p.others} 계정에 남고 여기서는 사라지는 포트폴리오: ${p.leaves}`]),
      '관심종목은 양쪽에 모두 남고, 가격 알림과 브리핑은 설정한 곳에 남습니다.',
    ].join('\n'),
  confirmOffButton: () => '연결 해제',
  off: (p) =>
    [
      `${p.others} 계정과의 연결을 해제했습니다.`,
      ...(p.takes === undefined ? [] : [`여기에 남은 포트폴리오: ${p.takes}.`]),
      ...(p.leaves === undefined ? [] : [`${p.others} 계정에 남은 포트폴리오: ${p.leaves}.`]),
      '관심종목은 양쪽에 모두 있고, 가격 알림과 브리핑은 설정한 곳에 있습니다.',
    ].join(' '),
};

export const identityTexts = localized({ en: identityEn, ko: identityKo });
