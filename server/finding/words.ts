// The database takes no NUL in a text.
const separators = /[\s\0]+/u

/** The words of a text, each once. */
export const wordsIn = (text: string): string[] => [...new Set(text.split(separators).filter(Boolean))]
