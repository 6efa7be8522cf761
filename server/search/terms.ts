// The database does not allow NUL characters in texts.
const separators = /[\s\0]+/u

// Each word makes the query longer and each row slower to match.
const maxWords = 6

/** Returns the first six distinct words of a text. */
export const termsIn = (text: string): string[] =>
  [...new Set(text.split(separators).filter(Boolean))].slice(0, maxWords)
