import { localized } from '#src/kernel/locale.ts';
interface Place {
  /** `Seoul`. */
  readonly place: string;
}

interface Zone extends Place {
  /** `Asia/Seoul`. */
  readonly zone: string;
  /** The origin of the zone. */
  readonly from: string;
}

interface Platform {
  /** `Discord`. */
  readonly platform: string;
}

/** Messages about time zones, in both languages. */
const zonesEn = {
  from: {
    profile: () => 'set by you',
    platform: (p: Platform) => `from your ${p.platform} profile`,
    terminal: () => 'the zone of this machine',
    language: (p: Platform) => `guessed from your ${p.platform} language`,
    server: () => 'set for this server',
    'server-language': () => "guessed from this server's language",
    bot: () => "the bot's setting",
    machine: () => 'the zone of the machine I run on',
  },
  /** Follows an answer that set something in a zone that may be wrong. */
  ask: (p: Zone) => `**${p.place} time** (${p.zone}, ${p.from}), right? Or: \`/profile timezone New York\``,
  askUnknown: (p: Zone) =>
    `This is **${p.place} time** (${p.zone}, ${p.from}). Yours? \`/profile timezone Seoul\``,
  /** Follows a scheduled message in such a zone. */
  late: (p: Zone) =>
    `Wrong hour? I went by **${p.place} time** (${p.zone}, ${p.from}). Tell me your zone once, for example \`/profile timezone New York\`.`,
  yes: (p: Place) => `Yes, ${p.place} time`,
  other: () => 'Another zone',
  asked: () => 'Which zone are you in? A city, an IANA name or an offset such as `+09:00` will do.',
  /** Said when the zone becomes known, for what was set before. */
  movedBriefing: (p: { readonly days: string; readonly time: string; readonly next: string }) =>
    `Your briefing now comes ${p.days} at ${p.time} in this zone. The next one: ${p.next}.`,
  movedReminder: (p: { readonly at: string }) => `Your reminder now comes at ${p.at}.`,
  movedAlert: (p: { readonly what: string; readonly at: string }) => `${p.what}: now until ${p.at}.`,
};

const zonesKo: typeof zonesEn = {
  from: {
    profile: () => '직접 설정',
    platform: (p) => `${p.platform} 프로필에서 가져옴`,
    terminal: () => '이 컴퓨터의 시간대',
    language: (p) => `${p.platform} 언어로 추정`,
    server: () => '이 서버에 설정된 값',
    'server-language': () => '이 서버의 언어로 추정',
    bot: () => '봇에 설정된 값',
    machine: () => '봇이 실행 중인 컴퓨터의 시간대',
  },
  ask: (p) => `**${p.place} 시간**(${p.zone}, ${p.from}) 맞나요? 아니면: \`/profile 시간대 뉴욕\``,
  askUnknown: (p) =>
    `**${p.place} 시간**(${p.zone}, ${p.from}) 기준이에요. 내 시간대는: \`/profile 시간대 서울\``,
  late: (p) =>
    `시각이 맞지 않나요? **${p.place} 시간**(${p.zone}, ${p.from}) 기준으로 보냈습니다. \`/profile 시간대 뉴욕\`처럼 한 번만 알려 주세요.`,
  yes: (p) => `네, ${p.place} 시간입니다`,
  other: () => '다른 시간대',
  asked: () => '어느 시간대에 계신가요? 도시 이름, IANA 이름, `+09:00` 같은 시차 모두 괜찮습니다.',
  movedBriefing: (p) =>
    `이제 브리핑은 이 시간대로 ${p.days} ${p.time}에 보내 드립니다. 다음 브리핑: ${p.next}`,
  movedReminder: (p) => `이제 알림은 ${p.at}에 보내 드립니다.`,
  movedAlert: (p) => `${p.what}: 이제 ${p.at}까지입니다.`,
};

export const zoneTexts = localized({ en: zonesEn, ko: zonesKo });
