import { portfolioKo } from './portfolio.ts';
import { portfolioActionsKo } from './portfolio-actions.ts';
import { portfolioImportKo } from './portfolio-import.ts';
import { performanceKo } from './performance.ts';
import { rebalanceKo } from './rebalance.ts';
import { taxKo } from './tax.ts';
import { alertsKo } from './alerts.ts';
import { watchlistKo } from './watchlist.ts';
import { briefingsKo } from './briefings.ts';
import { chatNoticesKo } from './chat-notices.ts';
import { identityKo } from './identity.ts';
import { symbolsKo } from './symbols.ts';
import { hoursKo } from './hours.ts';
import { analysisKo } from './analysis.ts';
import { chartsKo } from './charts.ts';
import { marketNewsKo } from './market-news.ts';
import { quotesKo } from './quotes.ts';
import { offlineKo } from './offline.ts';
import type { en } from './en.ts';
import { commandsKo } from './commands.ts';
import { gatesKo } from './gates.ts';
import { channelsKo } from './channels.ts';
import { webKo } from './web.ts';
import { guildKo } from './guild.ts';
import { liveKo } from './live.ts';
import { keysKo } from './keys.ts';
import { operationsKo } from './operations.ts';
import { privacyKo } from './privacy.ts';
import { profileKo } from './profile.ts';
import { queueKo } from './queue.ts';
import { settingsKo } from './settings.ts';
import { zonesKo } from './zones.ts';

