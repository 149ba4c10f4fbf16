import { localized } from '#src/kernel/locale.ts';

/** `/help`. */
const helpEn = {
  title: () => '**What I can do**',
  footer: () => 'Or just ask: "How is Apple doing today?" — `/help <command>` explains one command.',
  usage: (p: { readonly usage: string }) => `Usage: \`${p.usage}\``,
  aliases: (p: { readonly aliases: string }) => `Also: ${p.aliases}`,
  unknown: (p: { readonly name: string }) => `There is no command \`${p.name}\`. \`/help\` lists them all.`,
  categories: { general: 'General', finance: 'Markets', admin: 'Administration', debug: 'Diagnostics' },
};

const helpKo: typeof helpEn = {
  title: () => '**사용 가능한 명령어**',
  footer: () =>
    '그냥 물어보셔도 됩니다: "삼성전자 지금 얼마야?" — `/help <명령어>` 로 자세히 볼 수 있습니다.',
  usage: (p) => `사용법: \`${p.usage}\``,
  aliases: (p) => `다른 이름: ${p.aliases}`,
  unknown: (p) => `\`${p.name}\` 명령어는 없습니다. \`/help\` 로 전체 목록을 볼 수 있습니다.`,
  categories: { general: '일반', finance: '시장', admin: '관리', debug: '진단' },
};

export const helpMessages = localized({ en: helpEn, ko: helpKo });
