import { localized } from '#src/kernel/locale.ts';

interface Named {
  readonly name: string;
}

/** The first few names, and how many more there are. */
interface Names {
  readonly names: string;
  readonly more: number;
}

/** Status lines while an answer is generated. */
const liveEn = {
  thinking: () => 'Thinking…',
  writing: () => 'Writing the answer…',
  checkingNumbers: () => 'Checking the numbers…',
  usingTool: (p: Named) => `Using ${p.name}…`,
  /** One of several parallel tool calls. */
  amongOthers: (p: { readonly status: string; readonly more: number }) => `${p.status} (+${p.more} more)`,

  quotes: (p: Names) => `Looking up ${p.names}${p.more > 0 ? ` and ${p.more} more` : ''}…`,
  anyQuotes: () => 'Looking up quotes…',
  page: (p: { readonly host: string }) => `Reading ${p.host}…`,
  anyPage: () => 'Reading a web page…',
  time: () => 'Checking the time…',
  system: () => 'Checking the state of the bot…',
  ownData: () => 'Looking up your data…',
  reminder: () => 'Setting a reminder…',
  privateMessage: () => 'Sending you a private message…',
  findingTools: () => 'Looking for the right tool…',
};

const liveKo: typeof liveEn = {
  thinking: () => '생각하는 중…',
  writing: () => '답변 작성 중…',
  checkingNumbers: () => '수치 확인 중…',
  usingTool: (p) => `${p.name} 사용 중…`,
  amongOthers: (p) => `${p.status} (외 ${p.more}건)`,

  quotes: (p) => `${p.names}${p.more > 0 ? ` 외 ${p.more}개` : ''} 시세 조회 중…`,
  anyQuotes: () => '시세 조회 중…',
  page: (p) => `${p.host} 페이지 읽는 중…`,
  anyPage: () => '웹 페이지 읽는 중…',
  time: () => '시각 확인 중…',
  system: () => '봇 상태 확인 중…',
  ownData: () => '저장된 내 데이터 조회 중…',
  reminder: () => '알림 예약 중…',
  privateMessage: () => '다이렉트 메시지 보내는 중…',
  findingTools: () => '알맞은 도구 찾는 중…',
};

export const liveTexts = localized({ en: liveEn, ko: liveKo });
