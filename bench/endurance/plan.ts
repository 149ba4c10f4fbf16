import { type Fault, FAULTS } from '#test/faults/shared/plan.ts';
import { createRandom } from '#test/faults/random.ts';

/** Place 0 is the gateway, the others are workers. */
export interface PlannedFault {
  readonly atMs: number;
  readonly fault: Fault;
  readonly place: number;
}

const MIN_PAUSE_MS = 7_000;
const MAX_PAUSE_MS = 13_000;
/** Of the faults of a process, so many are the gateway's. */
const GATEWAY_SHARE = 0.15;

/** Everything that happens in this time, but not in its last part: then all shall come to rest. */
export const planFaults = (seed: number, workers: number, untilMs: number): readonly PlannedFault[] => {
  const random = createRandom(seed);
  const faults: PlannedFault[] = [];
  let atMs = random.int(MIN_PAUSE_MS, MAX_PAUSE_MS);
  while (atMs < untilMs) {
    const fault = random.pick<Fault>(FAULTS);
    // A gateway that stands still receives nothing, which is its loss alone; so it is ended only.
    const isOfGateway = fault !== 'freeze' && random.chance(GATEWAY_SHARE);
    faults.push({ atMs, fault, place: isOfGateway ? 0 : random.int(1, workers) });
    atMs += random.int(MIN_PAUSE_MS, MAX_PAUSE_MS);
  }
  return faults;
};
