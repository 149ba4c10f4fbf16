import { holdYoungGeneration } from './platform/young-generation.ts';

/** `npm start` runs this before it loads the program. */
holdYoungGeneration();