/** Korean. */
export const ko: typeof en = {
  commands: commandsKo,
  portfolio: portfolioKo,
  portfolioImport: portfolioImportKo,
  portfolioActions: portfolioActionsKo,
  performance: performanceKo,
  tax: taxKo,
  rebalance: rebalanceKo,
  alerts: alertsKo,
  watchlist: watchlistKo,
  briefings: briefingsKo,
  chatNotices: chatNoticesKo,
  identity: identityKo,
  symbols: symbolsKo,
  hours: hoursKo,
  analysis: analysisKo,
  charts: chartsKo,
  marketNews: marketNewsKo,
  quotes: quotesKo,
  offline: offlineKo,
  live: liveKo,
  web: webKo,
  guild: guildKo,
  channels: channelsKo,
  gates: gatesKo,
  queue: queueKo,
  operations: operationsKo,
  settings: settingsKo,
  privacy: privacyKo,

  messageTooLong: (p) =>
    `메시지가 ${p.found}자입니다. 한 번에 ${p.limit}자까지 읽을 수 있으니 나누어 보내 주세요.`,
  commandTooLong: (p) =>
    `명령이 ${p.found}자입니다. 이 명령은 ${p.limit}자까지 쓸 수 있으니 줄이거나 나누어 보내 주세요.`,
  messageHoldsKey: () =>
    '메시지에 비밀 키로 보이는 내용이 있어 저장하지도 사용하지도 않았습니다. 다른 사람이 볼 수 있었다면 그 키를 폐기해 주세요. 키는 `/keys add anthropic` 또는 `/keys add openai` 로 추가합니다. Discord와 Slack에서는 슬래시 명령으로 실행하면 입력 양식이 열리고, 봇이 실행 중인 터미널에서도 추가할 수 있습니다.',
  queueFull: (p) =>
    `이 대화에 아직 처리 중인 메시지가 ${p.limit}개 있어 이번 메시지는 받지 못했습니다. 잠시 후 다시 보내 주세요.`,
  personQueueFull: (p) =>
    `여러 대화에서 보내신 메시지 ${p.limit}개가 아직 처리 중이라 이번 메시지는 받지 못했습니다. 답변을 받은 뒤 다시 보내시거나 \`/stop\` 으로 진행 중인 답변을 멈춰 주세요.`,

  pipelineTimeout: (p) =>
    `처리 시간이 초과되어 중단했습니다. 다시 시도하시거나 질문을 나누어 주세요. (오류 ${p.errorId})`,
  laneTimeout: (p) =>
    `지금 질문이 많아 제시간에 답해 드리지 못했습니다. 몇 분 뒤에 다시 보내 주세요. (오류 ${p.errorId})`,
  laneShareTimeout: (p) =>
    `먼저 보내신 질문들이 오래 걸려 이 질문은 차례가 오지 않았습니다. 답변이 끝난 뒤 다시 보내 주세요. (오류 ${p.errorId})`,
  executionFailed: (p) => `응답을 만드는 중 문제가 발생했습니다. 다시 시도해 주세요. (오류 ${p.errorId})`,
  deliveryFailed: (p) =>
    `답변의 일부를 전송하지 못했습니다. 다시 묻거나 더 짧은 답변을 요청해 주세요. (오류 ${p.errorId})`,
  internalError: (p) =>
    `내부 문제가 발생했습니다. 다시 시도해 주시고, 계속되면 운영자에게 알려 주세요. (오류 ${p.errorId})`,
  noAnswer: {
    'rate-limited': (p) =>
      `AI 서비스의 사용 한도에 도달했습니다. ${p.wait || '1분 후'}에 다시 물어봐 주세요. (오류 ${p.errorId})`,
    unavailable: (p) =>
      `지금은 AI 서비스에 연결할 수 없습니다. ${p.wait || '몇 분 후'}에 다시 물어봐 주세요. \`/price\` 는 그대로 사용할 수 있습니다. (오류 ${p.errorId})`,
    'key-refused': (p) =>
      `AI 서비스가 이 봇의 키를 받아들이지 않습니다. 운영자에게 알려 주세요. (오류 ${p.errorId})`,
    'too-long': (p) =>
      `대화가 모델이 읽을 수 있는 길이를 넘었습니다. \`/reset\` 으로 새로 시작한 뒤 다시 물어봐 주세요. (오류 ${p.errorId})`,
    'message-too-long': (p) =>
      `보내신 메시지(첨부 파일 포함)가 모델이 한 번에 읽을 수 있는 길이를 넘었습니다. 내용을 줄이거나 여러 번에 나누어 보내 주세요. (오류 ${p.errorId})`,
    refused: (p) => `모델이 이 질문에는 답하지 않았습니다. 다른 말로 물어봐 주세요. (오류 ${p.errorId})`,
    'message-refused': (p) =>
      `AI 서비스가 이 메시지의 처리를 거부해 답변하지 못했습니다. 표현을 바꿔 다시 보내 주세요. (오류 ${p.errorId})`,
    empty: (p) => `모델이 빈 답변만 보냈습니다. 질문을 다른 말로 바꿔 주세요. (오류 ${p.errorId})`,
    'user-budget': (p) =>
      `오늘 사용할 수 있는 예산을 모두 썼습니다. ${p.wait || '내일'} 다시 물어봐 주세요. \`/price\` 같은 명령어는 그대로 사용할 수 있습니다. (오류 ${p.errorId})`,
    'total-budget': (p) =>
      `이 봇의 오늘 예산이 모두 소진되었습니다. ${p.wait || '내일'} 다시 물어봐 주세요. \`/price\` 같은 명령어는 그대로 사용할 수 있습니다. (오류 ${p.errorId})`,
    'budget-busy': (p) =>
      `지금 처리 중인 다른 질문들이 오늘 남은 예산을 모두 사용하고 있습니다. 1분 뒤에 다시 물어봐 주세요. (오류 ${p.errorId})`,
  },
  alertNotDelivered: () =>
    '설정하신 알림의 조건이 충족되었지만 개인 메시지를 보낼 수 없습니다. 개인 메시지를 허용해 주시면 한 시간 안에 다시 보내 드립니다. 앞으로 채널에서 받으시려면 `여기`를 붙여 설정해 주세요.',
  stopped: () => '중단했습니다.',
  emptyAnswer: () => '드릴 답변이 없습니다. 다른 말로 물어봐 주세요.',
  answerCut: () => '_답변이 길이 제한에 닿아 여기서 끝났습니다. 이어서 요청하거나 더 짧게 물어봐 주세요._',
  maxTurns: () => '필요한 단계가 너무 많아 여기서 멈췄습니다. 질문을 조금 나누어 주세요.',

  unknownCommand: (p) =>
    `\`/${p.name}\` 명령어는 없습니다. 혹시 \`/${p.nearest}\`인가요? \`/help\` 로 전체 목록을 볼 수 있습니다.`,
  missingRole: (p) => `\`/${p.name}\` 명령어는 관리자만 사용할 수 있습니다.`,
  cooldown: (p) => `\`/${p.name}\` 명령어는 ${p.wait}에 다시 사용할 수 있습니다.`,
  helpTitle: () => '**사용 가능한 명령어**',
  helpFooter: () =>
    '그냥 물어보셔도 됩니다: "삼성전자 지금 얼마야?" — `/help <명령어>` 로 자세히 볼 수 있습니다.',
  helpUsage: (p) => `사용법: \`${p.usage}\``,
  helpAliases: (p) => `다른 이름: ${p.aliases}`,
  helpUnknown: (p) => `\`${p.name}\` 명령어는 없습니다. \`/help\` 로 전체 목록을 볼 수 있습니다.`,
  categories: { general: '일반', finance: '시장', admin: '관리', debug: '진단' },
  resetDone: () => '대화를 초기화했습니다. 이전 내용은 더 이상 참고하지 않습니다.',
  resetDoneBy: (p) => `${p.name} 님이 대화를 초기화했습니다. 이전 내용은 더 이상 참고하지 않습니다.`,
  resetNotTakenPart: () =>
    '이 대화에 참여한 사람이나 서버 관리자만 초기화할 수 있습니다. 그분들께 `/reset` 을 요청해 주세요.',
  resetManagersOnly: () =>
    '채널 전체가 함께 쓰는 대화입니다. 서버(워크스페이스) 관리자나 봇 관리자만 초기화할 수 있으니 그분들께 요청해 주세요.',
  resetNotYours: () =>
    '다른 분의 질문에 답변하는 중이거나 승인을 기다리는 요청이 있습니다. 지금은 봇 관리자나 서버 관리자만 이 대화를 초기화할 수 있습니다.',
  resetNothing: () => '초기화할 내용이 없습니다. 이미 새 대화입니다.',

  sampleMark: () => '⚠️ **샘플 (SAMPLE)** — 실제 시세가 아닌 예시 데이터입니다.',
  disclaimer: () => '_본 정보는 투자 조언이 아니며, 투자 결정은 본인의 판단과 책임 하에 이루어져야 합니다._',

  // Models, usage and keys
  models: {
    current: (p) => `이 대화에서는 **${p.name}** (\`${p.id}\`) 모델이 답변합니다.`,
    chosen: () => '이 대화에서 직접 선택한 모델입니다.',
    configured: () => '설정에 지정된 기본 모델입니다.',
    noneUsable: () => '켜져 있는 키가 없어 다른 모델은 답할 수 없습니다.',
    price: (p) => `100만 토큰당 가격: 입력 ${p.input}, 출력 ${p.output} (${p.asOf} 기준)`,
    priceUnknown: () => '가격 정보 없음',
    free: () => '무료',
    fallbacks: (p) => `응답하지 못할 때 대신 사용할 모델: ${p.names}`,
    deprecated: () => '지원 중단 예정',
    endOfLife: (p) => `${p.date} 종료`,
    hint: () =>
      '`/model list` 로 선택할 수 있는 모델을 보고, `/model <이름>` 으로 선택하고, `/model default` 로 기본 모델로 돌아갈 수 있습니다.',
    listTitle: () => '**모델 목록** — 컨텍스트 크기 · 숫자 계산 능력 · 100만 토큰당 입력 / 출력 가격',
    pricesAsOf: (p) => `가격은 ${p.dates} 기준입니다.`,
    usable: () => '사용 가능',
    unusable: () => '사용할 수 없음 (키가 없거나 서버가 제공하지 않음)',
    contextWindow: (p) => `${p.tokens}토큰`,
    numbers: { high: '숫자 계산에 강함', medium: '숫자 계산 보통', low: '숫자 계산에 약함' },
    standIn: (p) =>
      `_선택된 모델(${p.chosen})이 응답하지 못해 숫자 계산에 더 약한 모델(${p.model})이 대신 답변했으니, 수치는 다시 확인해 주세요._`,
    inUse: () => '이 대화에서 사용 중',
    switched: (p) => `다음 메시지부터 이 대화에서는 **${p.name}** 모델이 답변합니다.`,
    backToDefault: (p) =>
      `다음 메시지부터 이 대화에서는 기본으로 설정된 **${p.name}** 모델이 다시 답변합니다.`,
    adminsOnly: () =>
      '그룹과 채널에서는 관리자만 모델을 바꿀 수 있습니다. 저와의 1:1 대화에서는 직접 선택하실 수 있습니다.',
    unknown: (p) =>
      `"${p.name}" 모델을 찾지 못했습니다. \`/model list\` 로 선택할 수 있는 모델을 볼 수 있습니다.`,
    suggest: (p) => `"${p.name}" 모델을 찾지 못했습니다. 혹시 ${p.choices}인가요?`,
    notAllowed: (p) => `**${p.name}** 모델은 관리자만 선택할 수 있습니다. 선택할 수 있는 모델: ${p.choices}`,
    tooSmall: (p) =>
      `**${p.name}** 모델은 한 번에 ${p.tokens}토큰만 읽을 수 있어, 기본 지침과 도구를 넣으면 대화할 공간이 없습니다. \`/model list\` 에서 다른 모델을 골라 주세요.`,
    noKey: (p) => `${p.provider} 키가 없거나 서버가 제공하지 않아 **${p.name}** 모델을 사용할 수 없습니다.`,
  },
  usage: {
    title: () => '**내 모델 사용량**',
    titleAll: () => '**전체 모델 사용량**',
    today: () => '오늘',
    month: () => '이번 달',
    conversation: () => '이 대화',
    nothing: () => '이번 달에는 아직 사용 내역이 없습니다.',
    nothingToday: () => '아직 사용 내역 없음',
    requests: (p) => `요청 ${p.count.toLocaleString('ko-KR')}건`,
    failed: (p) => `실패 ${p.count.toLocaleString('ko-KR')}건`,
    unpriced: (p) => `가격을 알 수 없는 요청 ${p.count.toLocaleString('ko-KR')}건 제외`,
    tokensIn: (p) => `입력 ${p.tokens}토큰`,
    tokensOut: (p) => `출력 ${p.tokens}토큰`,
    fromCache: (p) => `캐시 ${p.share}`,
    limit: (p) => `내 하루 한도: ${p.limit}, 오늘 ${p.left} 남음`,
    limitAll: (p) => `전체 하루 한도: ${p.limit}, 오늘 ${p.left} 남음`,
    limitShared: (p) => `모두가 함께 쓰는 하루 한도: ${p.limit}`,
  },
  stop: {
    done: () => '답변을 중단했습니다.',
    nothing: () => '지금 진행 중인 답변이 없습니다.',
    notYours: () => '이 답변은 질문하신 분이나 관리자만 중단할 수 있습니다.',
    gaveUp: (p) =>
      `결정을 기다리던 작업 ${p.count.toLocaleString('ko-KR')}건을 취소했습니다. 이 작업은 하지 않습니다.`,
    waitsForOthers: () =>
      '지금 진행 중인 답변이 없습니다. 결정을 기다리는 작업은 요청하신 분이나 관리자만 취소할 수 있습니다.',
  },
  context: {
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
    hint: () => '`/reset` 으로 빈 대화에서 다시 시작할 수 있습니다.',
  },
  export: {
    done: (p) => `마지막 \`/reset\` 이후 나눈 대화를 파일로 보내 드립니다: \`${p.name}\``,
    nothing: () => '아직 내보낼 대화가 없습니다.',
    directOnly: () => '대화는 1:1 대화에서만 파일로 보내 드립니다. 저에게 직접 `/export` 를 보내 주세요.',
  },
  profile: profileKo,
  zones: zonesKo,
  keys: keysKo,

  debug: {
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
  },

  approvals: {
    ask: (p) =>
      `❓ **${p.asker === undefined ? '이 작업을 해도 될까요?' : `${p.asker} 님의 요청입니다. 이 작업을 해도 될까요?`}** ${p.why}${p.isRepeated ? ' (다시 시작되기 전에 드렸던 질문입니다.)' : ''}\n${p.summary}\n_${p.minutes}분 안에 답이 없으면 하지 않습니다._`,
    why: {
      own: () => '저장된 내 정보를 바꾸는 작업입니다.',
      transactional: () => '쉽게 되돌릴 수 없는 변경입니다.',
      loop: () => '같은 호출이 계속 반복되고 있습니다.',
      policy: () => '먼저 여쭤보도록 설정되어 있습니다.',
    },
    yesNo: () => '허용하려면 **y**, 거절하려면 **n** 을 입력해 주세요.',
    byCommand: (p) => `허용하려면 \`/approve ${p.code}\`, 거절하려면 \`/deny ${p.code}\` 를 입력해 주세요.`,
    approved: (p) => `허용했습니다: ${p.what}`,
    denied: (p) => `거절하셔서 하지 않습니다: ${p.what}`,
    givenUp: (p) => `취소되어 하지 않았습니다: ${p.what}`,
    passedOver: (p) =>
      `다른 말씀을 하셔서 하지 않았습니다: ${p.what}. **다시**라고 하시면 다시 여쭤보겠습니다.`,
    unclear: (p) =>
      `네인지 아니요인지 알 수 없어 아직 아무것도 하지 않았습니다. **네** 또는 **아니요**로 답해 주세요: ${p.what}`,
    which: (p) =>
      `어느 것을 말씀하시나요? 번호로, 전부라면 **모두**라고 답해 주세요.\n${p.acts.map((act, index) => `${index + 1}. ${act}`).join('\n')}`,
    expired: (p) => `답하실 시간이 지나 하지 않았습니다: ${p.what}. **다시**라고 하시면 다시 여쭤보겠습니다.`,
    declined: () => '알겠습니다. 아무것도 하지 않았습니다.',
    notYours: () => '질문하신 분이나 지정된 승인자만 결정할 수 있습니다.',
    tooLate: () => '이미 결정되었거나 시간이 지났습니다. 지금은 아무 작업도 하지 않았습니다.',
    unknown: () => '그런 승인 요청은 없거나 이미 끝났습니다. 아무 작업도 하지 않았습니다.',
    nothing: () => '결정을 기다리는 작업이 없습니다.',
    several: (p) => `결정을 기다리는 작업이 여러 개입니다. 어느 것인가요?\n${p.codes}`,
    waiting: (p) => `결정을 기다리는 작업:\n${p.codes}`,
  },

  consoleWelcome: (p) => `FinClaw ${p.version} — 터미널 대화`,
  consoleHint: () =>
    '종목, 코인, 환율을 물어보거나 /help 를 입력하세요. Ctrl-C 는 답변을, 한 번 더 누르면 프로그램을 멈춥니다.',
  keyEntry: {
    usage: () =>
      '어느 제공자인가요? `/keys add anthropic` 또는 `/keys add openai` 를 입력하면 키를 물어봅니다.',
    paste: (p) => `${p.provider} 키를 붙여넣고 Enter를 누르세요. 화면에 표시되지 않으며, 빈 줄은 취소합니다.`,
    added: (p) =>
      `추가했습니다: ${p.provider}, ${p.name} (${p.masked}). ${
        p.isSaved
          ? '암호화하여 저장했습니다.'
          : '프로그램이 끝날 때까지 메모리에만 둡니다. 암호화하여 저장하려면 FINCLAW_SECRET_KEY 를 설정하세요.'
      }`,
    invalid: (p) => `${p.provider} 키의 형식이 아니어서 추가하지 않았습니다. 전체를 다시 복사해 주세요.`,
    failed: () => '키를 추가하지 못했습니다. 원인은 로그에 있습니다. 다시 시도해 주세요.',
    cancelled: () => '키를 추가하지 않았습니다.',
  },
  consoleFilesMissing: (p) => `${p.names} 파일을 찾지 못해 메시지만 보냅니다.`,
  consoleModel: (p) => `${p.model} 모델이 답합니다.`,
  consoleOffline: () => '작은 오프라인 모델이 답합니다.',
  consolePrices: {
    live: () => '시세는 Yahoo Finance와 Upbit에서 가져옵니다.',
    sample: () => '모든 시세는 체험용으로 만든 샘플(SAMPLE) 데이터입니다.',
    undecided: () =>
      '시세는 Yahoo Finance와 Upbit에서 가져오며, 연결할 수 없으면 샘플(SAMPLE) 데이터를 씁니다.',
  },
  consoleInvalidUtf8: (p) =>
    `${p.line}번째 줄은 올바른 UTF-8이 아니어서 건너뛰었습니다. UTF-8로 저장한 뒤 다시 보내 주세요.`,
  consoleNotStored: () => '메시지를 저장하지 못해 받지 않았습니다. 디스크 공간을 확인한 뒤 다시 보내 주세요.',
  consoleGoodbye: () => '안녕히 가세요.',
};
