import type { Verdict } from '#src/kernel/chat/feedback.ts';
import type { Feedback } from '#src/kernel/people/feedback.ts';
import { createExportWriter } from '#src/platform/storage/export-file.ts';
import { feedbackTexts } from './texts.ts';
import type { FeedbackStore } from './store.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface FeedbackDeps extends FeatureUses<'clock' | 'events' | 'logger' | 'files.save'> {
  readonly store: FeedbackStore;
}

/** One line of the file that operators get. A line is never changed in meaning, only completed. */
const lineOf = (verdict: object): string => `${JSON.stringify(verdict)}\n`;

export const createFeedback = ({ store, files, clock, events, logger }: FeedbackDeps): Feedback => {
  const writeExport = createExportWriter(files);
  return {
    rate: async (answerId, verdict, by) => {
      const t = feedbackTexts(by.locale);
      try {
        const answer = await store.answer(answerId, by);
        if (!answer) return { outcome: 'unknown', text: t.unknown() };
        const { provider = 'unknown', model = 'unknown' } = answer;
        // A press that changes nothing, such as one that the platform repeats, is not counted.
        if ((await store.record(answer, verdict, by, clock.now())) === 'recorded')
          events.emit('feedback:verdict', { verdict, provider, model });
        return { outcome: 'stored', text: t.thanks[verdict]() };
      } catch (error) {
        logger.error('A rating could not be stored', { answerId, error });
        return { outcome: 'failed', text: t.failed() };
      }
    },

    export: async () => {
      const counts: Record<Verdict, number> = { up: 0, down: 0 };
      const lines: string[] = [];
      for await (const { at, ...verdict } of store.all()) {
        counts[verdict.verdict] += 1;
        lines.push(lineOf({ at: at.toString(), ...verdict }));
      }
      if (lines.length === 0) return undefined;
      const url = await writeExport({ kind: 'feedback', subject: 'all', extension: 'jsonl' }, lines);
      const name = `finclaw-feedback-${clock.now().toString().slice(0, 'yyyy-mm-dd'.length)}.jsonl`;
      return { file: { kind: 'file', mimeType: 'application/x-ndjson', name, url }, counts };
    },
  };
};
