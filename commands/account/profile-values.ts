import {
  COMPLIANCE_LEVELS,
  PROFILE_MARKETS,
  RISK_TOLERANCES,
  type UserProfile,
} from '#src/kernel/people/profile.ts';
import { resolveTimeZone } from '#src/reading/time-zone.ts';

export const PROFILE_FIELDS = [
  'riskTolerance',
  'preferredMarkets',
  'complianceLevel',
  'locale',
  'timeZone',
] as const satisfies readonly (keyof UserProfile)[];
export type ProfileField = (typeof PROFILE_FIELDS)[number];

const namesOf = <Value extends string>(
  values: readonly Value[],
  names: Readonly<Record<Value, string>>,
): ReadonlyMap<string, Value> =>
  new Map(
    values.flatMap((value) =>
      [value.toLowerCase(), ...names[value].split(' ')].map((name) => [name, value] as const),
    ),
  );

const FIELDS = namesOf(PROFILE_FIELDS, {
  riskTolerance: 'risk 위험 위험성향 투자성향 성향 리스크',
  preferredMarkets: 'markets market 시장 관심시장',
  complianceLevel: 'level 수준 등급 투자자',
  locale: 'language lang 언어',
  timeZone: 'timezone tz zone 시간대 시간',
});

const RISKS = namesOf(RISK_TOLERANCES, {
  conservative: 'low 보수 보수적 보수형 안정 안정적 안정형 낮음',
  moderate: 'medium balanced neutral 중립 중립적 중립형 중간 보통 균형',
  aggressive: 'high 공격 공격적 공격형 적극 적극적 적극형 높음',
});

const MARKETS = namesOf(PROFILE_MARKETS, {
  KRX: 'kr korea korean kospi kosdaq 국내 한국 국장 코스피 코스닥 국내주식 한국주식',
  US: 'usa america american nyse nasdaq 미국 미장 나스닥 뉴욕 미국주식',
  crypto: 'coin coins cryptocurrency 코인 암호화폐 가상화폐 가상자산',
  FX: 'forex currency currencies 환율 외환 통화',
});

const LEVELS = namesOf(COMPLIANCE_LEVELS, {
  retail: 'individual private 개인 일반 개인투자자 일반투자자',
  professional: 'pro 전문 전문가 전문투자자',
  institutional: 'institution 기관 기관투자자',
});

const LOCALES = namesOf(['ko', 'en'] as const, {
  ko: 'kr korean 한국어 한국말 한글',
  en: 'english 영어',
});

const NONE: ReadonlySet<string> = new Set(['none', 'unset', 'off', '없음', '해제', '삭제']);
const AUTO: ReadonlySet<string> = new Set(['auto', 'automatic', '자동']);
const ALL_MARKETS: ReadonlySet<string> = new Set(['all', '전체', '모두']);
/** Words around the names: `국내 주식`, `KRX and US`. */
const FILLERS: ReadonlySet<string> = new Set([
  'and',
  'stock',
  'stocks',
  'market',
  'markets',
  '주식',
  '시장',
  '및',
]);

/** Undefined if any name of the list is unknown. */
const readMarkets = (typed: string): UserProfile['preferredMarkets'] => {
  if (ALL_MARKETS.has(typed)) return PROFILE_MARKETS;
  const names = typed.split(/[\s,;/·、，]+/).filter((name) => name !== '' && !FILLERS.has(name));
  const named = new Set(names.map((name) => MARKETS.get(name)));
  return named.size > 0 && !named.has(undefined)
    ? PROFILE_MARKETS.filter((market) => named.has(market))
    : undefined;
};

const READERS: Readonly<Record<ProfileField, (typed: string) => UserProfile | undefined>> = {
  riskTolerance: (typed) => {
    const riskTolerance = RISKS.get(typed);
    return riskTolerance && { riskTolerance };
  },
  preferredMarkets: (typed) => {
    const preferredMarkets = readMarkets(typed);
    return preferredMarkets && { preferredMarkets };
  },
  complianceLevel: (typed) => {
    const complianceLevel = LEVELS.get(typed);
    return complianceLevel && { complianceLevel };
  },
  locale: (typed) => {
    const locale = LOCALES.get(typed);
    return locale && { locale };
  },
  timeZone: (typed) => {
    const timeZone = resolveTimeZone(typed);
    return timeZone === undefined ? undefined : { timeZone };
  },
};

const without = (profile: UserProfile, field: ProfileField): UserProfile => {
  const { [field]: _removed, ...rest } = profile;
  return rest;
};

export const profileFieldOf = (typed: string): ProfileField | undefined => FIELDS.get(typed.toLowerCase());

/** The profile with the typed value for one field; undefined if the field has no such value. */
export const changeProfile = (
  profile: UserProfile,
  field: ProfileField,
  typed: string,
): UserProfile | undefined => {
  const value = typed.toLowerCase();
  if (NONE.has(value) || (field === 'locale' && AUTO.has(value))) return without(profile, field);
  const change = READERS[field](value);
  return change && { ...profile, ...change };
};
