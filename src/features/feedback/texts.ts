import { localized } from '#src/kernel/locale.ts';

const feedbackEn = {
  thanks: {
    up: () => 'Thank you, noted 👍',
    down: () => 'Thank you, noted 👎',
  },
  /** The answer is too old, or was deleted. */
  unknown: () => 'This answer is too old to be rated.',
  failed: () => 'I could not store your rating just now. Please try again.',
};

const feedbackKo: typeof feedbackEn = {
  thanks: {
    up: () => '평가해 주셔서 고맙습니다 👍',
    down: () => '평가해 주셔서 고맙습니다 👎',
  },
  unknown: () => '너무 오래된 답변이라 평가할 수 없습니다.',
  failed: () => '방금 평가를 저장하지 못했습니다. 다시 시도해 주세요.',
};

export const feedbackTexts = localized({ en: feedbackEn, ko: feedbackKo });
