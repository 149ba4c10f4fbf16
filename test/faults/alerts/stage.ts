import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { Moment } from '#test/fakes/platform/server.ts';
import type { Pulse } from '../platforms/pulse.ts';
import type { ToldMessage } from './checker.ts';
import type { AlertTrouble, Person } from './plan.ts';

/** False: what was about to happen does not come about. */
export type OnMoment = (moment: Extract<Moment, 'connect' | 'post' | 'posted'>) => boolean;

/** A platform on which alerts are told. It outlives the bot. */
export interface AlertStage {
  readonly env: NodeJS.ProcessEnv;
  readonly pulse: Pulse;
  /** Where somebody set what they set there, as the bot stores it. */
  readonly targetOf: (person: Person) => ReplyTarget;
  /** The same place by the platform's own name. */
  readonly placeOf: (person: Person) => string;
  readonly trouble: (kind: AlertTrouble) => void;
  /** All that the bot wrote and that stands there now. */
  readonly messages: () => readonly ToldMessage[];
  readonly close: () => Promise<void>;
}

export type OpenAlertStage = (onMoment: OnMoment) => Promise<AlertStage>;
