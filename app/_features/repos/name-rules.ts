import { maxNameLength, nameLetters, nameLettersRule } from '@/server/repos/name'

/** Returns the rule that a repository name breaks, as an error message; undefined if it breaks none. */
export function brokenRule(name: string): string | undefined {
  if (name.length > maxNameLength) return `Use at most ${maxNameLength} characters.`
  return nameLetters.test(name) ? undefined : nameLettersRule
}

/**
 * Turns a text into a valid repository name: replaces invalid characters with dashes, and removes dots and
 * dashes at both ends. Returns an empty string if nothing is left.
 */
export function suggestedName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, maxNameLength)
    .replace(/^[.-]+|[.-]+$/g, '')
}
