import { orgPath, repositoryPath, teamPath } from '@/app/_lib/paths'
import type { RecentPage } from '@/app/_lib/recent-pages'
import type { Found } from '@/server/search/schema'

/** A page or command that search can find, with its description. */
export interface Destination extends Omit<RecentPage, 'kind'> {
  kind: RecentPage['kind'] | 'command'
  /** Runs the command. If present, `href` only identifies the destination. */
  run?: () => void
  /** Additional text, such as a full name. */
  hint?: string
  /** Visibility, such as "Private". */
  label?: string
  isArchived?: boolean
}

export interface DestinationGroup {
  title: string
  destinations: Destination[]
}

/** Groups search results by kind and omits empty groups. */
export function groupsOf(found: Found): DestinationGroup[] {
  return [
    { title: 'Repositories', destinations: found.repositories.map(repositoryDestination) },
    {
      title: 'Organizations',
      destinations: found.organizations.map(org => ({
        kind: 'organization' as const,
        ...accountDestination(org),
      })),
    },
    {
      title: 'Teams',
      destinations: found.teams.map(({ org, name }) => ({
        kind: 'team' as const,
        text: `${org}/${name}`,
        href: teamPath(org, name),
      })),
    },
    {
      title: 'People',
      destinations: found.people.map(person => ({ kind: 'person' as const, ...accountDestination(person) })),
    },
  ].filter(({ destinations }) => destinations.length > 0)
}

function repositoryDestination(repository: Found['repositories'][number]): Destination {
  const text = `${repository.owner}/${repository.name}`
  return {
    kind: 'repository',
    text,
    href: repositoryPath({ full_name: text }),
    label: visibilityLabels[repository.visibility],
    isArchived: repository.is_archived,
  }
}

const accountDestination = ({ name, full_name, visibility }: Found['people'][number]) => ({
  text: name,
  href: orgPath(name),
  hint: full_name,
  label: visibilityLabels[visibility],
})

const visibilityLabels = {
  public: 'Public',
  internal: 'Internal',
  limited: 'Limited',
  private: 'Private',
} as const

/** Returns the text that these keys type into an empty field, and whether Enter was pressed last. */
export function typedText(keys: readonly string[]): { text: string; isEntered: boolean } {
  let text = ''
  let isEntered = false
  for (const key of keys) {
    if (key === 'Backspace') text = text.slice(0, -1)
    else if (key.length === 1) text += key
    isEntered = key === 'Enter' ? text !== '' : isEntered && key.length > 1 && key !== 'Backspace'
  }
  return { text, isEntered }
}

/** Splits a text into lowercase terms. A name must contain all of them to match. */
export const termsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Maximum number of settings pages shown. */
const mostPages = 6

/** A settings page of the viewer, the site, or an organization. */
export interface SettingsPage extends RecentPage {
  isOfOrganization: boolean
}

/**
 * Returns the first settings pages whose name, group, or the word "settings" contains every term. Pages with
 * a term in their own name come before pages with terms only in their group. An organization's name on its
 * own matches none of its settings pages.
 */
export function matchingPages(pages: readonly SettingsPage[], terms: readonly string[]): SettingsPage[] {
  const found = pages.filter(({ text }) => {
    const whole = `${text} settings`.toLowerCase()
    return terms.every(term => whole.includes(term))
  })
  const isNamed = ({ text }: SettingsPage): boolean => {
    const own = `${text.slice(text.indexOf(': '))} settings`.toLowerCase()
    return terms.some(term => own.includes(term))
  }
  const grouped = found.filter(page => !page.isOfOrganization && !isNamed(page))
  return [...found.filter(isNamed), ...grouped].slice(0, mostPages)
}

/** Splits a name into parts and marks those that match a term. */
export function markTerms(text: string, terms: readonly string[]): { part: string; isMatch: boolean }[] {
  // Letters that become several in lowercase would shift the positions.
  const lower = text.toLowerCase()
  if (lower.length !== text.length) return [{ part: text, isMatch: false }]
  const marks = Array.from(text, () => false)
  for (const term of terms) {
    for (let at = lower.indexOf(term); at >= 0 && term !== ''; at = lower.indexOf(term, at + 1)) {
      marks.fill(true, at, at + term.length)
    }
  }
  const parts: { part: string; isMatch: boolean }[] = []
  for (let start = 0, end = 1; end <= text.length; end++) {
    if (end < text.length && marks[end] === marks[start]) continue
    parts.push({ part: text.slice(start, end), isMatch: marks[start] ?? false })
    start = end
  }
  return parts
}
