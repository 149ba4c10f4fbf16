import { counted, localized } from '#src/kernel/locale.ts';
import type { QueueMode, QueueModeScope } from '#src/kernel/chat/queue.ts';

/** `/context`. */
const contextEn = {
  title: (p: { readonly model: string }) => `**Context window of ${p.model}**`,
  used: (p: { readonly used: string; readonly window: string; readonly share: string }) =>
    `${p.used} of ${counted(p.window, 'token')} used (${p.share})`,
  measured: () => 'as the last request measured it',
  estimated: () => 'estimated',
  sources: {
    systemPrompt: 'Instructions',
    tools: 'Tools',
    conversation: 'Conversation',
    toolResults: 'Results of tools',
    summary: 'Summary of older parts',
  },
  tokens: (p: { readonly tokens: string }) => counted(p.tokens, 'token'),
  messages: (p: { readonly count: number }) =>
    `The model reads ${counted(p.count, 'message')} of this conversation.`,
  passed: (p: { readonly share: string; readonly tokens: string }) =>
    `⚠️ More than ${p.share} of the ${counted(p.tokens, 'token')} that this conversation may take are used.`,
  compaction: (p: { readonly tokens: string }) =>
    `From ${counted(p.tokens, 'token')} on, I shorten the older parts of this conversation.`,
  reserve: (p: { readonly tokens: string }) =>
    `${counted(p.tokens, 'token is', 'tokens are')} kept free for the answer.`,
  hint: () => '`/reset` starts over with an empty conversation.',
};

const contextKo: typeof contextEn = {
  title: (p) => `**${p.model} 컨텍스트**`,
  used: (p) => `전체 ${p.window}토큰 중 ${p.used}토큰 사용 (${p.share})`,
  measured: () => '최근 요청에서 측정',
  estimated: () => '추정치',
  sources: {
    systemPrompt: '기본 지침',
    tools: '도구 설명',
    conversation: '대화',
    toolResults: '도구 결과',
    summary: '이전 대화 요약',
  },
  tokens: (p) => `${p.tokens}토큰`,
  messages: (p) => `모델이 읽는 이 대화의 메시지: ${p.count.toLocaleString('ko-KR')}개`,
  passed: (p) => `⚠️ 이 대화에 쓸 수 있는 ${p.tokens}토큰 중 ${p.share} 넘게 사용했습니다.`,
  compaction: (p) => `${p.tokens}토큰을 넘으면 이 대화의 오래된 부분을 줄입니다.`,
  reserve: (p) => `답변을 위해 ${p.tokens}토큰을 비워 둡니다.`,
  hint: () => '`/reset`으로 빈 대화에서 다시 시작할 수 있습니다.',
};

export const contextTexts = localized({ en: contextEn, ko: contextKo });

/** `/help`. */
const helpEn = {
  title: () => '**What I can do**',
  footer: () =>
    'Or just ask: "How is Apple doing today?" — `/help <command>` explains one command, `/help all` lists all.',
  aliases: (p: { readonly aliases: string }) => `Also: ${p.aliases}`,
  unknown: (p: { readonly name: string }) =>
    `There is no command \`${p.name}\`. \`/help all\` lists them all.`,
  categories: { general: 'General', finance: 'Markets', admin: 'Administration', debug: 'Diagnostics' },
};

const helpKo: typeof helpEn = {
  title: () => '**사용 가능한 명령어**',
  footer: () =>
    '그냥 물어보셔도 됩니다: "삼성전자 지금 얼마야?" — `/help <명령어>`로 자세히, `/help 전체`로 모두 볼 수 있습니다.',
  aliases: (p) => `다른 이름: ${p.aliases}`,
  unknown: (p) => `\`${p.name}\` 명령어는 없습니다. \`/help 전체\`로 전체 목록을 볼 수 있습니다.`,
  categories: { general: '일반', finance: '시장', admin: '관리', debug: '진단' },
};

export const helpTexts = localized({ en: helpEn, ko: helpKo });

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

/** `/queue`. */
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
  choices: () => '`/queue <모드>`로 바꾸고, `/queue default`로 되돌립니다:',
  choice: (p) => `\`${p.mode}\` 모드 — ${p.meaning}`,
  set: (p) => `이제 ${p.scope}의 대기열 모드는 **${p.mode}**입니다: ${p.meaning}.`,
  cleared: (p) =>
    `${p.scope}에 대한 선택을 취소했습니다. 지금 대기열 모드는 **${p.mode}**입니다: ${p.meaning}.`,
  unknown: (p) =>
    `"${p.name}"(이)라는 대기열 모드는 없습니다. ${p.modes} 또는 \`default\` 중에서 골라 주세요.`,
  notAllowed: () =>
    '다른 사람도 함께 보는 곳이라 관리자만 대기열 모드를 바꿀 수 있습니다. 다이렉트 메시지에서는 직접 바꾸실 수 있습니다.',
  adminsOnly: () => '채널이나 에이전트의 대기열 모드는 관리자만 바꿀 수 있습니다.',
};

export const queueTexts = localized({ en: queueEn, ko: queueKo });

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
    '이 대화에 참여한 사람이나 서버 관리자만 초기화할 수 있습니다. 그분들께 `/reset`을 요청해 주세요.',
  managersOnly: () =>
    '채널 전체가 함께 쓰는 대화입니다. 서버(워크스페이스) 관리자나 봇 관리자만 초기화할 수 있으니 그분들께 요청해 주세요.',
  notYours: () =>
    '다른 분의 질문에 답변하는 중이거나 승인을 기다리는 요청이 있습니다. 지금은 봇 관리자나 서버 관리자만 이 대화를 초기화할 수 있습니다.',
  nothing: () => '초기화할 내용이 없습니다. 이미 새 대화입니다.',
};

export const resetTexts = localized({ en: resetEn, ko: resetKo });

/** `/stop`. */
const stopEn = {
  done: () => 'I stopped the answer.',
  nothing: () => 'There is nothing to stop: no answer is under way.',
  notYours: () => 'Only the person who asked, or an administrator, can stop this answer.',
  gaveUp: (p: { readonly count: number }) =>
    `I gave up what was waiting for a decision (${p.count.toLocaleString('en-US')}); it will not be done.`,
  waitsForOthers: () =>
    'No answer is under way. What waits for a decision here can be given up only by the person who asked, or by an administrator.',
};

const stopKo: typeof stopEn = {
  done: () => '답변을 중단했습니다.',
  nothing: () => '지금 진행 중인 답변이 없습니다.',
  notYours: () => '이 답변은 질문하신 분이나 관리자만 중단할 수 있습니다.',
  gaveUp: (p) =>
    `결정을 기다리던 작업 ${p.count.toLocaleString('ko-KR')}건을 취소했습니다. 이 작업은 하지 않습니다.`,
  waitsForOthers: () =>
    '지금 진행 중인 답변이 없습니다. 결정을 기다리는 작업은 요청하신 분이나 관리자만 취소할 수 있습니다.',
};

export const stopTexts = localized({ en: stopEn, ko: stopKo });
