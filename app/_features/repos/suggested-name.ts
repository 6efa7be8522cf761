import { maxNameLength } from '@/server/repos/name'

/** The name nearest to a text that a repository can have; empty when nothing of it can stay. */
export function suggestedName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, maxNameLength)
    .replace(/^-+|-+$/g, '')
}
