import { localized } from '#src/kernel/locale.ts';

/** Entry of an API key. */
const keyEntryEn = {
  usage: () => 'Which provider? `/keys add anthropic` or `/keys add openai`; I then ask for the key.',
  paste: (p: { readonly provider: string }) =>
    `Paste the key for ${p.provider} and press Enter. It is not shown; an empty line cancels.`,
  added: (p: {
    readonly provider: string;
    readonly name: string;
    readonly masked: string;
    readonly isSaved: boolean;
  }) =>
    `Added: ${p.provider}, ${p.name} (${p.masked}). ${
      p.isSaved
        ? 'It is stored encrypted.'
        : 'It is kept in memory only, until the program ends: set FINCLAW_SECRET_KEY to store keys encrypted.'
    }`,
  invalid: (p: { readonly provider: string }) =>
    `This cannot be a key for ${p.provider}, so I did not add it. Please copy it again as a whole.`,
  failed: () => 'The key could not be added; the log says why. Please try again.',
  cancelled: () => 'No key was added.',
};

const keyEntryKo: typeof keyEntryEn = {
  usage: () => '어느 제공자인가요? `/keys add anthropic` 또는 `/keys add openai`를 입력하면 키를 물어봅니다.',
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
};

export const keyEntryTexts = localized({ en: keyEntryEn, ko: keyEntryKo });
