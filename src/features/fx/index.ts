export { coinsIn, readConversion } from './read-conversion.ts';
