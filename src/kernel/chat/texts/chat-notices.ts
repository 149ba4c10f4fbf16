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
    `This channel is full: ${counted(p.limit, 'alert')}. Leave out \`here\` and I’ll DM you, or ask a server admin to remove some: \`/alerts here\`.`,
  repeatingFull: (p: Limit) =>
    `You can have ${counted(p.limit, 'repeating alert')} in this channel. Leave out \`here\` and I’ll DM you, or delete one: \`/alerts\`.`,
  tooOften: (p: { readonly minutes: number }) =>
    `In a channel an alert can repeat at most once every ${counted(p.minutes, 'minute')}. Write \`cooldown ${p.minutes}m\` or more, or leave out \`here\` to be told in our direct chat.`,
  briefingsFull: (p: Limit) =>
    `This channel is full: ${counted(p.limit, 'briefing')}. Add \`dm\` and I’ll DM yours, or ask a server admin to remove one: \`/alerts here\`.`,
  left: (p: What) =>
    `Turned off, because you left the channel: ${p.what}. Set it again here if you still want it.`,
  botRemoved: (p: What) =>
    `Turned off, because I can no longer write in that channel: ${p.what}. Set it again here if you still want it.`,
  removed: (p: What) =>
    `A server admin removed what you set in a channel: ${p.what}. In our direct chat you can set it for yourself.`,
  managersOnly: () =>
    'Only server admins and bot administrators see what others set here. Your own: `/alerts`',
  onlyInChannel: () => 'Please send `/alerts here` in the channel itself.',
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
    `이 채널의 알림은 ${p.limit}개까지예요. \`여기\`를 빼면 DM으로 알려 드려요. 정리는 서버 관리자가 \`/alerts here\`로 해요.`,
  repeatingFull: (p) =>
    `이 채널의 반복 알림은 ${p.limit}개까지예요. \`여기\`를 빼고 DM으로 받거나 \`/alerts\`에서 하나를 지워 주세요.`,
  tooOften: (p) =>
    `채널에서는 ${p.minutes}분에 한 번까지만 반복해요. \`쿨다운 ${p.minutes}분\` 이상으로 하거나 \`여기\`를 빼고 DM으로 받아 주세요.`,
  briefingsFull: (p) =>
    `이 채널의 브리핑은 ${p.limit}개까지예요. \`dm\`을 붙이면 DM으로 보내 드려요. 정리는 서버 관리자가 \`/alerts here\`로 해요.`,
  left: (p) => `채널에서 나가셔서 껐어요: ${p.what}. 계속 받으려면 여기서 다시 설정해 주세요.`,
  botRemoved: (p) =>
    `그 채널에 더는 글을 쓸 수 없어 껐어요: ${p.what}. 계속 받으려면 여기서 다시 설정해 주세요.`,
  removed: (p) => `관리자가 채널에서 지웠어요: ${p.what}. DM에서는 다시 설정할 수 있어요.`,
  managersOnly: () => '채널의 알림과 브리핑은 서버 관리자나 봇 관리자만 볼 수 있어요. 내 알림: `/alerts`',
  onlyInChannel: () => '`/alerts here`는 채널에서 보내 주세요.',
  title: (p) => `**이 채널에 설정된 알림 ${p.alerts}개, 브리핑 ${p.briefings}개**`,
  none: () => '이 채널에는 알림도 브리핑도 없어요.',
  by: (p) => `설정한 사람: ${p.who}`,
  briefing: (p) => `브리핑: ${p.days} ${p.time} (${p.zone})`,
  how: () => '지우려면: `/alerts here 삭제 ID` (설정한 사람에게 알려 드려요)',
  more: (p) => `… 외 ${p.count}개`,
  unknown: (p) => `이 채널에 "${p.typed}" 항목은 없어요. 목록: \`/alerts here\``,
  done: (p) => `지웠어요: ${p.what}. 설정한 사람에게 알려 드릴게요.`,
};

export const chatNoticeTexts = localized({ en: chatNoticesEn, ko: chatNoticesKo });
