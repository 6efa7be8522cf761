import type { Organization } from '@/server/orgs/schema'

type Visibility = Organization['visibility']

/** Who may know of an organization. */
export const visibilityLabels: Record<Visibility, { name: string; about: string }> = {
  public: { name: 'Public', about: 'Everybody can see the organization, signed in or not.' },
  limited: { name: 'Limited', about: 'Everybody who is signed in can see the organization.' },
  private: { name: 'Private', about: 'Only its members can see the organization and what it owns.' },
}

export const visibilityOrder = Object.keys(visibilityLabels) as Visibility[]
