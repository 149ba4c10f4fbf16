import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import { enrichContext, type EnrichContextDeps } from '../enrich-context.ts';
import type { Acknowledged, Enriched } from '../flow.ts';

/** Gathers what the model should know beside the question. */
export const context = (deps: EnrichContextDeps): PipelineStage<Acknowledged, Enriched> => ({
  name: 'context',
  execute: async (input, signal) => {
    const enriched = await enrichContext(input, input.channel, deps, signal);
    return StageResult.continue({ ...input, enriched });
  },
});
