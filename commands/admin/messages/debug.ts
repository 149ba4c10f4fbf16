import { localized } from '#src/kernel/locale.ts';

/** `/debug`. */
const debugEn = {
  verdicts: {
    allow: 'allowed',
    deny: 'refused',
    'require-approval': 'asks a person first',
    continue: 'goes on',
  },
  decidedBy: (p: { readonly stage: string; readonly reason: string }) =>
    `This is so for you in this chat. Decided by \`${p.stage}\` · ${p.reason}`,
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

export const debugMessages = localized({ en: debugEn, ko: debugKo });
