import { localized } from '#src/kernel/locale.ts';

const consoleEn = {
  welcome: (p: { readonly version: string }) => `FinClaw ${p.version} — terminal chat`,
  hint: () =>
    'Ask about a stock, a coin or a currency, or type /help. Tab completes. Ctrl-C stops an answer, and once more ends the program.',
  filesMissing: (p: { readonly names: string }) => `I did not find ${p.names}; your message goes without it.`,
  model: (p: { readonly model: string }) => `${p.model} answers.`,
  offline: () => 'A small offline model answers.',
  prices: {
    live: () => 'Prices come from Yahoo Finance and Upbit.',
    sample: () => 'All prices are SAMPLE data: made up, to try things out.',
    undecided: () =>
      'Prices come from Yahoo Finance and Upbit; where they cannot be reached, they are SAMPLE data.',
  },
  notStored: () =>
    'Your message could not be stored, so I did not take it. Please check disk space and try again.',
  goodbye: () => 'Goodbye.',
  approvalWaits: (p: { readonly what: string }) =>
    `A question is still waiting for your answer: ${p.what}\nType **y** or **n**, or press Ctrl-C again to leave. Nothing is done without your yes.`,
  invalidUtf8: (p: { readonly line: number }) =>
    `Line ${p.line} is not valid UTF-8, so I left it out. Please save the text as UTF-8 and send it again.`,
};

const consoleKo: typeof consoleEn = {
  welcome: (p) => `FinClaw ${p.version} — 터미널 대화`,
  hint: () =>
    '종목, 코인, 환율을 물어보거나 /help를 입력하세요. Tab을 누르면 자동 완성되고, Ctrl-C를 누르면 답변이 멈추고, 한 번 더 누르면 종료됩니다.',
  filesMissing: (p) => `${p.names} 파일을 찾지 못해 메시지만 보냅니다.`,
  model: (p) => `${p.model} 모델이 답합니다.`,
  offline: () => '작은 오프라인 모델이 답합니다.',
  prices: {
    live: () => '시세는 Yahoo Finance와 Upbit에서 가져옵니다.',
    sample: () => '모든 시세는 체험용으로 만든 샘플(SAMPLE) 데이터입니다.',
    undecided: () =>
      '시세는 Yahoo Finance와 Upbit에서 가져오며, 연결할 수 없으면 샘플(SAMPLE) 데이터를 씁니다.',
  },
  notStored: () => '메시지를 저장하지 못해 받지 않았습니다. 디스크 공간을 확인한 뒤 다시 보내 주세요.',
  goodbye: () => '안녕히 가세요.',
  approvalWaits: (p) =>
    `아직 답하지 않은 질문이 있습니다: ${p.what}\n**y** 또는 **n**을 입력하거나, 그만두려면 Ctrl-C를 한 번 더 누르세요. 허용하지 않은 작업은 하지 않습니다.`,
  invalidUtf8: (p) =>
    `${p.line}번째 줄은 올바른 UTF-8이 아니어서 건너뛰었습니다. UTF-8로 저장한 뒤 다시 보내 주세요.`,
};

export const consoleTexts = localized({ en: consoleEn, ko: consoleKo });
