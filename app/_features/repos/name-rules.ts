import { maxNameLength, nameLetters, nameLettersRule } from '@/server/repos/name'

/** What keeps a text from being the name of a repository; undefined when nothing does. */
export function brokenRule(name: string): string | undefined {
  if (name.length > maxNameLength) return `Use at most ${maxNameLength} characters.`
  return nameLetters.test(name) ? undefined : nameLettersRule
}

/** The name nearest to a text that a repository can have, without dots or dashes around it; empty when nothing of it can stay. */
export function suggestedName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, maxNameLength)
    .replace(/^[.-]+|[.-]+$/g, '')
}
