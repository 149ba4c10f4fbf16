import { counted, LANGUAGE_NAMES, localized } from '#src/kernel/locale.ts';
import type { LiveMode } from '../live-answer.ts';

interface Setting {
  readonly name: string;
  readonly value: string;
}

interface Named {
  /** A mention, which the platform shows as a name. */
  readonly named: string;
}

type LiveMeanings = Readonly<Record<LiveMode, string>>;

/** Settings of a server or workspace. */
const guildEn = {
  title: () => '**Settings of this server or workspace**',
  names: {
    language: 'Language',
    timezone: 'Time zone',
    channels: 'Channels',
    roles: 'Roles',
    live: 'While I answer',
    queue: 'Queue mode',
  },
  languages: { auto: 'that of each message', ko: LANGUAGE_NAMES.ko.en, en: LANGUAGE_NAMES.en.en },
  lives: {
    off: 'nothing is shown before the answer',
    status: 'I show what I am doing',
    stream: 'you see the answer as it is written',
  } satisfies LiveMeanings as LiveMeanings,
  zoneOfPeople: () => "each person's own, as far as it is known",
  everywhere: () => 'everywhere',
  everybody: () => 'everybody',
  asConfigured: () => 'as the operator configured it',
  howTo: () => 'Change them with:',
  forms: {
    language: '/settings language <auto | ko | en>',
    timezone: '/settings timezone <Asia/Seoul | New York | default>',
    channels: '/settings channels <add #channel | remove #channel | here | all>',
    roles: '/settings roles <add @role | remove @role | all>',
    live: '/settings live <off | status | stream | default>',
    queue: '/settings queue <mode | default>',
  },
  changed: (p: Setting) => `From now on, for everybody here: **${p.name}** — ${p.value}.`,
  notAmong: () => 'This channel is not among them: here I only answer your `/settings`.',
  onlyInServer: () =>
    'These are settings of a server or workspace. Please write `/settings` in one of its channels; your own settings are in `/profile`.',
  managersOnly: () => 'Only server admins and bot administrators can see and change these settings.',
  unknown: (p: { readonly typed: string }) => `There is no setting "${p.typed}".`,
  wrong: (p: { readonly typed: string; readonly form: string }) =>
    p.typed === ''
      ? `Please say what to change: \`${p.form}\``
      : `I do not understand "${p.typed}". \`${p.form}\``,
  ofChannels: {
    unknown: () =>
      'I do not know that channel. Please pick it from the list that appears when you type `#`, or give its id.',
    notListed: (p: Named) => `${p.named} was not among the channels, so nothing has changed.`,
    noneListed: () =>
      'I answer in every channel. To name those in which I answer, begin with `/settings channels add #channel`.',
    lastOne: (p: Named) =>
      `${p.named} is the only channel left; without it I would answer nowhere. Add another one first, or use \`/settings channels all\`.`,
    tooMany: (p: { readonly limit: number }) =>
      `At most ${counted(p.limit, 'channel')} can be named. Remove one first, or use \`/settings channels all\`.`,
  },
  ofRoles: {
    unknown: () =>
      'I do not know that role. Please pick it from the list that appears when you type `@`. Only Discord has roles.',
    notListed: (p: Named) => `${p.named} was not among the roles, so nothing has changed.`,
    noneListed: () =>
      'I answer everybody. To name the roles that I answer, begin with `/settings roles add @role`.',
    lastOne: (p: Named) =>
      `${p.named} is the only role left; without it I would answer nobody. Add another one first, or use \`/settings roles all\`.`,
    tooMany: (p: { readonly limit: number }) =>
      `At most ${counted(p.limit, 'role')} can be named. Remove one first, or use \`/settings roles all\`.`,
  },
  /** For people without a chosen role. */
  otherRoles: (p: { readonly roles: string }) =>
    `On this server I answer only members with one of these roles: ${p.roles}. A server admin can give you one, or you can write to me directly.`,
  /** For a mention in a channel where the bot does not answer. */
  elsewhere: (p: { readonly chats: string }) =>
    `On this server I answer only in ${p.chats}. Please ask me there.`,
  choices: {
    addChannel: 'add a channel',
    removeChannel: 'remove a channel',
    addRole: 'add a role',
    removeRole: 'remove a role',
    modelList: 'list: all models',
    modelDefault: 'default: the configured model',
  },
};

