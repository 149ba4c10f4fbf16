import { MAIN_AGENT } from '#src/kernel/agent/agent-settings.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { TIMES_TO_WARM_PATTERNS, type WarmUp } from '#src/kernel/operations/warm-up.ts';
import type { Uses } from '#src/platform/services.ts';
import { checkAnswer } from './grounding/judge/check-answer.ts';
import { evidenceIn } from './grounding/facts/evidence.ts';
import { estimateRequest } from './tokens.ts';
import { type WindowLimits, windowOf } from './memory/window/model-window.ts';
import type { ModelChoice } from './models/model-choice.ts';
import type { Prompts } from './prompt/open-prompts.ts';
import type { Providers } from './providers/providers.ts';

interface AgentWarmUpDeps extends Uses<'clock'> {
  readonly choice: Pick<ModelChoice, 'defaultModel'>;
  readonly providers: Pick<Providers, 'load'>;
  readonly prompts: Pick<Prompts, 'forAgent'>;
  readonly limits: WindowLimits;
}

/** With a name, a price and a percentage, so that every reader of answers is loaded. */
const ANSWER = 'Apple (AAPL) closed at $190.50 on 2026-11-13, up 1.2 % from the previous close.';

/** The first one loads the data of all. */
const TIME_ZONES = ['UTC', 'America/New_York'];

/** What the first turn of the default model needs. */
export const agentWarmUps = (deps: AgentWarmUpDeps): readonly WarmUp[] => {
  const { choice, providers, prompts, limits, clock } = deps;
  return [
    {
      name: 'system prompt and tools',
      run: async function* () {
        const { tools, systemPrompt } = prompts.forAgent(MAIN_AGENT, windowOf(choice.defaultModel(), limits));
        for (const { inputSchema } of tools) {
          void inputSchema;
          yield;
        }
        estimateRequest({ systemPrompt: systemPrompt(), tools, messages: [] });
      },
    },
    {
      name: 'names of time zones',
      run: async function* () {
        for (const timeZone of TIME_ZONES) {
          writeMoment(clock.now(), timeZone);
          yield;
        }
      },
    },
    {
      name: 'model client',
      run: async function* () {
        await providers.load(choice.defaultModel().provider);
        yield;
      },
    },
    {
      name: 'answer check',
      run: async function* () {
        const today = clock.now().toZonedDateTimeISO('UTC').toPlainDate();
        for (let time = 0; time < TIMES_TO_WARM_PATTERNS; time += 1) {
          checkAnswer(ANSWER, evidenceIn([], today));
          yield;
        }
      },
    },
  ];
};
