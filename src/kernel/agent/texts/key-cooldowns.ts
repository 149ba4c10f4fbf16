import { localized } from '#src/kernel/locale.ts';
import type { CooldownCause } from '../keys.ts';

/** Why an API key is in cooldown. */
const cooldownReasonsEn: Readonly<Record<CooldownCause, string>> = {
  'rate-limit': 'its limit is reached',
  auth: 'the provider refuses it',
  billing: 'it has no credit',
  operator: 'an operator paused it',
  failures: 'its requests failed',
};

const cooldownReasonsKo: typeof cooldownReasonsEn = {
  'rate-limit': '사용 한도 도달',
  auth: '제공사가 키를 거부함',
  billing: '크레딧 부족',
  operator: '운영자가 중지함',
  failures: '요청이 실패함',
};

export const cooldownReasonTexts = localized({ en: cooldownReasonsEn, ko: cooldownReasonsKo });
