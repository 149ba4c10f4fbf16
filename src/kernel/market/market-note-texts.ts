import { localized } from '../locale.ts';

/** Notes under answers with market data. */
const marketNotesEn = {
  sampleMark: () => '⚠️ SAMPLE prices, not real',
  disclaimer: () => '_This is not investment advice; decisions and their consequences are your own._',
};

const marketNotesKo: typeof marketNotesEn = {
  sampleMark: () => '⚠️ 샘플(SAMPLE) 시세, 실제 아님',
  disclaimer: () => '_본 정보는 투자 조언이 아니며, 투자 결정은 본인의 판단과 책임 하에 이루어져야 합니다._',
};

export const marketNoteTexts = localized({ en: marketNotesEn, ko: marketNotesKo });
