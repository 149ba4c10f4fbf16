import { counted, localized } from '#src/kernel/locale.ts';
import type { NumberCounts } from '#src/kernel/operations/status.ts';

/** `/debug`. */
const debugEn = {
  verdicts: {
    allow: 'allowed',
    deny: 'refused',
    'require-approval': 'asks a person first',
    continue: 'goes on',
  },
  decidedBy: (p: { readonly stage: string; readonly reason: string }) =>
    `This applies to you in this chat. Decided by \`${p.stage}\` · ${p.reason}`,
  tools: (p: { readonly names: string }) =>
    `Which tool? For example \`/debug policy get_quote\`. There are: ${p.names}`,
  noTools: () => 'There are no tools.',
  suggest: (p: { readonly name: string; readonly choices: string }) =>
    `There is no tool \`${p.name}\`. Did you mean ${p.choices}?`,
  unknown: (p: { readonly name: string; readonly names: string }) =>
    `There is no tool \`${p.name}\`. There are: ${p.names}`,
};

const debugKo: typeof debugEn = {
  verdicts: {
    allow: '허용',
    deny: '거부',
    'require-approval': '먼저 승인 요청',
    continue: '해당 없음',
  },
  decidedBy: (p) => `이 대화에서 본인에게 적용되는 판정입니다. 결정한 단계: \`${p.stage}\` · ${p.reason}`,
  tools: (p) => `어떤 도구인가요? 예: \`/debug policy get_quote\`. 도구 목록: ${p.names}`,
  noTools: () => '도구가 없습니다.',
  suggest: (p) => `\`${p.name}\` 도구는 없습니다. 혹시 ${p.choices}인가요?`,
  unknown: (p) => `\`${p.name}\` 도구는 없습니다. 도구 목록: ${p.names}`,
};

export const debugTexts = localized({ en: debugEn, ko: debugKo });

interface Key {
  readonly id: string;
  readonly masked: string;
}

const keysEn = {
  title: () => '**Keys of the model providers**',
  none: () =>
    'No key is set, so the offline model answers. Set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` in the environment (or in `.env`) and start me again, or add a key with `/keys add anthropic` as a slash command on Discord or Slack, or in the terminal that I run in.',
  hint: () =>
    '`/keys disable <id>`, `enable`, `prefer` and `remove` change added keys; the beginning of an id is enough.',
  sources: {
    profile: 'added key',
    environment: 'environment',
    config: 'configuration file',
    'aws-secrets': 'AWS Secrets Manager',
    default: 'default',
  },
  saved: () => 'saved encrypted',
  unsaved: () => 'in memory only',
  off: () => 'switched off',
  health: { healthy: 'healthy', degraded: 'some failures', unhealthy: 'failing', disabled: 'out of use' },
  cooldown: (p: { readonly left: string; readonly why: string | undefined }) =>
    `paused for another ${p.left}${p.why === undefined ? '' : ` (${p.why})`}`,
  disabled: (p: Key) => `Key \`${p.id}\` (${p.masked}) is switched off.`,
  enabled: (p: Key) => `Key \`${p.id}\` (${p.masked}) is switched on.`,
  removed: (p: Key) => `Key \`${p.id}\` (${p.masked}) is removed.`,
  preferred: (p: Key) => `Key \`${p.id}\` (${p.masked}) is used before the others from now on.`,
  unpreferred: (p: Key) => `Key \`${p.id}\` (${p.masked}) takes turns with the others again.`,
  first: () => 'used first',
  fixed: (p: { readonly id: string; readonly source: string }) =>
    `Key \`${p.id}\` cannot be changed here (source: ${p.source}). Please change it in the environment or in the configuration file, then start me again.`,
  unknown: () => 'There is no key with that id. `/keys` lists them all.',
  ambiguous: (p: { readonly ids: string }) =>
    `Several keys begin like that: ${p.ids}. Please give more of the id.`,
  add: () =>
    'A key is never sent as a chat message, because messages are stored. On Discord and Slack, call `/keys add anthropic` or `/keys add openai` as a slash command: a form opens for the key. In the terminal that I run in, the same line asks for it.',
  leaked: () =>
    '⚠️ If what you just sent was a real key, please revoke it at the provider and make a new one.',
  /** Slack takes 24 characters for a title. */
  form: {
    title: (p: { readonly provider: string }) => `Add ${p.provider} key`,
    submit: () => 'Add',
    key: () => 'API key',
    name: () => 'Name (optional)',
  },
};

