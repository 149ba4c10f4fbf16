import { localized } from '#src/kernel/locale.ts';

interface NoAnswer {
  readonly errorId: string;
  /** "in 40 seconds", or empty if unknown. */
  readonly wait: string;
}

/** Why an answer is missing or ends early. */
const failuresEn = {
  pipelineTimeout: (p: { readonly errorId: string }) =>
    `That took too long, so I stopped. Please try again, or ask for less at once. (error ${p.errorId})`,
  laneTimeout: (p: { readonly errorId: string }) =>
    `So many people are asking at the moment that I couldn’t get to your question in time. Please send it again in a few minutes. (error ${p.errorId})`,
  laneShareTimeout: (p: { readonly errorId: string }) =>
    `Your earlier questions took so long that I couldn’t get to this one. Please send it again when they are answered. (error ${p.errorId})`,
  executionFailed: (p: { readonly errorId: string }) =>
    `Something went wrong while I was writing the answer. Please try again. (error ${p.errorId})`,
  deliveryFailed: (p: { readonly errorId: string }) =>
    `The platform did not accept all of my answer. Please ask again, or for a shorter one. (error ${p.errorId})`,
  restored: (p: { readonly errorId: string }) =>
    `My data was restored from a backup, and I cannot tell whether I have answered this. If I have not, please send it again. (error ${p.errorId})`,
  internalError: (p: { readonly errorId: string }) =>
    `Something went wrong on my side. Please try again; if it keeps happening, tell the operator. (error ${p.errorId})`,
  noAnswer: {
    'rate-limited': (p: NoAnswer) =>
      `The AI service has reached its limit. Please ask again ${p.wait || 'in a minute'}. (error ${p.errorId})`,
    unavailable: (p: NoAnswer) =>
      `The AI service cannot be reached at the moment. Please ask again ${p.wait || 'in a few minutes'}; \`/price\` works meanwhile. (error ${p.errorId})`,
    'key-refused': (p: NoAnswer) =>
      `The AI service does not accept this bot's key. Please tell the operator. (error ${p.errorId})`,
    'too-long': (p: NoAnswer) =>
      `This conversation has become too long for the model. Start a new one with \`/reset\` and ask again. (error ${p.errorId})`,
    'message-too-long': (p: NoAnswer) =>
      `Your message, with the files in it, is longer than the model can read at once. Please shorten it, or send it in parts. (error ${p.errorId})`,
    refused: (p: NoAnswer) =>
      `The model declined to answer this. Please put it another way. (error ${p.errorId})`,
    'message-refused': (p: NoAnswer) =>
      `The AI service refused this message, so I could not answer it. Please rephrase it and send it again. (error ${p.errorId})`,
    empty: (p: NoAnswer) =>
      `The model gave only empty answers. Please put the question another way. (error ${p.errorId})`,
    'user-budget': (p: NoAnswer) =>
      `Your budget for today is used up. You can ask again ${p.wait || 'tomorrow'}; commands such as \`/price\` still work. (error ${p.errorId})`,
    'total-budget': (p: NoAnswer) =>
      `This bot's budget for today is used up. You can ask again ${p.wait || 'tomorrow'}; commands such as \`/price\` still work. (error ${p.errorId})`,
    'budget-busy': (p: NoAnswer) =>
      `Other questions under way have reserved what is left of today's budget. Please ask again in a minute. (error ${p.errorId})`,
  },
  /** Below an answer of the offline model in place of an AI model that failed. */
  withoutAi: {
    'rate-limited': () => '_Answered without AI: the AI service has reached its limit._',
    unavailable: () => '_Answered without AI: the AI service cannot be reached._',
    'key-refused': () => "_Answered without AI: the AI service does not accept this bot's key._",
  },
  stopped: () => 'Stopped.',
  emptyAnswer: () => 'I have no answer to that. Please put it another way.',
  answerCut: () => '_The answer ended here at its length limit. Ask me to go on, or for a shorter one._',
  maxTurns: () => 'I stopped here because this needed too many steps. Please ask for a smaller part of it.',
  /** Posted in the chat in which an alert was set, if its owner cannot be reached directly. */
  alertNotDelivered: () =>
    'One of your alerts fired, but I cannot send you direct messages. Please allow them, and I will send it within the hour; or set your alerts again with `here`, so that they are posted here.',
};

