import { counted, localized } from '#src/kernel/locale.ts';

interface Limit {
  readonly found: string;
  readonly limit: string;
}

/** Why a message is not accepted. */
const intakeEn = {
  messageTooLong: (p: Limit) =>
    `Your message has ${counted(p.found, 'character')}; I read up to ${p.limit}. Please send it in smaller pieces.`,
  commandTooLong: (p: Limit) =>
    `Your command has ${counted(p.found, 'character')}; this one may have up to ${p.limit}. Please shorten it, or split it up.`,
  messageHoldsKey: () =>
    'Your message contains what looks like a secret key, so I neither stored nor used it. If others could read it, please revoke that key. Keys are added with `/keys add anthropic` or `/keys add openai`: as a slash command on Discord and Slack, which opens a form, or in the terminal the bot runs in.',
  queueFull: (p: { readonly limit: number }) =>
    `${counted(p.limit, 'message is', 'messages are')} still waiting in this conversation, so I did not take this one. Please send it again in a moment.`,
  personQueueFull: (p: { readonly limit: number }) =>
    `${p.limit} of your messages are still waiting, counted over all conversations, so I did not take this one. Please send it again when some of them are answered, or end an answer with \`/stop\`.`,
};

const intakeKo: typeof intakeEn = {
  messageTooLong: (p) =>
    `메시지가 ${p.found}자입니다. 한 번에 ${p.limit}자까지 읽을 수 있으니 나누어 보내 주세요.`,
  commandTooLong: (p) =>
    `명령이 ${p.found}자입니다. 이 명령은 ${p.limit}자까지 쓸 수 있으니 줄이거나 나누어 보내 주세요.`,
  messageHoldsKey: () =>
    '메시지에 비밀 키로 보이는 내용이 있어 저장하지도 사용하지도 않았습니다. 다른 사람이 볼 수 있었다면 그 키를 폐기해 주세요. 키는 `/keys add anthropic` 또는 `/keys add openai`로 추가합니다. Discord와 Slack에서는 슬래시 명령으로 실행하면 입력 양식이 열리고, 봇이 실행 중인 터미널에서도 추가할 수 있습니다.',
  queueFull: (p) =>
    `이 대화에 아직 처리 중인 메시지가 ${p.limit}개 있어 이번 메시지는 받지 못했습니다. 잠시 후 다시 보내 주세요.`,
  personQueueFull: (p) =>
    `여러 대화에서 보내신 메시지 ${p.limit}개가 아직 처리 중이라 이번 메시지는 받지 못했습니다. 답변을 받은 뒤 다시 보내시거나 \`/stop\`으로 진행 중인 답변을 멈춰 주세요.`,
};

export const intakeTexts = localized({ en: intakeEn, ko: intakeKo });
