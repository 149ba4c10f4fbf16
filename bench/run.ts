import { benchStartUp } from './start-up.ts';

/** All benchmarks, one after the other: they must not disturb each other. */
await benchStartUp();
