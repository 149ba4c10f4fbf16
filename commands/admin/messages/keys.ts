import { localized } from '#src/kernel/locale.ts';
interface Key {
  readonly id: string;
  readonly masked: string;
}

const keysEn = {
  title: () => '**Keys of the model providers**',
  none: () =>
    'No key is set, so the offline model answers. Set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY` in the environment (or in `.env`) and start me again, or add a key with `/keys add anthropic` as a slash command on Discord or Slack, or in the terminal that I run in.',
  hint: () =>
    '`/keys disable <id>`, `enable`, `prefer` and `remove` change added keys; the beginning of an id is enough.',
  sources: {
    profile: 'added key',
    environment: 'environment',
    config: 'configuration file',
    'aws-secrets': 'AWS Secrets Manager',
    default: 'default',
  },
  saved: () => 'saved encrypted',
  unsaved: () => 'in memory only',
  off: () => 'switched off',
  health: { healthy: 'healthy', degraded: 'some failures', unhealthy: 'failing', disabled: 'out of use' },
  cooldown: (p: { readonly left: string }) => `paused for another ${p.left}`,
  disabled: (p: Key) => `Key \`${p.id}\` (${p.masked}) is switched off.`,
  enabled: (p: Key) => `Key \`${p.id}\` (${p.masked}) is switched on.`,
  removed: (p: Key) => `Key \`${p.id}\` (${p.masked}) is removed.`,
  preferred: (p: Key) => `Key \`${p.id}\` (${p.masked}) is used before the others from now on.`,
  unpreferred: (p: Key) => `Key \`${p.id}\` (${p.masked}) takes turns with the others again.`,
  first: () => 'used first',
  fixed: (p: { readonly id: string; readonly source: string }) =>
    `Key \`${p.id}\` cannot be changed here (source: ${p.source}). Please change it in the environment or in the configuration file, then start me again.`,
  unknown: () => 'There is no key with that id. `/keys` lists them all.',
  ambiguous: (p: { readonly ids: string }) =>
    `Several keys begin like that: ${p.ids}. Please give more of the id.`,
  add: () =>
    'A key is never sent as a chat message, because messages are stored. On Discord and Slack, call `/keys add anthropic` or `/keys add openai` as a slash command: a form opens for the key. In the terminal that I run in, the same line asks for it.',
  leaked: () =>
    '⚠️ If what you just sent was a real key, please revoke it at the provider and make a new one.',
  /** Slack takes 24 characters for a title. */
  form: {
    title: (p: { readonly provider: string }) => `Add ${p.provider} key`,
    submit: () => 'Add',
    key: () => 'API key',
    name: () => 'Name (optional)',
  },
};

const keysKo: typeof keysEn = {
  title: () => '**모델 API 키**',
  none: () =>
    '설정된 API 키가 없어 오프라인 모델이 답변합니다. 환경 변수(또는 `.env` 파일)에 `ANTHROPIC_API_KEY` 나 `OPENAI_API_KEY` 를 설정한 뒤 다시 시작하시거나, Discord나 Slack의 슬래시 명령 또는 봇이 실행 중인 터미널에서 `/keys add anthropic` 으로 키를 추가해 주세요.',
  hint: () =>
    '추가한 키는 `/keys disable <ID>` 로 끄고, `enable` 로 켜고, `prefer` 로 먼저 쓰고, `remove` 로 삭제합니다. ID는 앞부분만 적으셔도 됩니다.',
  sources: {
    profile: '추가한 키',
    environment: '환경 변수',
    config: '설정 파일',
    'aws-secrets': 'AWS 시크릿 매니저(Secrets Manager)',
    default: '기본값',
  },
  saved: () => '암호화 저장됨',
  unsaved: () => '메모리에만 있음',
  off: () => '꺼짐',
  health: { healthy: '정상', degraded: '가끔 실패', unhealthy: '계속 실패', disabled: '사용 중지됨' },
  cooldown: (p) => `${p.left} 후 다시 사용`,
  disabled: (p) => `\`${p.id}\` 키(${p.masked})를 껐습니다.`,
  enabled: (p) => `\`${p.id}\` 키(${p.masked})를 켰습니다.`,
  removed: (p) => `\`${p.id}\` 키(${p.masked})를 삭제했습니다.`,
  preferred: (p) => `앞으로 \`${p.id}\` 키(${p.masked})를 먼저 사용합니다.`,
  unpreferred: (p) => `\`${p.id}\` 키(${p.masked})를 다시 다른 키와 번갈아 사용합니다.`,
  first: () => '먼저 사용',
  fixed: (p) =>
    `\`${p.id}\` 키는 여기에서 바꿀 수 없습니다(출처: ${p.source}). 환경 변수나 설정 파일에서 바꾼 뒤 다시 시작해 주세요.`,
  unknown: () => '그런 ID의 키는 없습니다. `/keys` 로 전체 목록을 볼 수 있습니다.',
  ambiguous: (p) => `그렇게 시작하는 키가 여러 개입니다: ${p.ids}. ID를 조금 더 적어 주세요.`,
  add: () =>
    '메시지는 저장되므로 API 키는 채팅으로 보내지 않습니다. Discord와 Slack에서는 `/keys add anthropic` 또는 `/keys add openai` 를 슬래시 명령으로 실행하면 키를 입력하는 양식이 열립니다. 봇이 실행 중인 터미널에서는 같은 명령으로 추가합니다.',
  leaked: () => '⚠️ 방금 실제 키를 보내셨다면 해당 서비스에서 그 키를 폐기하고 새로 발급받아 주세요.',
  form: {
    title: (p) => `${p.provider} 키 추가`,
    submit: () => '추가',
    key: () => 'API 키',
    name: () => '이름 (선택)',
  },
};

export const keyMessages = localized({ en: keysEn, ko: keysKo });