const keysKo: typeof keysEn = {
  title: () => '**모델 API 키**',
  none: () =>
    '설정된 API 키가 없어 오프라인 모델이 답변합니다. 환경 변수(또는 `.env` 파일)에 `ANTHROPIC_API_KEY`나 `OPENAI_API_KEY`를 설정한 뒤 다시 시작하시거나, Discord나 Slack의 슬래시 명령 또는 봇이 실행 중인 터미널에서 `/keys add anthropic`으로 키를 추가해 주세요.',
  hint: () =>
    '추가한 키는 `/keys disable <ID>`로 끄고, `enable`로 켜고, `prefer`로 먼저 쓰고, `remove`로 삭제합니다. ID는 앞부분만 적으셔도 됩니다.',
  sources: {
    profile: '추가한 키',
    environment: '환경 변수',
    config: '설정 파일',
    'aws-secrets': 'AWS 시크릿 매니저(Secrets Manager)',
    default: '기본값',
  },
  saved: () => '암호화 저장됨',
  unsaved: () => '메모리에만 있음',
  off: () => '꺼짐',
  health: { healthy: '정상', degraded: '가끔 실패', unhealthy: '계속 실패', disabled: '사용 중지됨' },
  cooldown: (p) => `${p.left} 후 다시 사용${p.why === undefined ? '' : `(${p.why})`}`,
  disabled: (p) => `\`${p.id}\` 키(${p.masked})를 껐습니다.`,
  enabled: (p) => `\`${p.id}\` 키(${p.masked})를 켰습니다.`,
  removed: (p) => `\`${p.id}\` 키(${p.masked})를 삭제했습니다.`,
  preferred: (p) => `앞으로 \`${p.id}\` 키(${p.masked})를 먼저 사용합니다.`,
  unpreferred: (p) => `\`${p.id}\` 키(${p.masked})를 다시 다른 키와 번갈아 사용합니다.`,
  first: () => '먼저 사용',
  fixed: (p) =>
    `\`${p.id}\` 키는 여기에서 바꿀 수 없습니다(출처: ${p.source}). 환경 변수나 설정 파일에서 바꾼 뒤 다시 시작해 주세요.`,
  unknown: () => '그런 ID의 키는 없습니다. `/keys`로 전체 목록을 볼 수 있습니다.',
  ambiguous: (p) => `그렇게 시작하는 키가 여러 개입니다: ${p.ids}. ID를 조금 더 적어 주세요.`,
  add: () =>
    '메시지는 저장되므로 API 키는 채팅으로 보내지 않습니다. Discord와 Slack에서는 `/keys add anthropic` 또는 `/keys add openai`를 슬래시 명령으로 실행하면 키를 입력하는 양식이 열립니다. 봇이 실행 중인 터미널에서는 같은 명령으로 추가합니다.',
  leaked: () => '⚠️ 방금 실제 키를 보내셨다면 해당 서비스에서 그 키를 폐기하고 새로 발급받아 주세요.',
  form: {
    title: (p) => `${p.provider} 키 추가`,
    submit: () => '추가',
    key: () => 'API 키',
    name: () => '이름 (선택)',
  },
};

export const keyTexts = localized({ en: keysEn, ko: keysKo });

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
    processes: (p: { readonly count: number }) => `**Processes** — ${p.count.toLocaleString('en-US')}`,
    sessionsHeld: (p: { readonly count: number }) => `${counted(p.count, 'conversation')} now`,
    since: (p: { readonly at: string }) => `since ${p.at}`,
    thisProcess: () => 'this one',
    leads: () => 'runs alerts and briefings',
    numbers: (p: NumberCounts) =>
      `**Numbers in answers** — ${p.checked.toLocaleString('en-US')} checked · ${p.supported.toLocaleString('en-US')} in data · ${p.quoted.toLocaleString('en-US')} in text · ${p.derived.toLocaleString('en-US')} calculated · ${p.asked.toLocaleString('en-US')} asked about · ${p.repaired.toLocaleString('en-US')} corrected · ${p.marked.toLocaleString('en-US')} marked\n**Answers sent back to the model** — ${p.toRepair.toLocaleString('en-US')} of ${p.answers.toLocaleString('en-US')}`,
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
    processes: (p) => `**프로세스** — ${ko(p.count)}개`,
    sessionsHeld: (p) => `진행 중인 대화 ${ko(p.count)}개`,
    since: (p) => `${p.at} 시작`,
    thisProcess: () => '이 프로세스',
    leads: () => '알림·브리핑 담당',
    numbers: (p) =>
      `**답변 속 수치** — 확인 ${ko(p.checked)}개 · 데이터 ${ko(p.supported)}개 · 인용 ${ko(p.quoted)}개 · 계산 ${ko(p.derived)}개 · 재확인 ${ko(p.asked)}개 · 정정 ${ko(p.repaired)}개 · 미확인 표시 ${ko(p.marked)}개\n**모델이 다시 쓴 답변** — ${ko(p.answers)}개 중 ${ko(p.toRepair)}개`,
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

