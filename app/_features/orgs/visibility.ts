import { counted, type FirstNames, listNames } from '@/app/_lib/format'
import type { Organization } from '@/server/orgs/schema'

type Visibility = Organization['visibility']

/** Name and description of each visibility that an organization can have. */
export const visibilityLabels: Record<Visibility, { name: string; about: string }> = {
  public: { name: 'Public', about: 'Anyone can see the organization, signed in or not.' },
  limited: { name: 'Limited', about: 'Anyone who is signed in can see the organization.' },
  private: { name: 'Private', about: 'Only members can see the organization and its repositories.' },
}

export const visibilityOrder = Object.keys(visibilityLabels) as Visibility[]

const breadth: Record<Visibility, number> = { private: 0, limited: 1, public: 2 }

/**
 * Explains who gains or loses access to an organization and its repositories when its visibility changes.
 * Returns one sentence for each consequence.
 * @param open The organization's repositories that are not private.
 */
export function visibilityEffect(
  org: string,
  before: Visibility,
  after: Visibility,
  open: FirstNames,
): string[] {
  if (breadth[after] > breadth[before]) {
    const audience = after === 'public' ? 'Anyone, signed in or not,' : 'Anyone who is signed in'
    const seen = `${audience} will be able to see ${org} and its public members.`
    if (open.total === 0)
      return [
        seen,
        'No repositories will become visible. Any repositories the organization owns are private.',
      ]
    const repositories = counted(open.total, 'repository', 'repositories')
    return [
      seen,
      `They’ll also be able to see and clone ${repositories} that ${open.total === 1 ? 'isn’t' : 'aren’t'} private: ${listNames(open)}. This includes all branches, tags, and history.`,
      'Check old commits for passwords and keys first. You can’t take back what others have cloned.',
    ]
  }
  const strangers =
    after === 'limited'
      ? 'People who aren’t signed in'
      : `People who aren’t members${before === 'public' ? ', signed in or not,' : ''}`
  const hidden = `${strangers} will no longer be able to see ${org}.`
  if (open.total === 0) return [hidden]
  return [
    hidden,
    `They’ll also lose access to ${counted(open.total, 'repository', 'repositories')}: ${listNames(open)}. Collaborators keep their access.`,
    'Existing clones aren’t affected.',
  ]
}
