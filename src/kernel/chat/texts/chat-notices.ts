import { counted, localized } from '#src/kernel/locale.ts';

interface Limit {
  readonly limit: number;
}

interface What {
  /** The alert or briefing, in words. */
  readonly what: string;
}

/** Sentences about alerts and briefings that are told in a channel, in both languages. */
const chatNoticesEn = {
  alertsFull: (p: Limit) =>
    `This channel has ${counted(p.limit, 'alert')}, which is the maximum. Leave out \`here\` to be told in our direct chat instead, or ask a server admin to remove some: \`/alerts here\`.`,
  repeatingFull: (p: Limit) =>
    `You have ${counted(p.limit, 'repeating alert')} in this channel, which is the maximum. Leave out \`here\` to be told in our direct chat instead, or delete one: \`/alerts\`.`,
  tooOften: (p: { readonly minutes: number }) =>
    `In a channel an alert can repeat at most once every ${counted(p.minutes, 'minute')}. Write \`cooldown ${p.minutes}m\` or more, or leave out \`here\` to be told in our direct chat.`,
  briefingsFull: (p: Limit) =>
    `This channel has ${counted(p.limit, 'briefing')}, which is the maximum. Add \`dm\` to get yours in our direct chat instead, or ask a server admin to remove one: \`/alerts here\`.`,
  left: (p: What) =>
    `You have left the channel where I posted this, so I turned it off: ${p.what}. Set it again here if you still want it.`,
  botRemoved: (p: What) =>
    `I can no longer write in the channel where I posted this, so I turned it off: ${p.what}. Set it again here if you still want it.`,
  removed: (p: What) =>
    `A server admin removed what you set in a channel: ${p.what}. In our direct chat you can set it for yourself.`,
  managersOnly: () =>
    'Only server admins and bot administrators can see and remove what others set here. `/alerts` lists your own.',
  onlyInChannel: () => '`/alerts here` lists what is set in a channel. Please send it in that channel.',
  title: (p: { readonly alerts: number; readonly briefings: number }) =>
    `**Set in this channel: ${counted(p.alerts, 'alert')}, ${counted(p.briefings, 'briefing')}**`,
  none: () => 'Nobody has set an alert or a briefing in this channel.',
  by: (p: { readonly who: string }) => `set by ${p.who}`,
  briefing: (p: { readonly days: string; readonly time: string; readonly zone: string }) =>
    `Briefing: ${p.days}, ${p.time} (${p.zone})`,
  how: () => 'Remove one with `/alerts here remove ID`; I’ll let its owner know.',
  more: (p: { readonly count: number }) => `… and ${p.count} more.`,
  unknown: (p: { readonly typed: string }) =>
    `Nothing with the id "${p.typed}" is set in this channel. \`/alerts here\` lists what is.`,
  done: (p: What) => `Removed: ${p.what}. I’ll let the person who set it know.`,
};

const chatNoticesKo: typeof chatNoticesEn = {
  alertsFull: (p) =>
    `이 채널에는 알림이 ${p.limit}개 있어 더 설정할 수 없습니다. \`여기\`를 빼면 다이렉트 메시지로 받으실 수 있고, 서버 관리자에게 \`/alerts here\`로 정리를 요청하실 수 있습니다.`,
  repeatingFull: (p) =>
    `이 채널에 설정하신 반복 알림이 최대 개수(${p.limit}개)에 도달했습니다. \`여기\`를 빼고 다이렉트 메시지로 받으시거나 \`/alerts\`에서 하나를 삭제해 주세요.`,
  tooOften: (p) =>
    `채널에서는 알림을 ${p.minutes}분에 한 번까지만 반복할 수 있습니다. \`쿨다운 ${p.minutes}분\` 이상으로 정하시거나 \`여기\`를 빼고 다이렉트 메시지로 받아 주세요.`,
  briefingsFull: (p) =>
    `이 채널에는 브리핑이 ${p.limit}개 있어 더 설정할 수 없습니다. \`dm\`을 붙이면 다이렉트 메시지로 받으실 수 있고, 서버 관리자에게 \`/alerts here\`로 정리를 요청하실 수 있습니다.`,
  left: (p) =>
    `알림을 받던 채널에서 나가셔서 다음 설정을 종료했습니다: ${p.what}. 계속 받으시려면 여기서 다시 설정해 주세요.`,
  botRemoved: (p) =>
    `알림을 보내던 채널에 더 이상 글을 쓸 수 없어 다음 설정을 종료했습니다: ${p.what}. 계속 받으시려면 여기서 다시 설정해 주세요.`,
  removed: (p) =>
    `채널에 설정하신 항목을 관리자가 삭제했습니다: ${p.what}. 다이렉트 메시지에서는 다시 설정하실 수 있습니다.`,
  managersOnly: () =>
    '다른 사람이 여기에 설정한 알림과 브리핑은 서버(워크스페이스) 관리자나 봇 관리자만 보고 삭제할 수 있습니다. 내 알림은 `/alerts`로 볼 수 있습니다.',
  onlyInChannel: () =>
    '채널에 설정된 알림과 브리핑을 보는 명령어입니다. 해당 채널에서 `/alerts here`를 입력해 주세요.',
  title: (p) => `**이 채널에 설정된 알림 ${p.alerts}개, 브리핑 ${p.briefings}개**`,
  none: () => '이 채널에 설정된 알림이나 브리핑이 없습니다.',
  by: (p) => `설정한 사람: ${p.who}`,
  briefing: (p) => `브리핑: ${p.days} ${p.time} (${p.zone})`,
  how: () => '`/alerts here 삭제 ID`로 삭제합니다. 설정한 사람에게 알려 드립니다.',
  more: (p) => `… 외 ${p.count}개`,
  unknown: (p) =>
    `이 채널에는 ID가 "${p.typed}" 인 알림이나 브리핑이 없습니다. \`/alerts here\`로 목록을 확인해 주세요.`,
  done: (p) => `삭제했습니다: ${p.what}. 설정한 사람에게 알려 드립니다.`,
};

export const chatNoticeTexts = localized({ en: chatNoticesEn, ko: chatNoticesKo });
