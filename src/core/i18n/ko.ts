import type { en } from './en.ts';

/** Korean. */
export const ko: typeof en = {
  messageTooLong: (p) =>
    `메시지가 ${p.found}자입니다. 한 번에 ${p.limit}자까지 읽을 수 있으니 나누어 보내 주세요.`,
  queueFull: (p) =>
    `아직 처리 중인 메시지가 ${p.limit}개 있어 이번 메시지는 받지 못했습니다. 잠시 후 다시 보내 주세요.`,

  pipelineTimeout: (p) =>
    `처리 시간이 초과되어 중단했습니다. 다시 시도하시거나 질문을 나누어 주세요. (오류 ${p.errorId})`,
  executionFailed: (p) => `응답을 만드는 중 문제가 발생했습니다. 다시 시도해 주세요. (오류 ${p.errorId})`,
  deliveryFailed: (p) =>
    `답변의 일부를 전송하지 못했습니다. 다시 묻거나 더 짧은 답변을 요청해 주세요. (오류 ${p.errorId})`,
  internalError: (p) =>
    `내부 문제가 발생했습니다. 다시 시도해 주시고, 계속되면 운영자에게 알려 주세요. (오류 ${p.errorId})`,
  stopped: () => '중단했습니다.',
  emptyAnswer: () => '드릴 답변이 없습니다. 다른 말로 물어봐 주세요.',
  maxTurns: () => '필요한 단계가 너무 많아 여기서 멈췄습니다. 질문을 조금 나누어 주세요.',

  unknownCommand: (p) =>
    `\`/${p.name}\` 명령어는 없습니다. 혹시 \`/${p.nearest}\` 인가요? \`/help\` 로 전체 목록을 볼 수 있습니다.`,
  missingRole: (p) => `\`/${p.name}\` 명령어는 관리자만 사용할 수 있습니다.`,
  cooldown: (p) => `\`/${p.name}\` 명령어는 ${p.seconds}초 후에 다시 사용할 수 있습니다.`,
  helpTitle: () => '**사용 가능한 명령어**',
  helpFooter: () =>
    '그냥 물어보셔도 됩니다: "삼성전자 지금 얼마야?" — `/help <명령어>` 로 자세히 볼 수 있습니다.',
  helpUsage: (p) => `사용법: \`${p.usage}\``,
  helpAliases: (p) => `다른 이름: ${p.aliases}`,
  helpUnknown: (p) => `\`${p.name}\` 명령어는 없습니다. \`/help\` 로 전체 목록을 볼 수 있습니다.`,
  categories: { general: '일반', finance: '시장', admin: '관리', debug: '진단' },
  resetDone: () => '대화를 초기화했습니다. 이전 내용은 더 이상 참고하지 않습니다.',
  resetNothing: () => '초기화할 내용이 없습니다. 이미 새 대화입니다.',
  priceUsage: () => '어떤 종목인가요? 이름이나 코드를 적어 주세요. 예: `/price 삼성전자`, `/price AAPL`',
  tooManySymbols: (p) => `한 번에 ${p.limit}개 종목까지 조회할 수 있습니다.`,

  symbolUnknown: (p) =>
    `"${p.query}" 종목을 찾지 못했습니다. 이름을 확인하시거나 코드를 적어 주세요. 예: \`005930\`, \`AAPL\``,
  symbolSuggest: (p) => `"${p.query}" 종목을 찾지 못했습니다. 혹시 ${p.choices} 인가요?`,
  symbolAmbiguous: (p) => `"${p.query}"에 해당하는 종목이 여러 개입니다: ${p.choices}. 어느 것인가요?`,
  quoteUnavailable: (p) => `지금은 ${p.name} 시세를 가져올 수 없습니다. 잠시 후 다시 시도해 주세요.`,
  quote: {
    change: '전일 종가 대비',
    dayRange: '당일',
    yearRange: '52주',
    volume: '거래량',
    asOf: '기준',
    source: '출처',
    sampleSource: '샘플 데이터',
    points: '포인트',
    sessionStates: {
      pre: '장 시작 전',
      open: '장중',
      after: '시간외',
      closed: '장 마감',
      unknown: '장 상태 알 수 없음',
    },
  },
  sampleMark: () => '⚠️ **샘플 (SAMPLE)** — 실제 시세가 아닌 예시 데이터입니다.',
  disclaimer: () => '_본 정보는 투자 조언이 아니며, 투자 결정은 본인의 판단과 책임 하에 이루어져야 합니다._',

  offlineNote: () => '_오프라인 모델의 답변입니다. 시세 조회만 할 수 있습니다._',
  offlineGreeting: () =>
    '안녕하세요! 오프라인 모델로 동작 중인 FinClaw입니다. 시세를 조회할 수 있어요. "삼성전자 지금 얼마야?" 또는 `/help` 를 입력해 보세요.',
  offlineThanks: () => '도움이 되어 기쁩니다.',
  offlineCannot: () =>
    '저는 오프라인 모델이라 시세만 조회할 수 있고, 이 질문에는 답할 수 없습니다. "삼성전자 얼마야?" 또는 `/help` 를 입력해 보세요.',
  offlineAskWhich: () => '어떤 종목, 코인, 통화를 말씀하시나요? 예: "삼성전자 지금 얼마야?"',

  consoleWelcome: (p) => `FinClaw ${p.version} — 터미널 대화`,
  consoleHint: () =>
    '종목, 코인, 환율을 물어보거나 /help 를 입력하세요. Ctrl-C 는 답변을, 한 번 더 누르면 프로그램을 멈춥니다.',
  consoleOffline: () => '작은 오프라인 모델이 샘플 시세로 답합니다.',
  consoleInvalidUtf8: (p) =>
    `${p.line}번째 줄은 올바른 UTF-8이 아니어서 건너뛰었습니다. UTF-8로 저장한 뒤 다시 보내 주세요.`,
  consoleNotStored: () => '메시지를 저장하지 못해 받지 않았습니다. 디스크 공간을 확인한 뒤 다시 보내 주세요.',
  consoleGoodbye: () => '안녕히 가세요.',
};