export const operationsTexts = localized({ en: operationsEn, ko: operationsKo });

/** Sentences about settings, in both languages. */
const settingsEn = {
  title: () => '**What the file and the environment set**',
  titleAll: () => '**All settings**',
  titleUnder: (p: { readonly prefix: string }) => `**Settings under \`${p.prefix}\`**`,
  general: () => 'General',
  variables: () => 'Environment variables',
  sources: { default: 'default', file: 'file', environment: 'environment' },
  onlyDefaults: () =>
    'Nothing is set: every setting has its default. `/config all` shows them all, `/config gates` one part.',
  hint: () =>
    'To change a setting, edit `finclaw.config.json` or the environment and start me again. Where both set it, the environment goes first. `/config all` shows all settings, `/config gates` one part.',
  suggest: (p: { readonly prefix: string; readonly choices: string }) =>
    `No setting begins with \`${p.prefix}\`. Did you mean ${p.choices}?`,
  unknown: (p: { readonly prefix: string; readonly parts: string }) =>
    `No setting begins with \`${p.prefix}\`. The parts are ${p.parts}.`,
};

const settingsKo: typeof settingsEn = {
  title: () => '**설정 파일과 환경 변수로 지정한 설정**',
  titleAll: () => '**전체 설정**',
  titleUnder: (p) => `**\`${p.prefix}\` 설정**`,
  general: () => '일반',
  variables: () => '환경 변수',
  sources: { default: '기본값', file: '설정 파일', environment: '환경 변수' },
  onlyDefaults: () =>
    '따로 지정한 설정이 없어 모두 기본값입니다. `/config all`로 전체를, `/config gates`처럼 적어 일부를 볼 수 있습니다.',
  hint: () =>
    '설정을 바꾸려면 `finclaw.config.json`이나 환경 변수를 수정한 뒤 다시 시작해 주세요. 둘 다 지정하면 환경 변수가 우선합니다. `/config all`로 전체를, `/config gates`처럼 적어 일부를 볼 수 있습니다.',
  suggest: (p) => `\`${p.prefix}\`로 시작하는 설정은 없습니다. 혹시 ${p.choices}인가요?`,
  unknown: (p) => `\`${p.prefix}\`로 시작하는 설정은 없습니다. 다음 중에서 골라 주세요: ${p.parts}`,
};

export const settingsTexts = localized({ en: settingsEn, ko: settingsKo });

/** `/dashboard`. */
const dashboardEn = {
  code: (p: { readonly code: string }) => `Your code for the operator page: \`${p.code}\``,
  sent: (p: { readonly isHere: boolean; readonly url: string; readonly at: string }) =>
    `Open ${p.url} and enter the code that I have just sent ${p.isHere ? 'here' : 'to our direct chat'}.\nIt works once, until ${p.at}. Do not pass it on: whoever enters it can do everything there that you can.\n\`/dashboard revoke\` ends your sessions.`,
  notSent: () =>
    'I could not send you the code directly. Allow direct messages from me, or write `/dashboard` to me in a direct chat.',
  off: () =>
    'The operator page is off. Set `FINCLAW_HTTP_PORT` (for instance to 8080) and restart me. `operator.enabled` must not be false, and with `FINCLAW_HTTP_HOST` it also needs `operator.publicUrl`.',
  revoked: (p: { readonly count: number }) =>
    p.count === 0
      ? 'You had no session on the operator page. A code that you did not use no longer works.'
      : `Ended ${counted(p.count, 'session')} of yours on the operator page. A code that you did not use no longer works.`,
};