const guildKo: typeof guildEn = {
  title: () => '**이 서버(워크스페이스)의 설정**',
  names: {
    language: '언어',
    timezone: '시간대',
    channels: '채널',
    roles: '역할',
    live: '답변 중 표시',
    queue: '대기열 모드',
  },
  languages: { auto: '메시지의 언어', ko: LANGUAGE_NAMES.ko.ko, en: LANGUAGE_NAMES.en.ko },
  lives: {
    off: '답변이 나올 때까지 표시하지 않음',
    status: '무엇을 하고 있는지 표시',
    stream: '답변을 쓰는 대로 표시',
  },
  zoneOfPeople: () => '각자의 시간대 (알 수 있는 경우)',
  everywhere: () => '모든 채널',
  everybody: () => '모든 사람',
  asConfigured: () => '운영자가 정한 기본값',
  howTo: () => '다음과 같이 바꿉니다:',
  forms: {
    language: '/settings 언어 <자동 | 한국어 | 영어>',
    timezone: '/settings 시간대 <서울 | 뉴욕 | 기본>',
    channels: '/settings 채널 <추가 #채널 | 제거 #채널 | 여기 | 전체>',
    roles: '/settings 역할 <추가 @역할 | 제거 @역할 | 전체>',
    live: '/settings 표시 <off | status | stream | 기본>',
    queue: '/settings 대기열 <모드 | 기본>',
  },
  changed: (p) => `이제 이곳의 모든 사용자에게 적용됩니다: **${p.name}** — ${p.value}`,
  notAmong: () => '이 채널은 포함되지 않아 여기서는 `/settings` 에만 답합니다.',
  onlyInServer: () =>
    '서버(워크스페이스)의 설정입니다. 그곳의 채널에서 `/settings`를 입력해 주세요. 개인 설정은 `/profile`에 있습니다.',
  managersOnly: () => '서버(워크스페이스) 관리자나 봇 관리자만 이 설정을 보고 바꿀 수 있습니다.',
  unknown: (p) => `"${p.typed}" 설정은 없습니다.`,
  wrong: (p) =>
    p.typed === ''
      ? `무엇을 바꿀지 적어 주세요: \`${p.form}\``
      : `알 수 없는 값예요: "${p.typed}". \`${p.form}\``,
  ofChannels: {
    unknown: () => '알 수 없는 채널입니다. `#`을 입력하면 나오는 목록에서 고르거나 채널 ID를 적어 주세요.',
    notListed: (p) => `${p.named} 채널은 목록에 없어 바뀐 것이 없습니다.`,
    noneListed: () =>
      '지금은 모든 채널에서 답합니다. 답할 채널을 정하려면 먼저 `/settings 채널 추가 #채널`을 입력해 주세요.',
    lastOne: (p) =>
      `${p.named} 채널까지 빼면 답할 곳이 없습니다. 먼저 다른 채널을 추가하거나 \`/settings 채널 전체\`를 입력해 주세요.`,
    tooMany: (p) =>
      `채널은 ${p.limit}개까지 정할 수 있습니다. 먼저 하나를 빼거나 \`/settings 채널 전체\`를 입력해 주세요.`,
  },
  ofRoles: {
    unknown: () =>
      '알 수 없는 역할입니다. `@`을 입력하면 나오는 목록에서 골라 주세요. 역할은 Discord에만 있습니다.',
    notListed: (p) => `${p.named} 역할은 목록에 없어 바뀐 것이 없습니다.`,
    noneListed: () =>
      '지금은 모든 사람에게 답합니다. 답변받을 역할을 정하려면 먼저 `/settings 역할 추가 @역할`을 입력해 주세요.',
    lastOne: (p) =>
      `${p.named} 역할까지 빼면 답할 사람이 없습니다. 먼저 다른 역할을 추가하거나 \`/settings 역할 전체\`를 입력해 주세요.`,
    tooMany: (p) =>
      `역할은 ${p.limit}개까지 정할 수 있습니다. 먼저 하나를 빼거나 \`/settings 역할 전체\`를 입력해 주세요.`,
  },
  otherRoles: (p) =>
    `이 서버에서는 다음 역할이 있는 사람에게만 답합니다: ${p.roles}. 서버 관리자에게 역할을 요청하거나 저에게 다이렉트 메시지를 보내 주세요.`,
  elsewhere: (p) => `이 서버에서는 ${p.chats} 채널에서만 답합니다. 그곳에서 물어봐 주세요.`,
  choices: {
    addChannel: '채널 추가',
    removeChannel: '채널 제거',
    addRole: '역할 추가',
    removeRole: '역할 제거',
    modelList: 'list: 모든 모델 보기',
    modelDefault: 'default: 기본 모델로',
  },
};

export const guildTexts = localized({ en: guildEn, ko: guildKo });
