/** Returns a `mailto:` link to exactly this address, whatever special characters it contains. */
export const mailto = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`
