// The database takes no NUL in a text.
const separators = /[\s\0]+/u

// Each makes a query longer, and looking at a row.
const maxWords = 6

/** The first six words of a text, each once. */
export const termsIn = (text: string): string[] =>
  [...new Set(text.split(separators).filter(Boolean))].slice(0, maxWords)
