/** Enough of a key to tell it from another, too little to use it. */
export const maskApiKey = (key: string): string =>
  key.length <= 8 ? '***' : `${key.slice(0, 3)}...${key.slice(-4)}`;
