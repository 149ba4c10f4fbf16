import { localized } from '../locale.ts';

/** Notes under answers with market data. */
const marketNotesEn = {
  sampleMark: () => '⚠️ **SAMPLE** — made-up example data, not market prices.',
  disclaimer: () => '_This is not investment advice; decisions and their consequences are your own._',
};

const marketNotesKo: typeof marketNotesEn = {
  sampleMark: () => '⚠️ **샘플 (SAMPLE)** — 실제 시세가 아닌 예시 데이터입니다.',
  disclaimer: () => '_본 정보는 투자 조언이 아니며, 투자 결정은 본인의 판단과 책임 하에 이루어져야 합니다._',
};

export const marketNoteTexts = localized({ en: marketNotesEn, ko: marketNotesKo });
