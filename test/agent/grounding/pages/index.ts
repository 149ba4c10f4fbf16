import { ENGLISH_FILINGS } from './filings-en.ts';
import { KOREAN_FILINGS } from './filings-ko.ts';
import { ENGLISH_NEWS } from './news-en.ts';
import { KOREAN_NEWS } from './news-ko.ts';
import type { PageAnswer } from './page-answer.ts';

/** Every page of untyped text with its answers. */
export const PAGES: readonly PageAnswer[] = [
  ...ENGLISH_FILINGS,
  ...ENGLISH_NEWS,
  ...KOREAN_FILINGS,
  ...KOREAN_NEWS,
];
