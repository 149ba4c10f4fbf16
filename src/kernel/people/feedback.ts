import type { RatedAnswer, Verdict } from '../chat/feedback.ts';
import type { Locale } from '../locale.ts';
import type { PersonRef, Timestamp } from '../ids.ts';
import type { MediaAttachment } from '../chat/message.ts';

/** What became of a press of 👍 or 👎, with a sentence for the person who pressed. */
export interface Rating {
  readonly outcome: 'stored' | 'unknown' | 'failed';
  readonly text: string;
}

/** One verdict, for operators. It names nobody. */
export interface ExportedVerdict extends RatedAnswer {
  readonly channel: string;
  readonly verdict: Verdict;
  readonly at: Timestamp;
}

/** Port: what people think of answers. */
export interface Feedback {
  /** Keeps one verdict for each person and answer: the newest. Never throws. */
  readonly rate: (
    answerId: string,
    verdict: Verdict,
    by: PersonRef & { readonly locale: Locale },
  ) => Promise<Rating>;
  /** All stored verdicts as a file for operators. Undefined if there are none. */
  readonly export: () => Promise<
    { readonly file: MediaAttachment; readonly counts: Readonly<Record<Verdict, number>> } | undefined
  >;
}
