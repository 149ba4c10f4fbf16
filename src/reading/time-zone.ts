import { canonicalZone } from '#src/kernel/time.ts';
import type { Locale } from '#src/kernel/locale.ts';

/** Places whose time zone is named after another city. Lower case. */
const PLACES: Readonly<Record<string, string>> = {
  // Abbreviations. `EST` is mapped too, because the IANA zone of that name has no daylight saving time.
  kst: 'Asia/Seoul',
  jst: 'Asia/Tokyo',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  ct: 'America/Chicago',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  mt: 'America/Denver',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  bst: 'Europe/London',
  // Countries with one time zone.
  korea: 'Asia/Seoul',
  japan: 'Asia/Tokyo',
  china: 'Asia/Shanghai',
  india: 'Asia/Kolkata',
  uk: 'Europe/London',
  germany: 'Europe/Berlin',
  // Market cities and large cities.
  abu_dhabi: 'Asia/Dubai',
  beijing: 'Asia/Shanghai',
  boston: 'America/New_York',
  busan: 'Asia/Seoul',
  dallas: 'America/Chicago',
  delhi: 'Asia/Kolkata',
  frankfurt: 'Europe/Berlin',
  geneva: 'Europe/Zurich',
  hanoi: 'Asia/Ho_Chi_Minh',
  ho_chi_minh_city: 'Asia/Ho_Chi_Minh',
  houston: 'America/Chicago',
  la: 'America/Los_Angeles',
  nyc: 'America/New_York',
  incheon: 'Asia/Seoul',
  kolkata: 'Asia/Kolkata',
  miami: 'America/New_York',
  milan: 'Europe/Rome',
  montreal: 'America/Toronto',
  mumbai: 'Asia/Kolkata',
  munich: 'Europe/Berlin',
  new_delhi: 'Asia/Kolkata',
  osaka: 'Asia/Tokyo',
  san_francisco: 'America/Los_Angeles',
  são_paulo: 'America/Sao_Paulo',
  seattle: 'America/Los_Angeles',
  shenzhen: 'Asia/Shanghai',
  washington: 'America/New_York',
  // In Korean. The first name of a zone is the one shown.
  서울: 'Asia/Seoul',
  부산: 'Asia/Seoul',
  한국: 'Asia/Seoul',
  뉴욕: 'America/New_York',
  워싱턴: 'America/New_York',
  보스턴: 'America/New_York',
  덴버: 'America/Denver',
  협정세계시: 'UTC',
  시카고: 'America/Chicago',
  로스앤젤레스: 'America/Los_Angeles',
  샌프란시스코: 'America/Los_Angeles',
  런던: 'Europe/London',
  파리: 'Europe/Paris',
  베를린: 'Europe/Berlin',
  프랑크푸르트: 'Europe/Berlin',
  취리히: 'Europe/Zurich',
  도쿄: 'Asia/Tokyo',
  일본: 'Asia/Tokyo',
  홍콩: 'Asia/Hong_Kong',
  상하이: 'Asia/Shanghai',
  베이징: 'Asia/Shanghai',
  선전: 'Asia/Shanghai',
  타이베이: 'Asia/Taipei',
  싱가포르: 'Asia/Singapore',
  뭄바이: 'Asia/Kolkata',
  하노이: 'Asia/Ho_Chi_Minh',
  호찌민: 'Asia/Ho_Chi_Minh',
  두바이: 'Asia/Dubai',
  시드니: 'Australia/Sydney',
  영국: 'Europe/London',
  독일: 'Europe/Berlin',
  중국: 'Asia/Shanghai',
  인도: 'Asia/Kolkata',
};

/** Zones by what Americans call them, and their states. */
const REGIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'America/New_York':
      'eastern east_coast 동부 new_jersey florida georgia massachusetts pennsylvania virginia maryland ohio michigan north_carolina south_carolina connecticut 플로리다 뉴저지 조지아',
    'America/Chicago': 'central texas illinois minnesota wisconsin missouri louisiana tennessee 중부 텍사스',
    'America/Denver': 'mountain colorado utah new_mexico 콜로라도',
    'America/Phoenix': 'arizona 애리조나',
    'America/Los_Angeles': 'pacific west_coast california oregon nevada 서부 캘리포니아 시애틀',
    'Pacific/Honolulu': 'hawaii 하와이',
    'America/Anchorage': 'alaska 알래스카',
  }).flatMap(([zone, names]) => names.split(' ').map((name) => [name, zone])),
);

