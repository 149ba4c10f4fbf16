import { counted, localized } from '#src/kernel/locale.ts';

interface Model {
  readonly name: string;
  readonly id: string;
}

/** `/model`. */
const modelsEn = {
  current: (p: Model) => `**${p.name}** (\`${p.id}\`) answers in this conversation.`,
  chosen: () => 'It was chosen for this conversation.',
  configured: () => 'It is the configured model.',
  noneUsable: () => 'No key is switched on, so nothing else can answer.',
  price: (p: { readonly input: string; readonly output: string; readonly asOf: string }) =>
    `A million tokens: ${p.input} in, ${p.output} out (as of ${p.asOf})`,
  priceUnknown: () => 'price unknown',
  free: () => 'free of charge',
  fallbacks: (p: { readonly names: string }) => `If it does not answer: ${p.names}`,
  deprecated: () => 'deprecated',
  endOfLife: (p: { readonly date: string }) => `end of life ${p.date}`,
  hint: () =>
    '`/model list` shows the models to choose from, `/model <name>` chooses one, `/model default` goes back to the configured one.',
  listTitle: () => '**Models** — context window · skill with numbers · price of a million tokens in / out',
  pricesAsOf: (p: { readonly dates: string }) => `Prices as of ${p.dates}`,
  usable: () => 'Ready to use',
  unusable: () => 'Not available here (no key, or not served)',
  contextWindow: (p: { readonly tokens: string }) => counted(p.tokens, 'token'),
  numbers: { high: 'strong with numbers', medium: 'fair with numbers', low: 'weak with numbers' },
  standIn: (p: { readonly model: string; readonly chosen: string }) =>
    `_${p.model} answered because ${p.chosen} could not; it is weaker with numbers, so please check the figures._`,
  inUse: () => 'in use here',
  switched: (p: { readonly name: string }) =>
    `From the next message on, **${p.name}** answers in this conversation.`,
  backToDefault: (p: { readonly name: string }) =>
    `From the next message on, the configured model answers here again: **${p.name}**.`,
  adminsOnly: () =>
    'In groups and channels only administrators switch the model. In a direct chat with me you can choose your own.',
  unknown: (p: { readonly name: string }) =>
    `I do not know a model "${p.name}". \`/model list\` shows the models to choose from.`,
  suggest: (p: { readonly name: string; readonly choices: string }) =>
    `I do not know a model "${p.name}". Did you mean ${p.choices}?`,
  notAllowed: (p: { readonly name: string; readonly choices: string }) =>
    `Only administrators can choose **${p.name}** here; you can choose ${p.choices}.`,
  tooSmall: (p: { readonly name: string; readonly tokens: string }) =>
    `**${p.name}** reads only ${counted(p.tokens, 'token')} at once: beside my instructions and tools there is no room for a conversation. Choose another from \`/model list\`.`,
  noKey: (p: { readonly name: string; readonly provider: string }) =>
    `**${p.name}** is not available here: no key is set for ${p.provider}, or its server does not serve it.`,
};

const modelsKo: typeof modelsEn = {
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
    '`/model list`로 선택할 수 있는 모델을 보고, `/model <이름>`으로 선택하고, `/model default`로 기본 모델로 돌아갈 수 있습니다.',
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
  backToDefault: (p) => `다음 메시지부터 이 대화에서는 기본으로 설정된 **${p.name}** 모델이 다시 답변합니다.`,
  adminsOnly: () =>
    '그룹과 채널에서는 관리자만 모델을 바꿀 수 있습니다. 다이렉트 메시지에서는 직접 선택하실 수 있습니다.',
  unknown: (p) =>
    `"${p.name}" 모델을 찾지 못했습니다. \`/model list\`로 선택할 수 있는 모델을 볼 수 있습니다.`,
  suggest: (p) => `"${p.name}" 모델을 찾지 못했습니다. 혹시 ${p.choices}인가요?`,
  notAllowed: (p) => `**${p.name}** 모델은 관리자만 선택할 수 있습니다. 선택할 수 있는 모델: ${p.choices}`,
  tooSmall: (p) =>
    `**${p.name}** 모델은 한 번에 ${p.tokens}토큰만 읽을 수 있어, 기본 지침과 도구를 넣으면 대화할 공간이 없습니다. \`/model list\`에서 다른 모델을 골라 주세요.`,
  noKey: (p) => `${p.provider} 키가 없거나 서버가 제공하지 않아 **${p.name}** 모델을 사용할 수 없습니다.`,
};

export const modelTexts = localized({ en: modelsEn, ko: modelsKo });
