interface Kept {
  readonly days: number;
}

interface Counts {
  readonly messages: number;
  readonly conversations: number;
  readonly usageRecords: number;
  readonly reminders: number;
}

const en = (count: number): string => count.toLocaleString('en-US');
const ko = (count: number): string => count.toLocaleString('ko-KR');

const counted = (count: number, one: string, many: string): string =>
  `${en(count)} ${count === 1 ? one : many}`;

/** Sentences about privacy, in both languages. */
export const privacyEn = {
  /** Under the first answer in a direct chat. */
  note: (p: Kept) =>
    `I keep our conversation until ${counted(p.days, 'day', 'days')} after its last message, and the settings you choose. \`/privacy\` shows what is stored, and deletes it.`,
  title: () => '**What I store about you**',
  messages: (p: { readonly count: number }) => `Your messages, with my answers: ${en(p.count)}`,
  conversations: (p: { readonly count: number }) => `Direct conversations: ${en(p.count)}`,
  usage: (p: { readonly count: number }) => `Requests to models that were made for you: ${en(p.count)}`,
  reminders: (p: { readonly count: number }) => `Reminders and notices: ${en(p.count)}`,
  profile: (p: { readonly state: string }) => `Your profile: ${p.state}`,
  profileSet: () => 'set (see `/profile`)',
  profileUnset: () => 'not set',
  kept: (p: Kept) =>
    `Messages, answers and requests are removed ${counted(p.days, 'day', 'days')} after they are done, a conversation so long after its last message. Your profile, your settings and reminders that are still to come stay until you delete them.`,
  howToDelete: () => 'Delete it now with `/privacy delete`.',
  confirm: () =>
    'This deletes for good what I store about you on this platform: your messages and my answers to them, our direct conversations, your profile, your settings and your reminders. What was said in groups and channels stays in the conversation of those who are there, and what requests cost stays in the sums, without you. To go on, send `/privacy delete --yes`.',
  done: (p: Counts) =>
    `Deleted: ${counted(p.messages, 'message', 'messages')} with my answers, ${counted(p.conversations, 'direct conversation', 'direct conversations')}, ${counted(p.reminders, 'reminder', 'reminders')}, your profile and your settings. ${counted(p.usageRecords, 'request', 'requests')} to models stay in the sums under a code instead of your name.`,
  left: (p: Kept) =>
    `This message of yours, and any that I am still answering, are removed after ${counted(p.days, 'day', 'days')}; what was said in groups and channels stays there.`,
};

export const privacyKo: typeof privacyEn = {
  note: (p) =>
    `나눈 대화는 마지막 메시지로부터 ${ko(p.days)}일 동안, 직접 정하신 설정은 삭제하실 때까지 보관합니다. \`/privacy\` 로 저장된 내용을 확인하고 삭제할 수 있습니다.`,
  title: () => '**저장된 내 정보**',
  messages: (p) => `내 메시지와 그에 대한 답변: ${ko(p.count)}개`,
  conversations: (p) => `1:1 대화: ${ko(p.count)}개`,
  usage: (p) => `나를 위해 모델에 보낸 요청 기록: ${ko(p.count)}개`,
  reminders: (p) => `알림과 안내: ${ko(p.count)}개`,
  profile: (p) => `내 프로필: ${p.state}`,
  profileSet: () => '설정됨 (`/profile` 로 확인)',
  profileUnset: () => '설정 안 함',
  kept: (p) =>
    `메시지와 답변, 요청 기록은 처리가 끝난 뒤 ${ko(p.days)}일이 지나면, 대화는 마지막 메시지로부터 그만큼 지나면 삭제됩니다. 프로필과 설정, 아직 보내지 않은 알림은 직접 삭제하실 때까지 보관합니다.`,
  howToDelete: () => '지금 삭제하시려면 `/privacy delete` 를 입력해 주세요.',
  confirm: () =>
    '이 플랫폼에 저장된 내 정보를 완전히 삭제합니다. 메시지와 그에 대한 답변, 1:1 대화, 프로필, 설정, 알림이 모두 지워지며 되돌릴 수 없습니다. 그룹과 채널에서 나눈 이야기는 그곳의 대화에 남고, 요청 비용은 누구의 것인지 알 수 없는 합계로만 남습니다. 계속하시려면 `/privacy delete --yes` 를 보내 주세요.',
  done: (p) =>
    `메시지 ${ko(p.messages)}개와 그에 대한 답변, 1:1 대화 ${ko(p.conversations)}개, 알림 ${ko(p.reminders)}개, 프로필과 설정을 삭제했습니다. 모델 요청 기록 ${ko(p.usageRecords)}개는 이름 대신 코드로 합계에만 남습니다.`,
  left: (p) =>
    `방금 보내신 명령어와 아직 답변 중인 메시지는 ${ko(p.days)}일 후에 삭제되며, 그룹과 채널에서 나눈 이야기는 그곳에 남습니다.`,
};