/** `UTC+9`, `GMT-04:30`, `+0900`. */
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/;

/** Longer than any place name. */
const MAX_LENGTH = 64;

let cityZones: ReadonlyMap<string, string> | undefined;

/** Zones by the city in their name: `new_york`, `buenos_aires`. Built on first use. */
const zoneOfCity = (key: string): string | undefined => {
  cityZones ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [zone.split('/').at(-1)?.toLowerCase() ?? '', zone]),
  );
  return cityZones.get(key);
};

const offsetZone = (key: string): string | undefined => {
  const [, sign, hours = '', minutes = '00'] = OFFSET.exec(key) ?? [];
  return sign && `${sign}${hours.padStart(2, '0')}:${minutes}`;
};

/** Resolves an IANA name, an offset or a city. Undefined if it is none of them. */
export const resolveTimeZone = (name: string): string | undefined => {
  if (name.length > MAX_LENGTH) return undefined;
  const key = name
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '_');
  const place = key.replace(/^(?:us|미국)_/u, '').replace(/_(?:standard_|daylight_)?(?:time|시간)$/u, '');
  return canonicalZone(PLACES[place] ?? REGIONS.get(place) ?? offsetZone(key) ?? zoneOfCity(place) ?? key);
};

/**
 * The main time zone of a language's speakers. Languages spoken across many zones are left out; `en-US` is Discord's
 * default for everybody.
 */
const ZONES_BY_LANGUAGE: Readonly<Record<string, string>> = {
  ko: 'Asia/Seoul',
  ja: 'Asia/Tokyo',
  'en-GB': 'Europe/London',
  'zh-CN': 'Asia/Shanghai',
  'zh-TW': 'Asia/Taipei',
  'es-ES': 'Europe/Madrid',
  'pt-BR': 'America/Sao_Paulo',
  bg: 'Europe/Sofia',
  cs: 'Europe/Prague',
  da: 'Europe/Copenhagen',
  de: 'Europe/Berlin',
  el: 'Europe/Athens',
  fi: 'Europe/Helsinki',
  fr: 'Europe/Paris',
  hi: 'Asia/Kolkata',
  hr: 'Europe/Zagreb',
  hu: 'Europe/Budapest',
  id: 'Asia/Jakarta',
  it: 'Europe/Rome',
  lt: 'Europe/Vilnius',
  nl: 'Europe/Amsterdam',
  no: 'Europe/Oslo',
  pl: 'Europe/Warsaw',
  ro: 'Europe/Bucharest',
  ru: 'Europe/Moscow',
  'sv-SE': 'Europe/Stockholm',
  th: 'Asia/Bangkok',
  tr: 'Europe/Istanbul',
  uk: 'Europe/Kyiv',
  vi: 'Asia/Ho_Chi_Minh',
};

/** Guesses a zone from the platform's language tag (`ko`, `en-GB`). Undefined without a clear favourite. */
export const zoneOfLanguage = (tag: string): string | undefined => {
  const zone = Object.hasOwn(ZONES_BY_LANGUAGE, tag) ? ZONES_BY_LANGUAGE[tag] : undefined;
  return zone && canonicalZone(zone);
};

const KOREAN_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(PLACES)
    .filter(([name, zone]) => /^\p{Script=Hangul}/u.test(name) && zone !== 'UTC')
    .toReversed()
    .map(([name, zone]) => [zone, name]),
);

/** The city of a zone: `New York`, `서울`. */
export const placeOfZone = (zone: string, locale: Locale): string => {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
  return (locale === 'ko' ? KOREAN_NAMES.get(zone) : undefined) ?? city;
};

/** Zones offered without a better guess: large markets from east to west. */
export const COMMON_ZONES: readonly string[] = [
  'Asia/Seoul',
  'Asia/Tokyo',
  'Asia/Singapore',
  'Europe/London',
  'Europe/Berlin',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
];
