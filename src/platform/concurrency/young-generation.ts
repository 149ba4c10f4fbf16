import { setFlagsFromString } from 'node:v8';

/**
 * V8 moves objects that survive two collections of the young generation to the old one, where collecting them costs more.
 * Under load the young generation must be large enough for the objects of messages under way: with 8 MB instead of 32, a
 * message costs a fifth more CPU. But it never shrinks, and loading the program alone would enlarge it. So it is kept
 * small until the bot is warm.
 */
export const holdYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** V8 doubles the young generation whenever more survived than it has room for. This is its default. */
export const releaseYoungGeneration = (): void => setFlagsFromString('--semi-space-growth-factor=2');
