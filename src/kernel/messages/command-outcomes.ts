import { localized } from '../locale.ts';

/** Commands that cannot run. */
const commandOutcomesEn = {
  unknownCommand: (p: { readonly name: string; readonly nearest: string }) =>
    `There is no command \`/${p.name}\`. Did you mean \`/${p.nearest}\`? \`/help\` lists them all.`,
  missingRole: (p: { readonly name: string }) => `\`/${p.name}\` is for administrators.`,
  cooldown: (p: { readonly name: string; readonly wait: string }) =>
    `\`/${p.name}\` can be used again ${p.wait}.`,
};

const commandOutcomesKo: typeof commandOutcomesEn = {
  unknownCommand: (p) =>
    `\`/${p.name}\` 명령어는 없습니다. 혹시 \`/${p.nearest}\`인가요? \`/help\` 로 전체 목록을 볼 수 있습니다.`,
  missingRole: (p) => `\`/${p.name}\` 명령어는 관리자만 사용할 수 있습니다.`,
  cooldown: (p) => `\`/${p.name}\` 명령어는 ${p.wait}에 다시 사용할 수 있습니다.`,
};

export const commandOutcomeMessages = localized({ en: commandOutcomesEn, ko: commandOutcomesKo });
