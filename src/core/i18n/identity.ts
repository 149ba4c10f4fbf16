interface Code {
  readonly code: string;
}

interface Others {
  readonly others: string;
}

interface Owned {
  readonly portfolios: number;
  readonly transactions: number;
  readonly alerts: number;
  readonly watched: number;
  readonly briefings: number;
}

const en = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
const ko = (count: number): string => count.toLocaleString('ko-KR');

/** Sentences about one person on several platforms, in both languages. */
export const identityEn = {
  platforms: { discord: 'Discord', slack: 'Slack', console: 'the console' },
  code: (p: Code & { readonly minutes: number }) =>
    `Your code is \`${p.code}\`. Within ${en(p.minutes, 'minute', 'minutes')}, write to me directly on the other platform: \`/link ${p.code}\`. From then on your portfolios, alerts, watchlist and briefings are the same on both.`,
  tellNobody: () =>
    'Tell the code to nobody, and enter none that somebody gave you: whoever is linked sees and changes all that is yours.',
  linkedWith: (p: Others) => `You are linked with ${p.others}. \`/link off\` takes this platform out again.`,
  directOnly: () =>
    'The code is like a key to what is yours, so I do not give it out where others are. Please send `/link` in our direct chat.',
  readByOthers: () =>
    'Others could read that code here, so it is void now. Send `/link` on the other platform for a new one, and enter it in our direct chat.',
  confirmLink: (p: Code & { readonly owned: string }) =>
    `Whoever got the code \`${p.code}\` will see and change what is yours here (${p.owned}), and keeps it also if you take the link back. Go on only if you got the code from me yourself, on your other platform: press the button, or send \`/link ${p.code} --yes\`.`,
  confirmLinkButton: () => 'It is mine: link',
  owned: (p: Owned) =>
    `${en(p.portfolios, 'portfolio', 'portfolios')} with ${en(p.transactions, 'transaction', 'transactions')}, ${en(p.alerts, 'alert', 'alerts')}, ${p.watched.toLocaleString('en-US')} on the watchlist, ${en(p.briefings, 'briefing', 'briefings')}`,
  linked: (p: { readonly other: string; readonly owned: string }) =>
    `Linked with ${p.other}. Together you have ${p.owned}. If that is not your own account, send \`/link off\` at once.`,
  unknown: () =>
    'This code is wrong, used or too old. Send `/link` on the other platform for a new one, and enter it here within ten minutes.',
  same: () =>
    'This code is of this same person: it is to be entered on the other platform, in our direct chat there.',
  notLinked: () => 'Nothing is linked here. `/link` in our direct chat gives you a code for that.',
  confirmOff: (p: Others) =>
    `From then on this platform is on its own: portfolios and the watchlist stay with ${p.others}, alerts and briefings that were set here stay here. To go on, press the button or send \`/link off --yes\`.`,
  confirmOffButton: () => 'Take the link back',
  off: (p: Others) =>
    `This platform is on its own again. Portfolios and the watchlist are with ${p.others}; alerts and briefings that were set here are still here.`,
};

export const identityKo: typeof identityEn = {
  platforms: { discord: 'Discord', slack: 'Slack', console: '콘솔' },
  code: (p) =>
    `연결 코드는 \`${p.code}\` 입니다. ${ko(p.minutes)}분 안에 다른 플랫폼의 1:1 대화에서 \`/link ${p.code}\` 를 보내 주세요. 그때부터 포트폴리오, 가격 알림, 관심종목, 브리핑을 두 곳에서 함께 사용합니다.`,
  tellNobody: () =>
    '코드는 아무에게도 알려 주지 마시고, 다른 사람이 준 코드는 입력하지 마세요. 연결된 사람은 내 정보를 모두 보고 바꿀 수 있습니다.',
  linkedWith: (p) => `현재 ${p.others} 계정과 연결되어 있습니다. 해제하시려면 \`/link off\` 를 보내 주세요.`,
  directOnly: () =>
    '연결 코드는 내 정보를 여는 열쇠와 같아서 다른 사람이 있는 곳에서는 알려 드리지 않습니다. 저와의 1:1 대화에서 `/link` 를 보내 주세요.',
  readByOthers: () =>
    '다른 사람도 볼 수 있는 곳이어서 그 코드는 무효로 처리했습니다. 다른 플랫폼에서 `/link` 로 새 코드를 받아 저와의 1:1 대화에서 입력해 주세요.',
  confirmLink: (p) =>
    `\`${p.code}\` 코드를 받은 사람은 여기 저장된 내 정보(${p.owned})를 모두 보고 바꿀 수 있으며, 연결을 해제해도 그 정보는 그쪽에 남습니다. 다른 플랫폼에서 직접 받으신 코드일 때만 계속해 주세요. 버튼을 누르거나 \`/link ${p.code} --yes\` 를 보내시면 됩니다.`,
  confirmLinkButton: () => '내 코드가 맞습니다',
  owned: (p) =>
    `포트폴리오 ${ko(p.portfolios)}개(거래 ${ko(p.transactions)}건), 가격 알림 ${ko(p.alerts)}개, 관심종목 ${ko(p.watched)}개, 브리핑 ${ko(p.briefings)}개`,
  linked: (p) =>
    `${p.other} 계정과 연결했습니다. 이제 함께 사용하는 정보는 ${p.owned}입니다. 본인의 계정이 아니라면 바로 \`/link off\` 를 보내 주세요.`,
  unknown: () =>
    '코드가 틀렸거나, 이미 사용되었거나, 시간이 지났습니다. 다른 플랫폼에서 `/link` 로 새 코드를 받아 10분 안에 여기에 입력해 주세요.',
  same: () => '같은 사람의 코드입니다. 이 코드는 다른 플랫폼의 1:1 대화에서 입력해 주세요.',
  notLinked: () => '연결된 계정이 없습니다. 저와의 1:1 대화에서 `/link` 를 보내시면 연결 코드를 드립니다.',
  confirmOff: (p) =>
    `연결을 해제하면 포트폴리오와 관심종목은 ${p.others} 계정에 남고, 여기서 설정한 가격 알림과 브리핑은 여기에 남습니다. 계속하시려면 버튼을 누르거나 \`/link off --yes\` 를 보내 주세요.`,
  confirmOffButton: () => '연결 해제',
  off: (p) =>
    `연결을 해제했습니다. 포트폴리오와 관심종목은 ${p.others} 계정에 있고, 여기서 설정한 가격 알림과 브리핑은 그대로 있습니다.`,
};
