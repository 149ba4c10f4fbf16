import { localized } from '#src/kernel/locale.ts';
/** Sentences about settings, in both languages. */
const settingsEn = {
  title: () => '**What the file and the environment set**',
  titleAll: () => '**All settings**',
  titleUnder: (p: { readonly prefix: string }) => `**Settings under \`${p.prefix}\`**`,
  general: () => 'General',
  variables: () => 'Environment variables',
  sources: { default: 'default', file: 'file', environment: 'environment' },
  onlyDefaults: () =>
    'Nothing is set: every setting has its default. `/config all` shows them all, `/config gates` one part.',
  hint: () =>
    'To change a setting, edit `finclaw.config.json` or the environment and start me again. Where both set it, the environment goes first. `/config all` shows all settings, `/config gates` one part.',
  suggest: (p: { readonly prefix: string; readonly choices: string }) =>
    `No setting begins with \`${p.prefix}\`. Did you mean ${p.choices}?`,
  unknown: (p: { readonly prefix: string; readonly parts: string }) =>
    `No setting begins with \`${p.prefix}\`. The parts are ${p.parts}.`,
};

const settingsKo: typeof settingsEn = {
  title: () => '**설정 파일과 환경 변수로 지정한 설정**',
  titleAll: () => '**전체 설정**',
  titleUnder: (p) => `**\`${p.prefix}\` 설정**`,
  general: () => '일반',
  variables: () => '환경 변수',
  sources: { default: '기본값', file: '설정 파일', environment: '환경 변수' },
  onlyDefaults: () =>
    '따로 지정한 설정이 없어 모두 기본값입니다. `/config all` 로 전체를, `/config gates` 처럼 적어 일부를 볼 수 있습니다.',
  hint: () =>
    '설정을 바꾸려면 `finclaw.config.json` 이나 환경 변수를 수정한 뒤 다시 시작해 주세요. 둘 다 지정하면 환경 변수가 우선합니다. `/config all` 로 전체를, `/config gates` 처럼 적어 일부를 볼 수 있습니다.',
  suggest: (p) => `\`${p.prefix}\` 로 시작하는 설정은 없습니다. 혹시 ${p.choices}인가요?`,
  unknown: (p) => `\`${p.prefix}\` 로 시작하는 설정은 없습니다. 다음 중에서 골라 주세요: ${p.parts}`,
};

export const settingsMessages = localized({ en: settingsEn, ko: settingsKo });
