const escapeCharacter = String.fromCharCode(27)
const styling = new RegExp(`${escapeCharacter}\\[[0-9;:]*[A-Za-z]`, 'g')

/** Returns a text without the escape sequences that color it in a terminal. */
export const plainText = (text: string): string => text.replace(styling, '')

/**
 * Formats JSON with one value per line. Returns undefined if the text is not JSON, is already formatted, or
 * has numbers that would change.
 */
export function prettyJson(text: string): string | undefined {
  try {
    const pretty = JSON.stringify(JSON.parse(text), null, 2)
    // Numbers beyond JavaScript's precision would be shown with other digits.
    return pretty === text.trimEnd() || digits(pretty) !== digits(text) ? undefined : pretty
  } catch {
    return undefined
  }
}

const digits = (text: string): string => text.replace(/[^\d.eE+-]/g, '')
