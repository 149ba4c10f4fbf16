import { errorMessage } from '#src/kernel/errors.ts';
import { personKey } from '#src/kernel/account-services.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import { createPictureQuota } from './attachments/read-attachments.ts';
import { createReadPdf } from './attachments/read-pdf.ts';
import { enrichContext, type EnrichContextDeps, plainContext } from './enrich-context.ts';
import { PipelineError } from '../reply/errors.ts';
import type { Acknowledged, Enriched } from './stage-types.ts';

/** Gathers what the model should know beside the question. */
export const context = (
  deps: Omit<EnrichContextDeps, 'readPdf' | 'takePicture'>,
): PipelineStage<Acknowledged, Enriched> => {
  // One for all messages: only so many files are taken apart at once.
  const readPdfOf = createReadPdf(deps);
  const takePictureOf = createPictureQuota(deps.clock);
  return {
    name: 'context',
    isRepeatable: true,
    execute: async (input, signal) => {
      try {
        const { channelId, senderId: userId } = input.ctx;
        const person = personKey({ channelId, userId });
        const ofPerson = { readPdf: readPdfOf(person), takePicture: takePictureOf(person) };
        const enriched = await enrichContext(input, input.channel, { ...deps, ...ofPerson }, signal);
        return StageResult.continue({ ...input, enriched });
      } catch (cause) {
        signal.throwIfAborted();
        throw new PipelineError(`No context: ${errorMessage(cause)}`, 'CONTEXT_BUILD_FAILED', { cause });
      }
    },
    // The question can be answered without what stands around it; the model is told what is missing.
    degrade: (input) => ({ ...input, enriched: plainContext(input, input.channel, deps) }),
  };
};
