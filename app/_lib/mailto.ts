/** The link that writes to an e-mail address, and to nobody else, whatever signs the address has. */
export const mailto = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`
