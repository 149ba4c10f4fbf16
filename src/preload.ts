import { holdYoungGeneration } from './platform/concurrency/young-generation.ts';

/** `npm start` runs this before it loads the program. */
holdYoungGeneration();