const failuresKo: typeof failuresEn = {
  pipelineTimeout: (p) =>
    `처리 시간이 초과되어 중단했습니다. 다시 시도하시거나 질문을 나누어 주세요. (오류 ${p.errorId})`,
  laneTimeout: (p) =>
    `지금 질문이 많아 제시간에 답해 드리지 못했습니다. 몇 분 뒤에 다시 보내 주세요. (오류 ${p.errorId})`,
  laneShareTimeout: (p) =>
    `먼저 보내신 질문들이 오래 걸려 이 질문은 차례가 오지 않았습니다. 답변이 끝난 뒤 다시 보내 주세요. (오류 ${p.errorId})`,
  executionFailed: (p) => `응답을 만드는 중 문제가 발생했습니다. 다시 시도해 주세요. (오류 ${p.errorId})`,
  deliveryFailed: (p) =>
    `답변의 일부를 전송하지 못했습니다. 다시 묻거나 더 짧은 답변을 요청해 주세요. (오류 ${p.errorId})`,
  restored: (p) =>
    `백업에서 데이터를 복원했기 때문에 이 메시지에 이미 답했는지 알 수 없습니다. 아직 답을 못 받으셨다면 다시 보내 주세요. (오류 ${p.errorId})`,
  internalError: (p) =>
    `내부 문제가 발생했습니다. 다시 시도해 주시고, 계속되면 운영자에게 알려 주세요. (오류 ${p.errorId})`,
  noAnswer: {
    'rate-limited': (p) =>
      `AI 서비스의 사용 한도에 도달했습니다. ${p.wait || '1분 후'}에 다시 물어봐 주세요. (오류 ${p.errorId})`,
    unavailable: (p) =>
      `지금은 AI 서비스에 연결할 수 없습니다. ${p.wait || '몇 분 후'}에 다시 물어봐 주세요. \`/price\`는 그대로 사용할 수 있습니다. (오류 ${p.errorId})`,
    'key-refused': (p) =>
      `AI 서비스가 이 봇의 키를 받아들이지 않습니다. 운영자에게 알려 주세요. (오류 ${p.errorId})`,
    'too-long': (p) =>
      `대화가 모델이 읽을 수 있는 길이를 넘었습니다. \`/reset\`으로 새로 시작한 뒤 다시 물어봐 주세요. (오류 ${p.errorId})`,
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
  withoutAi: {
    'rate-limited': () => '_AI 없이 답했어요: AI 서비스가 사용 한도에 도달했어요._',
    unavailable: () => '_AI 없이 답했어요: 지금은 AI 서비스에 연결되지 않아요._',
    'key-refused': () => '_AI 없이 답했어요: AI 서비스가 이 봇의 키를 받아들이지 않아요._',
  },
  stopped: () => '중단했습니다.',
  emptyAnswer: () => '드릴 답변이 없습니다. 다른 말로 물어봐 주세요.',
  answerCut: () => '_답변이 길이 제한에 닿아 여기서 끝났습니다. 이어서 요청하거나 더 짧게 물어봐 주세요._',
  maxTurns: () => '필요한 단계가 너무 많아 여기서 멈췄습니다. 질문을 조금 나누어 주세요.',
  alertNotDelivered: () =>
    '설정하신 알림의 조건이 충족되었지만 다이렉트 메시지를 보낼 수 없습니다. 다이렉트 메시지를 허용해 주시면 한 시간 안에 다시 보내 드립니다. 앞으로 채널에서 받으시려면 `여기`를 붙여 설정해 주세요.',
};

export const failureTexts = localized({ en: failuresEn, ko: failuresKo });

/** The button below an answer with numbers. */
const sourcesEn = { why: () => 'Why?' };

const sourcesKo: typeof sourcesEn = { why: () => '근거' };

export const sourceTexts = localized({ en: sourcesEn, ko: sourcesKo });
