import { localized } from '#src/kernel/locale.ts';
import type { QueueMode, QueueModeScope } from '#src/kernel/ports.ts';

interface ModeInForce {
  readonly mode: string;
  readonly meaning: string;
  readonly setFor: string;
}

interface Chosen {
  readonly mode: string;
  readonly meaning: string;
  readonly scope: string;
}

type Meanings = Readonly<Record<QueueMode, string>>;
type Scopes = Readonly<Record<QueueModeScope | 'guild' | 'default', string>>;

/** What happens to messages that arrive while an answer is being written. */
const queueEn = {
  meanings: {
    queue: 'each message gets its own answer, in order',
    followup: 'each message gets its own answer, once you have stopped typing',
    collect: 'messages that you send meanwhile are answered together',
    steer: 'messages that you send meanwhile join the running answer',
    'steer-backlog': 'like steer; messages that come too late get their own answer',
    interrupt: 'a new message of yours stops the running answer',
  } satisfies Meanings as Meanings,
  scopes: {
    session: 'this conversation',
    channel: 'this channel',
    guild: 'this server',
    agent: 'this agent',
    default: 'everything (default)',
  } satisfies Scopes as Scopes,
  current: (p: ModeInForce) => `Queue mode: **${p.mode}** — ${p.meaning}. Set for: ${p.setFor}.`,
  status: (p: { readonly running: number; readonly waiting: number }) =>
    `Answers under way: ${p.running}. Messages waiting: ${p.waiting}.`,
  choices: () => 'Change it with `/queue <mode>`, or go back with `/queue default`:',
  choice: (p: { readonly mode: string; readonly meaning: string }) => `\`${p.mode}\` mode — ${p.meaning}`,
  set: (p: Chosen) => `From now on the queue mode for ${p.scope} is **${p.mode}**: ${p.meaning}.`,
  cleared: (p: Chosen) =>
    `The choice for ${p.scope} was removed. The queue mode here is now **${p.mode}**: ${p.meaning}.`,
  unknown: (p: { readonly name: string; readonly modes: string }) =>
    `There is no queue mode "${p.name}". Choose one of ${p.modes}, or \`default\`.`,
  notAllowed: () =>
    'Others read along here, so only an administrator may change the queue mode. In a direct chat with me you may change your own.',
  adminsOnly: () => 'Only an administrator may change the queue mode of a channel or an agent.',
};

const queueKo: typeof queueEn = {
  meanings: {
    queue: '메시지마다 순서대로 따로 답합니다',
    followup: '입력이 멈춘 뒤 메시지마다 따로 답합니다',
    collect: '그동안 보낸 메시지를 모아 한 번에 답합니다',
    steer: '그동안 보낸 메시지를 진행 중인 답변에 바로 반영합니다',
    'steer-backlog': 'steer와 같고, 늦게 온 메시지에는 따로 답합니다',
    interrupt: '새 메시지를 보내면 진행 중인 답변을 멈추고 새 메시지에 답합니다',
  },
  scopes: {
    session: '이 대화',
    channel: '이 채널',
    guild: '이 서버',
    agent: '이 에이전트',
    default: '전체(기본값)',
  },
  current: (p) => `대기열 모드: **${p.mode}** — ${p.meaning}. 적용 범위: ${p.setFor}.`,
  status: (p) => `진행 중인 답변: ${p.running}개, 기다리는 메시지: ${p.waiting}개.`,
  choices: () => '`/queue <모드>` 로 바꾸고, `/queue default` 로 되돌립니다:',
  choice: (p) => `\`${p.mode}\` 모드 — ${p.meaning}`,
  set: (p) => `이제 ${p.scope}의 대기열 모드는 **${p.mode}** 입니다: ${p.meaning}.`,
  cleared: (p) =>
    `${p.scope}에 대한 선택을 취소했습니다. 지금 대기열 모드는 **${p.mode}** 입니다: ${p.meaning}.`,
  unknown: (p) =>
    `"${p.name}" 이라는 대기열 모드는 없습니다. ${p.modes} 또는 \`default\` 중에서 골라 주세요.`,
  notAllowed: () =>
    '다른 사람도 함께 보는 곳이라 관리자만 대기열 모드를 바꿀 수 있습니다. 저와의 1:1 대화에서는 직접 바꾸실 수 있습니다.',
  adminsOnly: () => '채널이나 에이전트의 대기열 모드는 관리자만 바꿀 수 있습니다.',
};

export const queueMessages = localized({ en: queueEn, ko: queueKo });
