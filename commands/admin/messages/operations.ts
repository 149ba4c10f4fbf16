import { counted, localized } from '#src/kernel/locale.ts';

const ko = (count: number): string => count.toLocaleString('ko-KR');

/** Sentences about operations, in both languages. */
const operationsEn = {
  lastRuns: {
    title: (p: { readonly count: number }) =>
      p.count === 1
        ? '**The last message of this conversation**'
        : `**The last ${p.count} messages of this conversation, the newest first**`,
    none: () =>
      'No message of this conversation has been handled since I was started. Send one, then ask again.',
    done: () => 'went well',
    failed: () => 'did not go well',
    actions: {
      continue: 'went on',
      skip: 'ended here',
      suspend: 'waits for a decision',
      abort: 'failed',
      failed: 'failed',
      interrupted: 'was interrupted',
    },
    reason: (p: { readonly reason: string }) => `Why it ended: ${p.reason}`,
    errorId: (p: { readonly errorId: string }) => `Error id: ${p.errorId} (the log tells more under this id)`,
    requests: () => 'Requests to models (the provider finds them by these ids):',
    outcomes: { ok: 'answered', failed: 'failed' },
    requestId: (p: { readonly id: string }) => `request ${p.id}`,
    responseId: (p: { readonly id: string }) => `answer ${p.id}`,
  },
  status: {
    title: (p: { readonly version: string; readonly uptime: string; readonly memory: string }) =>
      `**FinClaw ${p.version}** — up for ${p.uptime} · ${p.memory} of memory`,
    channels: (p: { readonly list: string }) => `**Channels** — ${p.list}`,
    connected: () => 'connected',
    disconnected: () => '⚠️ not connected',
    queue: (p: { readonly sessions: number; readonly running: number; readonly waiting: number }) =>
      `**Queue** — ${counted(p.sessions, 'conversation')} · ${p.running.toLocaleString('en-US')} running · ${p.waiting.toLocaleString('en-US')} waiting`,
    conversation: (p: { readonly state: string; readonly waiting: number; readonly mode: string }) =>
      `**This conversation** — ${p.state} · ${p.waiting.toLocaleString('en-US')} waiting · mode ${p.mode}`,
    running: () => 'an answer is under way',
    idle: () => 'no answer is under way',
    modeSetFor: {
      session: 'set for this conversation',
      channel: 'set for this channel',
      guild: 'set for this server',
      agent: 'set for this agent',
      default: 'the default',
    },
    lanes: (p: { readonly list: string }) => `**Lanes** — ${p.list}`,
    laneWaiting: (p: { readonly count: number }) => `${p.count.toLocaleString('en-US')} waiting`,
    inbox: (p: { readonly pending: number; readonly suspended: number }) =>
      `**Inbox** — ${p.pending.toLocaleString('en-US')} not done · ${p.suspended.toLocaleString('en-US')} waiting for a decision`,
    breakers: (p: { readonly list: string }) => `**Failing services** — ${p.list}`,
    noBreakers: () => 'none',
    breakerStates: {
      open: '⚠️ not called for now',
      'half-open': 'about to be tried again',
      closed: 'failed lately, still called',
    },
    deadLetters: (p: { readonly count: number }) =>
      `**Given up** — ${counted(p.count, 'message')} failed again and again; the log tells more under the error id. The newest:`,
    noDeadLetters: () => '**Given up** — no message',
    attempts: (p: { readonly count: number }) => counted(p.count, 'attempt'),
    usageToday: (p: { readonly usage: string }) => `**Models today** — ${p.usage}`,
    plugins: (p: { readonly list: string }) => `**Plugins** — ${p.list}`,
    pluginFailures: (p: { readonly count: number }) =>
      `⚠️ ${counted(p.count, 'command')} failed; see the log`,
    pluginRefused: (p: { readonly reason: string }) => `⚠️ not loaded: ${p.reason}`,
  },
};

const operationsKo: typeof operationsEn = {
  lastRuns: {
    title: (p) =>
      p.count === 1 ? '**이 대화의 최근 메시지**' : `**이 대화의 최근 메시지 ${p.count}개 (최신순)**`,
    none: () => '봇이 시작된 뒤 이 대화에서 처리한 메시지가 없습니다. 메시지를 보낸 다음 다시 확인해 주세요.',
    done: () => '정상 처리',
    failed: () => '처리 실패',
    actions: {
      continue: '다음 단계로 진행',
      skip: '여기서 완료',
      suspend: '결정 대기',
      abort: '실패',
      failed: '실패',
      interrupted: '중단됨',
    },
    reason: (p) => `종료 사유: ${p.reason}`,
    errorId: (p) => `오류 ID: ${p.errorId} (이 ID로 로그에서 자세한 내용을 볼 수 있습니다)`,
    requests: () => '모델 요청 (제공업체에 문의할 때 아래 ID를 알려 주세요):',
    outcomes: { ok: '응답 받음', failed: '실패' },
    requestId: (p) => `요청 ID ${p.id}`,
    responseId: (p) => `응답 ID ${p.id}`,
  },
  status: {
    title: (p) => `**FinClaw ${p.version}** — 가동 시간 ${p.uptime} · 메모리 ${p.memory}`,
    channels: (p) => `**채널** — ${p.list}`,
    connected: () => '연결됨',
    disconnected: () => '⚠️ 연결 끊김',
    queue: (p) =>
      `**대기열** — 대화 ${ko(p.sessions)}개 · 실행 중 ${ko(p.running)}건 · 대기 ${ko(p.waiting)}건`,
    conversation: (p) => `**이 대화** — ${p.state} · 대기 ${ko(p.waiting)}건 · 모드 ${p.mode}`,
    running: () => '답변 진행 중',
    idle: () => '진행 중인 답변 없음',
    modeSetFor: {
      session: '이 대화에 지정됨',
      channel: '이 채널에 지정됨',
      guild: '이 서버에 지정됨',
      agent: '이 에이전트에 지정됨',
      default: '기본값',
    },
    lanes: (p) => `**동시 실행** — ${p.list}`,
    laneWaiting: (p) => `대기 ${ko(p.count)}건`,
    inbox: (p) => `**수신함** — 미완료 ${ko(p.pending)}건 · 결정 대기 ${ko(p.suspended)}건`,
    breakers: (p) => `**장애가 있는 서비스** — ${p.list}`,
    noBreakers: () => '없음',
    breakerStates: {
      open: '⚠️ 호출 중지',
      'half-open': '곧 다시 시도',
      closed: '최근 실패했으나 호출 중',
    },
    deadLetters: (p) =>
      `**처리하지 못한 메시지** — ${ko(p.count)}건이 거듭 실패했습니다. 오류 ID로 로그에서 자세한 내용을 볼 수 있습니다. 최근 항목:`,
    noDeadLetters: () => '**처리하지 못한 메시지** — 없음',
    attempts: (p) => `${ko(p.count)}회 시도`,
    usageToday: (p) => `**오늘의 모델 사용** — ${p.usage}`,
    plugins: (p) => `**플러그인** — ${p.list}`,
    pluginFailures: (p) => `⚠️ 명령 실행 실패 ${ko(p.count)}회, 로그 참조`,
    pluginRefused: (p) => `⚠️ 불러오지 못함: ${p.reason}`,
  },
};

export const operationsMessages = localized({ en: operationsEn, ko: operationsKo });