const dashboardKo: typeof dashboardEn = {
  code: (p) => `운영 페이지 코드: \`${p.code}\``,
  sent: (p) =>
    `${p.url} 페이지를 열고, 방금 ${p.isHere ? '여기에' : '다이렉트 메시지로'} 보내 드린 코드를 입력하세요.\n${p.at}까지 한 번만 쓸 수 있습니다. 코드를 입력한 사람은 본인과 같은 권한을 가지니 다른 사람에게 알려 주지 마세요.\n\`/dashboard revoke\`로 내 세션을 모두 끝낼 수 있습니다.`,
  notSent: () =>
    '코드를 다이렉트 메시지로 보내지 못했습니다. 제 다이렉트 메시지를 허용하시거나, 저와의 다이렉트 메시지에서 `/dashboard`를 입력해 주세요.',
  off: () =>
    '운영 페이지가 꺼져 있습니다. `FINCLAW_HTTP_PORT`(예: 8080)를 설정하고 다시 시작해 주세요. `operator.enabled`가 false이면 안 되고, `FINCLAW_HTTP_HOST`를 쓰면 `operator.publicUrl`도 필요합니다.',
  revoked: (p) =>
    p.count === 0
      ? '운영 페이지에 열린 세션이 없었습니다. 쓰지 않은 코드도 이제 쓸 수 없습니다.'
      : `운영 페이지의 세션 ${ko(p.count)}개를 끝냈습니다. 쓰지 않은 코드도 이제 쓸 수 없습니다.`,
};

export const dashboardTexts = localized({ en: dashboardEn, ko: dashboardKo });

interface MadeBackup {
  readonly file: string;
  readonly size: string;
  readonly seconds: string;
  readonly rows: string;
  readonly kept: number;
}

interface ListedBackup {
  readonly file: string;
  readonly size: string;
  readonly at: string;
}

/** `/backup`. */
const backupEn = {
  made: (p: MadeBackup) =>
    `A backup was made in ${p.seconds} s and read back completely: ${p.file}, ${p.size}, ${p.rows} rows. Backups kept: ${p.kept}.`,
  encrypted: () => 'It is encrypted with `FINCLAW_BACKUP_KEY`.',
  open: () =>
    'It is not encrypted, and it holds everything that people have told me. Set `FINCLAW_BACKUP_KEY` to encrypt backups.',
  running: () => 'A backup is already being made. `/backup list` shows it when it is complete.',
  failed: (p: { readonly reason: string }) =>
    `No backup was made; the earlier ones are as they were. ${p.reason}\nIf the disk is full, or the directory may not be written to, change that or set \`backup.directory\`, and try again.`,
  title: (p: { readonly count: number }) => `**Backups (${p.count})**`,
  line: (p: ListedBackup) => `- ${p.file} · ${p.size} · ${p.at}`,
  upgrade: () => 'before an upgrade',
  none: () => 'There is no backup yet. `/backup` makes one.',
  every: (p: { readonly hours: number }) =>
    p.hours === 0
      ? 'Automatic backups are off (`backup.everyHours`).'
      : `A backup is made every ${counted(p.hours, 'hour')}.`,
};

const backupKo: typeof backupEn = {
  made: (p) =>
    `백업을 만들고 전체를 다시 읽어 확인했습니다(${p.seconds}초): ${p.file}, ${p.size}, ${p.rows}행. 보관 중인 백업: ${p.kept}개.`,
  encrypted: () => '`FINCLAW_BACKUP_KEY`로 암호화했습니다.',
  open: () =>
    '암호화되지 않았으며 사용자들이 알려 준 모든 내용이 들어 있습니다. 백업을 암호화하려면 `FINCLAW_BACKUP_KEY`를 설정하세요.',
  running: () => '이미 백업을 만들고 있습니다. 끝나면 `/backup list`에 나타납니다.',
  failed: (p) =>
    `백업을 만들지 못했습니다. 이전 백업은 그대로 있습니다. 원인: ${p.reason}\n디스크 공간이 부족하거나 디렉터리에 쓸 수 없다면 이를 해결하거나 \`backup.directory\`를 바꾼 뒤 다시 시도해 주세요.`,
  title: (p) => `**백업 (${p.count}개)**`,
  line: (p) => `- ${p.file} · ${p.size} · ${p.at}`,
  upgrade: () => '업그레이드 전',
  none: () => '아직 백업이 없습니다. `/backup`으로 만들 수 있습니다.',
  every: (p) =>
    p.hours === 0
      ? '자동 백업이 꺼져 있습니다(`backup.everyHours`).'
      : `${p.hours}시간마다 자동으로 백업합니다.`,
};

export const backupTexts = localized({ en: backupEn, ko: backupKo });
