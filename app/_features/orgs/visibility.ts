import { counted, type FirstNames, listNames } from '@/app/_lib/format'
import type { Organization } from '@/server/orgs/schema'

type Visibility = Organization['visibility']

/** Who may know of an organization. */
export const visibilityLabels: Record<Visibility, { name: string; about: string }> = {
  public: { name: 'Public', about: 'Everybody can see the organization, signed in or not.' },
  limited: { name: 'Limited', about: 'Everybody who is signed in can see the organization.' },
  private: { name: 'Private', about: 'Only its members can see the organization and what it owns.' },
}

export const visibilityOrder = Object.keys(visibilityLabels) as Visibility[]

const breadth: Record<Visibility, number> = { private: 0, limited: 1, public: 2 }

/**
 * What another visibility of an organization shows or hides, a sentence each; `open` are its repositories that are not
 * private.
 */
export function visibilityEffect(
  org: string,
  before: Visibility,
  after: Visibility,
  open: FirstNames,
): string[] {
  if (breadth[after] > breadth[before]) {
    const audience = after === 'public' ? 'everyone, signed in or not,' : 'everyone who is signed in'
    const seen = `At once, ${audience} can see ${org} and who is a member publicly.`
    if (open.total === 0)
      return [seen, 'No repository becomes visible with it: it has none that is not private.']
    const repositories = counted(open.total, 'repository', 'repositories')
    return [
      seen,
      `They can see and clone ${repositories} that ${open.total === 1 ? 'is' : 'are'} not private: ${listNames(open)}. That includes every branch and tag and the whole history.`,
      'Look for passwords and keys in old commits first. What was cloned cannot be taken back.',
    ]
  }
  const strangers =
    after === 'limited'
      ? 'whoever is not signed in'
      : `whoever is not a member${before === 'public' ? ', signed in or not,' : ''}`
  const hidden = `At once, ${strangers} can no longer see ${org}.`
  if (open.total === 0) return [hidden]
  return [
    hidden,
    `They can no longer see ${counted(open.total, 'repository', 'repositories')} either, except what they were given access to: ${listNames(open)}.`,
    'Copies that were cloned before stay where they are.',
  ]
}
