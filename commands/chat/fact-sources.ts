import { type Locale, localized } from '#src/kernel/locale.ts';
import type { Fact } from '#src/kernel/market/fact.ts';

/** What people call the sources that are parts of the program. */
const factSourcesEn = {
  sample: 'sample data',
  ledger: 'transaction records',
  calculator: 'calculator',
  importedFile: 'imported file',
  calendar: 'exchange calendar',
  alert: 'alert settings',
};

const factSourcesKo: typeof factSourcesEn = {
  sample: '샘플 데이터',
  ledger: '거래 기록',
  calculator: '계산기',
  importedFile: '가져온 파일',
  calendar: '거래소 달력',
  alert: '알림 설정',
};

const texts = localized({ en: factSourcesEn, ko: factSourcesKo });

const OWN: readonly (readonly [source: RegExp, name: keyof typeof factSourcesEn])[] = [
  [/^ledger$/, 'ledger'],
  [/^calculator$/, 'calculator'],
  [/^imported file$/, 'importedFile'],
  [/^exchange calendar /, 'calendar'],
  [/^alert /, 'alert'],
];

/** The source of a fact in the words of people: `Yahoo Finance`, `거래 기록 + Yahoo Finance`. Empty if it is unknown. */
export const factSourceName = (
  { source, isSample }: Pick<Fact, 'source' | 'isSample'>,
  locale: Locale,
): string => {
  const t = texts(locale);
  // The name of a made-up source says no more than that.
  if (isSample) return t.sample;
  return source
    .split(' + ')
    .map((part) => {
      const own = OWN.find(([pattern]) => pattern.test(part));
      return own ? t[own[1]] : part;
    })
    .join(' + ');
};
