const escapeCharacter = String.fromCharCode(27)
const styling = new RegExp(`${escapeCharacter}\\[[0-9;:]*[A-Za-z]`, 'g')

/** A text without the escape sequences by which logs color a terminal. */
export const plainText = (text: string): string => text.replace(styling, '')

/** A JSON text with one value a line; undefined for a text that is none, or that is so already. */
export function prettyJson(text: string): string | undefined {
  try {
    const pretty = JSON.stringify(JSON.parse(text), null, 2)
    // Numbers that JavaScript cannot hold would be shown with other digits.
    return pretty === text.trimEnd() || digits(pretty) !== digits(text) ? undefined : pretty
  } catch {
    return undefined
  }
}

const digits = (text: string): string => text.replace(/[^\d.eE+-]/g, '')
